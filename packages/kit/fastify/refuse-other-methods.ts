import { problems } from "@agent-backends/contract";
import type { App } from "./create-fastify.ts";

const methodsThatMayBeRefused = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Learns of the routes that follow which methods each address takes. What it gives refuses all others there. */
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
    const refused = methodsThatMayBeRefused.filter((method) => !allowed.has(method));
    if (url === "*" || refused.length === 0) continue;
    // Before the routes below are among them.
    const methods = [...allowed];
    app.route({
      method: refused,
      url,
      config: { access: {} },
      // Refused before its body is read: what the body holds does not matter.
      onRequest: async ({ method }) => {
        throw problems.methodNotAllowed(method, methods);
      },
      handler: () => undefined,
    });
  }
}
