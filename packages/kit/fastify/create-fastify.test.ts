import type { IncomingMessage } from "node:http";
import type { ProblemError } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { Lifecycle } from "../lifecycle.ts";
import { listen } from "../listen.ts";
import { createLogger } from "../logger.ts";
import type { App } from "./app.ts";
import { createFastify } from "./create-fastify.ts";

let app: App;
let baseUrl: string;
let lifecycle: Lifecycle;
let notReady: ProblemError | undefined;
const logger = createLogger("test", "silent");

beforeEach(async () => {
  notReady = undefined;
  const checkReady = async () => {
    if (notReady) throw notReady;
  };
  lifecycle = new Lifecycle({ graceMs: 1_000, checkReady });
  app = await createFastify({
    lifecycle,
    logger,
    guard: undefined,
    health: () => ({ agent_initialized: true }),
    routes(app) {
      const config = { access: {} };
      app.post("/echo", { schema: { body: z.object({ word: z.string() }) }, config }, (request) => request.body);
      app.get("/fails", { config }, () => {
        throw new Error("secret of /srv/app.js");
      });
      app.get("/items/:id", { config }, (request) => request.params);
    },
  });
  lifecycle.attach(app.server);
  baseUrl = await listen(app.server, { host: "127.0.0.1", port: 0 });
});

afterEach(() => {
  app.server.close().closeAllConnections();
});

const post = (path: string, body: string, contentType = "application/json") =>
  fetch(baseUrl + path, { method: "POST", body, headers: { "Content-Type": contentType } });

test.each([
  ["a body that is not JSON", () => post("/echo", "{"), 400],
  ["an empty body", () => post("/echo", ""), 400],
  ["an empty form", () => post("/echo", "", "application/x-www-form-urlencoded"), 400],
  ["a body of the wrong shape", () => post("/echo", "{}"), 422],
  ["a body of another media type", () => post("/echo", "<a/>", "application/xml"), 415],
  ["a body over the limit", () => post("/echo", JSON.stringify({ word: "x".repeat(11_000_000) })), 413],
  ["an unknown address", () => fetch(`${baseUrl}/nowhere`), 404],
  ["an address that can't be decoded", () => fetch(`${baseUrl}/items/%FF`), 400],
  ["another method", () => fetch(`${baseUrl}/echo`, { method: "DELETE" }), 405],
  ["a failure inside", () => fetch(`${baseUrl}/fails`), 500],
])("%s is answered with problem details", async (_what, request, status) => {
  const response = await request();
  const problem = await response.json();
  expect(response.status).toBe(status);
  expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(problem).toMatchObject({
    status,
    type: expect.any(String),
    title: expect.any(String),
    detail: expect.any(String),
  });
  expect(JSON.stringify(problem)).not.toMatch(/secret|srv|node_modules/);
});

test("405 says which methods are possible, and 422 which field is wrong", async () => {
  const refused = await fetch(`${baseUrl}/echo`);
  expect(refused.headers.get("allow")).toBe("POST, OPTIONS");
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("takes POST, OPTIONS.") });
  expect(await (await post("/echo", `{"word":1}`)).json()).toMatchObject({ errors: [{ pointer: "/word" }] });
});

test("the address of a run says that no runs are kept, where there is no route for it", async () => {
  const response = await fetch(`${baseUrl}/agui/runs/run-1`);
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { detail: expect.stringContaining("start it with RUNS_URL") },
  ]);
});

test("an address with more than 500 parameters is refused unparsed, and one with 500 is answered", async () => {
  const tooMany = await fetch(`${baseUrl}/health?${"a=1&".repeat(500)}`);
  expect(tooMany.status).toBe(400);
  expect(await tooMany.json()).toMatchObject({ detail: expect.stringContaining("more than 500 parameters") });
  expect((await fetch(`${baseUrl}/health?${"a=1&".repeat(499)}`)).status).toBe(200);
});

test("a browser of any origin may ask", async () => {
  const response = await fetch(`${baseUrl}/echo`, {
    method: "OPTIONS",
    headers: { Origin: "https://chat.example", "Access-Control-Request-Method": "POST" },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
});

test("health tells that it lives, readiness whether it can work", async () => {
  expect(await (await fetch(`${baseUrl}/health`)).json()).toEqual({ status: "ok", agent_initialized: true });
  expect((await fetch(`${baseUrl}/ready`)).status).toBe(200);
  notReady = problems.storeNotOpened();
  const response = await fetch(`${baseUrl}/ready`);
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("5");
  expect(await response.json()).toMatchObject({ detail: problems.storeNotOpened().message });
});

test("requests for readiness that come at the same time share a check, and later ones don't", async () => {
  let checks = 0;
  const checkReady = async () => {
    checks += 1;
    await new Promise(setImmediate);
  };
  const checked = new Lifecycle({ graceMs: 0, checkReady });
  const request = {} as IncomingMessage;
  await Promise.all(Array.from({ length: 100 }, () => checked.readiness(request)));
  expect(checks).toBe(1);
  await checked.readiness(request);
  expect(checks).toBe(2);
});

test("a route that does not say who may use it keeps the service from starting", async () => {
  const starting = createFastify({
    lifecycle,
    logger: createLogger("test", "silent"),
    guard: undefined,
    routes: (app) => void app.get("/forgotten", () => "secret"),
  });
  await expect(starting).rejects.toThrow("The route GET /forgotten does not say who may use it.");
});

test("each reason why the service isn't ready is logged once", async () => {
  const logged = vi.spyOn(logger, "error");
  const ask = async (variable?: string) => {
    notReady = variable === undefined ? undefined : problems.missingKey(variable);
    return (await fetch(`${baseUrl}/ready`)).status;
  };
  for (const reason of ["disk", "disk", "network", undefined, "network"])
    expect(await ask(reason)).toBe(reason ? 503 : 200);
  expect(logged).toHaveBeenCalledTimes(3);
});
