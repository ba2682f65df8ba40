import type { Guard } from "../auth/guard.ts";
import { anonymousPrincipal, rememberPrincipal } from "../auth/principal.ts";
import { isAlwaysOpen } from "../lifecycle.ts";
import type { App } from "./app.ts";

/**
 * Where MCP clients look for an OAuth sign-in after a 401. A 401 here too would keep some of them, such as mcp-remote, waiting for a
 * sign-in without end.
 */
const oAuthPath = /^\/(?:\.well-known\/(?:oauth-|openid-)|register(?:\?|$))/;

export const isForOAuth = (url: string): boolean => oAuthPath.test(url);

/**
 * Makes the guard check each request to a route registered later.
 *
 * @param guard undefined: all routes are open
 */
export function guardRoutes(app: App, guard: Guard | undefined): void {
  app.addHook("onRoute", ({ url, method, config }) => {
    if (config?.access === undefined && !isAlwaysOpen(url)) {
      throw new Error(`The route ${method} ${url} does not say who may use it.`);
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    // Read it once: the getter builds a new object each time.
    const { url = "", config } = request.routeOptions;
    if (guard === undefined) {
      rememberPrincipal(request.raw, anonymousPrincipal);
      return done();
    }
    try {
      const admitted = isAlwaysOpen(url)
        ? guard.admitOpen(request.raw)
        : guard.admit(request.raw, reply.raw, config.access ?? { isOpen: isForOAuth(request.url) });
      if (admitted === undefined) done();
      else admitted.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  });
}
