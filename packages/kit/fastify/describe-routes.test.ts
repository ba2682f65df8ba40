import type { Operation, Operations } from "@agent-backends/contract/openapi";
import { serviceOperations } from "@agent-backends/contract/openapi";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Lifecycle } from "../lifecycle.ts";
import { createLogger } from "../logger.ts";
import { addRoute } from "./add-route.ts";
import type { App } from "./app.ts";
import { createFastify } from "./create-fastify.ts";

const noted = z.object({ text: z.string() });
const note: Operation = {
  id: "addNote",
  tag: "Documents",
  summary: "Add a note",
  access: "write",
  body: { schema: noted, examples: { note: { text: "A note." } } },
  answers: { 204: { description: "It is added." } },
};
const operations: Operations = { "POST /notes/{id}": note, ...serviceOperations({}) };

const create = (routes: (app: App) => void, described: Operations = operations) =>
  createFastify({
    lifecycle: new Lifecycle({ graceMs: 1 }),
    logger: createLogger("test", "silent"),
    guard: undefined,
    api: { title: "Test", version: "1", description: "", operations: described, operationsFile: "notes.ts" },
    routes,
  });
const addNotes = (app: App) =>
  addRoute(app, operations, "POST /notes/{id}", ({ params, query, body }) => ({ params, query, body }));

describe("the OpenAPI document of an application", () => {
  it("is served, and built once", async () => {
    const app = await create((app) => void addNotes(app));
    const { headers, json } = await app.inject("/openapi.json");
    expect(json()).toMatchObject({ openapi: "3.2.0", paths: { "/notes/{id}": { post: { operationId: "addNote" } } } });
    const again = await app.inject({ url: "/openapi.json", headers: { "if-none-match": String(headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect((await app.inject({ url: "/openapi.json", method: "PUT" })).statusCode).toBe(405);
  });

  it("is shown by a page that loads nothing from elsewhere", async () => {
    const app = await create((app) => void addNotes(app));
    const page = await app.inject("/docs");
    expect(page.headers["content-security-policy"]).toMatch(
      /default-src 'none'; script-src 'self';.* connect-src 'self'/,
    );
    const scripts = [...page.body.matchAll(/<script src="(.+?)">/g)].map(([, path = ""]) => `/${path}`);
    const [bundle, start] = await Promise.all(scripts.map((path) => app.inject(path)));
    expect(bundle?.body).toContain("createApiReference");
    expect(start?.body).toMatch(/^Scalar\.createApiReference\("#reference"/);
    const headers = { "if-none-match": String(bundle?.headers.etag) };
    expect((await app.inject({ url: scripts[0] ?? "", headers })).statusCode).toBe(304);
    expect((await app.inject({ url: "/docs", method: "DELETE" })).statusCode).toBe(405);
  });

  it("gives a route its access and schemas", async () => {
    const app = await create((app) => {
      app.addHook("onRoute", ({ method, url, config, schema }) => {
        if (method === "POST" && url === "/notes/:id")
          expect([config?.access, schema?.body]).toEqual([{ scope: "write" }, noted]);
      });
      addNotes(app);
    });
    const payload = { text: "A note." };
    const { json } = await app.inject({ url: "/notes/1", method: "POST", payload });
    expect(json()).toEqual({ params: { id: "1" }, query: {}, body: payload });
    expect((await app.inject({ url: "/notes/1", method: "POST", payload: {} })).statusCode).toBe(422);
  });

  it.each<[string, Parameters<typeof create>, RegExp]>([
    [
      "a route that it doesn't describe",
      [(app) => void app.get("/notes/:id/text", { config: { access: {} } }, () => "")],
      /The route GET \/notes\/\{id\}\/text is not in .* describe it in an entry "GET \/notes\/\{id\}\/text" in notes\.ts/,
    ],
    ["a missing route", [() => undefined], /notes\.ts describes POST \/notes\/\{id\}, but there is no such route/],
  ])("names %s when the application is made", async (_what, [routes, described], message) => {
    await expect(create(routes, described)).rejects.toThrow(message);
  });
});
