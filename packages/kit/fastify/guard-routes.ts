import { isAlwaysOpen } from "../always-open.ts";
import type { Access, Guard } from "../auth/guard.ts";
import { anyone, rememberPrincipal } from "../auth/principal.ts";
import type { App } from "./create-fastify.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route asks of a request. Every route has to say it. */
    access?: Access;
  }
}

/**
 * Lets requests in by the guard, as the routes that follow say.
 *
 * @param guard undefined: all are open
 */
export function guardRoutes(app: App, guard: Guard | undefined): void {
  app.addHook("onRoute", ({ url, method, config }) => {
    if (config?.access === undefined && !isAlwaysOpen(url)) {
      throw new Error(`The route ${method} ${url} does not say who may use it.`);
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    // Read once: it is made anew each time.
    const { url = "", config } = request.routeOptions;
    if (isAlwaysOpen(url)) return done();
    if (guard === undefined) {
      rememberPrincipal(request.raw, anyone);
      return done();
    }
    try {
      const admitted = guard.admit(request.raw, reply.raw, config.access ?? {});
      if (admitted === undefined) done();
      else admitted.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  });
}
