export { addRoute } from "./add-route.ts";
export type { App } from "./app.ts";
export { createFastify } from "./create-fastify.ts";
export { streamEvents } from "./stream-events.ts";
