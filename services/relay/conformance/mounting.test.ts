import type { Server } from "node:http";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { problems } from "@agent-backends/contract";
import type { Instruments } from "@agent-backends/kit";
import { createInstruments, createLogger, listen } from "@agent-backends/kit";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, parseSse, parseSseEvents, startScriptedProvider } from "@agent-backends/testing";
import type { ArgumentsHost, CallHandler, ExecutionContext } from "@nestjs/common";
import {
  Catch,
  Controller,
  ForbiddenException,
  Get,
  HttpException,
  Module,
  UnauthorizedException,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { NextFunction, Request, Response } from "express";
import express from "express";
import { map } from "rxjs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { relayRouter } from "../express/index.ts";
import { createRelay, RelayModule, relayRoutes } from "../nest/index.ts";
import { readTextPieces } from "./support/harness.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

/** Compresses a response and delays it until its end: the worst that middleware does. */
function compress(request: Request, response: Response, next: NextFunction): void {
  if (!String(request.headers["accept-encoding"]).includes("gzip")) {
    next();
    return;
  }
  const { write, end } = response;
  const pieces: Buffer[] = [];
  response.setHeader("Content-Encoding", "gzip");
  response.write = ((piece: string | Buffer) => pieces.push(Buffer.from(piece)) > 0) as typeof write;
  response.end = ((piece?: string | Buffer) => {
    if (piece !== undefined) pieces.push(Buffer.from(piece));
    response.write = write;
    response.end = end;
    response.removeHeader("Content-Length");
    return response.end(gzipSync(Buffer.concat(pieces)));
  }) as typeof end;
  next();
}

class OwnController {
  own(): string {
    return "own";
  }

  broken(): never {
    throw new Error("the application's own");
  }
}

class OwnFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(500).json({ from: "the application's filter" });
  }
}

// Tests are compiled without Nest's kind of decorators, so they are called as functions.
Controller("own")(OwnController);
for (const [name, path] of [
  ["own", ""],
  ["broken", "broken"],
] as const) {
  Get(path)(OwnController.prototype, name, Object.getOwnPropertyDescriptor(OwnController.prototype, name) ?? {});
}
Catch()(OwnFilter);

const ownInterceptor = {
  intercept: (_context: ExecutionContext, next: CallHandler) => next.handle().pipe(map((data) => ({ wrapped: data }))),
};

const hosts = {
  async express(baseUrl: string): Promise<Server> {
    const app = express();
    app.use(express.json({ limit: "10mb", inflate: false }));
    app.use(compress);
    app.use("/chat", relayRouter({ apiKey: "sk-host", baseUrl, model: "host-model" }));
    app.get("/own", (_request, response) => void response.send("own"));
    app.get("/own/broken", () => {
      throw new Error("the application's own");
    });
    app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) => {
      response.status(500).json({ from: "the application's filter" });
    });
    return createServer(app);
  },
  async nest(baseUrl: string): Promise<Server> {
    class HostModule {}
    Module({
      imports: [RelayModule.forRoot({ apiKey: "sk-host", baseUrl, model: "host-model" })],
      controllers: [OwnController],
    })(HostModule);
    const app = await NestFactory.create<NestExpressApplication>(HostModule, { logger: false, abortOnError: false });
    app.useBodyParser("json", { limit: "10mb", inflate: false });
    app.setGlobalPrefix("chat", { exclude: ["own", "own/broken"] });
    app.use(compress);
    app.useGlobalFilters(new OwnFilter());
    app.useGlobalInterceptors(ownInterceptor);
    await app.init();
    return app.getHttpServer();
  },
};

