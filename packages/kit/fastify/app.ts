import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Access } from "../auth/guard.ts";

export type App = FastifyInstance;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Access requirements of the route. Every route must set this. */
    access?: Access;
    /** The schema of a body that the handler parses itself. */
    body?: z.ZodType;
  }
}
