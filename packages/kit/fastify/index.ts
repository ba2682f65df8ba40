export * from "./create-fastify.ts";