describe.each(["express", "nest"] as const)("mounted into a host's own %s application", (name) => {
  let provider: ScriptedProvider;
  let server: Server;
  let url = "";
  let instruments: Instruments;
  const log: object[] = [];
  beforeAll(async () => {
    provider = await startScriptedProvider();
    server = await hosts[name](provider.baseUrl);
    const logger = createLogger("host", "info", { write: (line: string) => void log.push(JSON.parse(line)) });
    const nowhere = { tracesEndpoint: undefined, providerUrl: undefined };
    instruments = await createInstruments({ service: "host", logger, metricsPort: 0, ...nowhere });
    instruments.observability.observe(server, relayRoutes("chat"));
    url = await listen(server, { host: "127.0.0.1", port: 0 });
  });
  afterEach(() => {
    provider.requests.length = 0;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await Promise.all([provider.close(), instruments.close()]);
  });

  test("the stream is neither packed nor held back nor changed", async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const half = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n`;
    provider.script(answer.bytes([half, goOn, "data: [DONE]\n\n"]));
    const response = await postAgent(`${url}/chat`, runInput());
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(response.headers.get("content-encoding")).toBeNull();
    const pieces = readTextPieces(response);
    let seen = "";
    while (!seen.includes("half")) seen += (await pieces.next()).value;
    resolve();
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) seen += piece.value;
    parseSse(seen);
    expect(parseSseEvents(seen).map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
    expect(provider.chatRequests[0]?.body.model).toBe("host-model");
    expect(provider.chatRequests[0]?.headers.authorization).toBe("Bearer sk-host");
  });

  test("the address chooses the profile", async () => {
    provider.script(answer.toolCalls([{ name: "f", args: {} }]));
    const types = async (query: string) => {
      const response = await postAgent(`${url}/chat`, runInput(), {}, query);
      return parseSseEvents(await response.text()).map(({ type }) => type);
    };
    expect(await types("?profile=ag-ui-0")).toContain("TOOL_CALL_END");
    expect(await types("")).not.toContain("TOOL_CALL_END");
    const headers = { "Accept-Encoding": "identity", "Content-Type": "application/json" };
    expect((await postAgent(`${url}/chat`, runInput(), { headers }, "?profile=x")).status).toBe(422);
  });

  test("a client that goes away ends the provider's request", async () => {
    provider.script(answer.hangAfter("half"));
    const leaving = new AbortController();
    const pieces = readTextPieces(await postAgent(`${url}/chat`, runInput(), { signal: leaving.signal }));
    const request = await provider.chatRequest();
    let seen = "";
    while (!seen.includes("half")) seen += (await pieces.next()).value;
    leaving.abort();
    await request.closed;
    expect(request.aborted).toBe(true);
  });

  test("it can be seen as the service can", async () => {
    log.length = 0;
    provider.script(answer.text("Hello"));
    const headers = { "Content-Type": "application/json", "X-Request-Id": "of-the-host" };
    await (await postAgent(`${url}/chat`, runInput(), { headers })).text();
    const line = {
      msg: "request",
      request_id: "of-the-host",
      route: "/chat/agent",
      first_token_ms: expect.any(Number),
    };
    await expect.poll(() => log).toMatchObject([line]);
    if (!instruments.metricsServer) throw new Error("There are no metrics.");
    const metricsUrl = await listen(instruments.metricsServer, { host: "127.0.0.1", port: 0 });
    const metrics = await (await fetch(`${metricsUrl}/metrics`)).text();
    expect(metrics).toMatch(/^agent_first_token_seconds_count\{.*route="\/chat\/agent".*\} [1-9]/m);
  });

  test.each(["/chat/agent/", "/Chat/AGENT"])(
    "a request to %s is answered and counted as one to /chat/agent",
    async (path) => {
      log.length = 0;
      provider.script(answer.text("Hello"));
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify(runInput());
      expect(await (await fetch(url + path, { method: "POST", headers, body })).text()).toContain("RUN_FINISHED");
      await expect.poll(() => log).toMatchObject([{ msg: "request", route: "/chat/agent" }]);
    },
  );

  test("each of its routes counts on its own, under the path where it is mounted", async () => {
    log.length = 0;
    for (const path of ["/agent/runs/r-1", "/agent/capabilities", "/health"])
      await fetch(`${url}/chat${path}`, { headers: { "Accept-Encoding": "identity" } });
    const routes = ["/chat/agent/runs/:runId", "/chat/agent/capabilities", "/chat/health"];
    await expect.poll(() => log).toMatchObject(routes.map((route) => ({ msg: "request", route })));
  });

  test("a long conversation that the application has parsed is relayed", async () => {
    provider.script(answer.text("Hello"));
    const content = "word ".repeat(100_000);
    const headers = { "Accept-Encoding": "identity", "Content-Type": "application/json" };
    const response = await postAgent(`${url}/chat`, runInput({ messages: [{ id: "1", role: "user", content }] }), {
      headers,
    });
    expect(parseSseEvents(await response.text()).at(-1)?.type).toBe("RUN_FINISHED");
    expect(provider.chatRequests[0]?.body.messages).toEqual([{ role: "user", content }]);
  });

  test("bodies with too many values are refused, whichever parser read them", async () => {
    const headers = { "Accept-Encoding": "identity", "Content-Type": "application/json" };
    const body = `{"a":[${"1,".repeat(30_000)}1]}`;
    const response = await postAgent(`${url}/chat`, body, { headers });
    expect([response.status, await response.text()]).toEqual([413, expect.stringContaining("25000 values")]);
  });

  test("its errors are the relay's, the application's are its own", async () => {
    // Uncompressed, because the middleware above ignores Content-Length.
    const headers = { "Accept-Encoding": "identity", "Content-Type": "application/json" };
    const get = (path: string) => fetch(url + path, { headers });
    const invalid = await postAgent(`${url}/chat`, runInput({ messages: [] }), { headers });
    expect(invalid.status).toBe(422);
    expect(invalid.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect((await get("/chat/agent")).status).toBe(405);
    expect(await (await get("/own/broken")).json()).toEqual({ from: "the application's filter" });
    expect(await (await get("/own")).text()).toContain("own");
    expect((await get("/chat/ready")).status).toBe(200);
  });
});

test("what a guard of a NestJS application throws is answered by the application, what a run throws by the relay", async () => {
  const log: string[] = [];
  const logger = createLogger("host", "warn", { write: (line: string) => void log.push(line) });
  const relay = createRelay({ apiKey: "sk-host", logger });
  class HostModule {}
  Module({ imports: [RelayModule.forRoot(relay)] })(HostModule);
  const app = await NestFactory.create<NestExpressApplication>(HostModule, { logger: false, abortOnError: false });
  const rejections: Record<string, () => boolean> = {
    false: () => false,
    401: () => {
      throw new UnauthorizedException("Log in first.");
    },
    402: () => {
      throw new HttpException({ own: "body" }, 402);
    },
    503: () => {
      throw new HttpException("Closed on Sundays.", 503);
    },
  };
  app.useGlobalGuards({
    canActivate: (context) => rejections[context.switchToHttp().getRequest<Request>().get("x-case") ?? ""]?.() ?? true,
  });
  await app.init();
  const url = await listen(app.getHttpServer(), { host: "127.0.0.1", port: 0 });
  const ask = async (rejection: string, body: unknown) => {
    const response = await postAgent(url, body, {
      headers: { "Content-Type": "application/json", "X-Case": rejection },
    });
    return [response.status, await response.json()];
  };
  expect(await ask("false", {})).toEqual([403, new ForbiddenException("Forbidden resource").getResponse()]);
  expect(await ask("401", {})).toEqual([401, { statusCode: 401, error: "Unauthorized", message: "Log in first." }]);
  expect(await ask("402", {})).toEqual([402, { own: "body" }]);
  expect(await ask("503", {})).toEqual([503, { statusCode: 503, message: "Closed on Sundays." }]);
  expect((await fetch(`${url}/health`, { headers: { "X-Case": "402" } })).status).toBe(402);
  expect(await ask("none", {})).toMatchObject([422, { type: expect.any(String), errors: expect.any(Array) }]);
  vi.spyOn(relay.lifecycle, "countRequest").mockImplementation(() => {
    throw new Error("of the relay's own code");
  });
  const { message: detail } = problems.internal(undefined);
  expect(await ask("none", runInput())).toMatchObject([500, { type: expect.any(String), detail }]);
  expect(log).toEqual([expect.stringContaining("of the relay's own code")]);
  await app.close();
});

describe.each(["express", "nest"] as const)("a relay mounted into %s that closes", (name) => {
  test.each([
    { shutdownGraceMs: 10_000, last: "RUN_FINISHED" },
    { shutdownGraceMs: 2_000, last: "RUN_ERROR" },
  ])("gives running answers $shutdownGraceMs ms, and refuses new ones", async ({ shutdownGraceMs, last }) => {
    const provider = await startScriptedProvider();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const half = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n`;
    provider.script(answer.bytes([half, goOn, "data: [DONE]\n\n"]));
    const relay = createRelay({ apiKey: "sk-host", baseUrl: provider.baseUrl, shutdownGraceMs });
    class HostModule {}
    Module({ imports: [RelayModule.forRoot(relay)] })(HostModule);
    const nest = await NestFactory.create<NestExpressApplication>(HostModule, { bodyParser: false, logger: false });
    await nest.init();
    const server: Server = name === "nest" ? nest.getHttpServer() : createServer(express().use(relayRouter(relay)));
    const url = await listen(server, { host: "127.0.0.1", port: 0 });
    const response = await postAgent(url, runInput());
    const closed = name === "nest" ? nest.close() : relay.close();
    // Nest calls its hooks after a turn of the event loop.
    await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(503);
    expect((await postAgent(url, runInput())).status).toBe(503);
    if (last === "RUN_FINISHED") resolve();
    expect(parseSseEvents(await response.text()).at(-1)?.type).toBe(last);
    await closed;
    server.close();
    server.closeAllConnections();
    resolve();
    await provider.close();
  });
});
