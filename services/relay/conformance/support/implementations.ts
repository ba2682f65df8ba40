import type { Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { relayOperations } from "@agent-backends/contract/openapi";
import { answerUnreadable, createLogger, listen } from "@agent-backends/kit";
import { validateResponses } from "@agent-backends/testing/openapi";
import type { Router } from "express";
import type { RelayOptions } from "../../core/options.ts";
import { Relay } from "../../core/relay.ts";
import { createExpressApp } from "../../express/app.ts";
import { answerHalfClosed } from "../../http/half-closed.ts";
import { createNestApp } from "../../nest/app.ts";

const front = { version: "0.0.0-test" };

/** The two servers that must behave identically. */
const implementations = {
  async express(relay: Relay): Promise<{ server: Server; router: Router }> {
    const app = createExpressApp(relay, front);
    return { server: createServer(app), router: app.router };
  },
  async nest(relay: Relay): Promise<{ server: Server; router: Router }> {
    const app = await createNestApp(relay, front);
    return { server: app.getHttpServer(), router: app.getHttpAdapter().getInstance().router };
  },
};

export type Implementation = keyof typeof implementations;
export const implementationNames = Object.keys(implementations) as Implementation[];

export interface RunningRelay {
  readonly url: string;
  readonly relay: Relay;
  /** The paths of the framework's routes. */
  readonly paths: readonly string[];
  /** Parsed lines of the log. */
  readonly log: Record<string, unknown>[];
  /** The number of requests whose responses aren't closed yet. */
  running(): number;
  close(): Promise<void>;
}

const withRuns = relayOperations(true);
const withoutRuns = relayOperations(false);

/** Starts one implementation on a free port. Responses that tests read must match its OpenAPI document. */
export async function startRelay(implementation: Implementation, options: RelayOptions): Promise<RunningRelay> {
  const log: Record<string, unknown>[] = [];
  const logger = createLogger(`relay-${implementation}`, "info", {
    write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>),
  });
  const relay = new Relay({ apiKey: "sk-test-key-of-the-relay", logger, ...options });
  const { server: made, router } = await implementations[implementation](relay);
  const server = answerHalfClosed(made);
  relay.lifecycle.attach(server);
  answerUnreadable(server, logger);
  let running = 0;
  server.on("request", (_request, response: ServerResponse) => {
    running += 1;
    response.once("close", () => {
      running -= 1;
    });
  });
  const url = await listen(server, { host: "127.0.0.1", port: 0 });
  const endJudgement = await validateResponses(relay.runs ? withRuns : withoutRuns, url);
  return {
    url,
    relay,
    paths: listPaths(router),
    log,
    running: () => running,
    async close() {
      endJudgement();
      server.close();
      server.closeAllConnections();
      await relay.close();
    },
  };
}

function listPaths(router: Router): string[] {
  return router.stack.flatMap(({ route, handle }) => {
    if (route) return route.path;
    return "stack" in handle ? listPaths(handle as unknown as Router) : [];
  });
}
