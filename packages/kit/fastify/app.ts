import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Access } from "../auth/guard.ts";

export type App = FastifyInstance;

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route requires of a request. Every route must say so. */
    access?: Access;
    /** The schema of a body that the handler parses itself. */
    body?: z.ZodType;
  }
}
