import { problems } from "@agent-backends/contract";
import type { App } from "./app.ts";

const refusableMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Collects the methods of the routes registered later. The returned function adds routes that refuse all other methods. */
export function watchMethods(app: App): () => void {
  const methodsOfUrl = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsOfUrl.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOfUrl.set(url, methods);
  });
  return () => refuseOtherMethods(app, methodsOfUrl);
}

function refuseOtherMethods(app: App, methodsOfUrl: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, allowed] of [...methodsOfUrl]) {
    const refused = refusableMethods.filter((method) => !allowed.has(method));
    if (url === "*" || refused.length === 0) continue;
    // A copy, because the route below adds to the set.
    const methods = [...allowed];
    app.route({
      method: refused,
      url,
      config: { access: {} },
      // Refuse before the body is read.
      onRequest: async ({ method }) => {
        throw problems.methodNotAllowed(method, methods);
      },
      handler: () => undefined,
    });
  }
}
