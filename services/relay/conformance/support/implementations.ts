import type { Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { answerUnreadable, createLogger, listen } from "@agent-backends/kit";
import type { RelayOptions } from "../../core/options.ts";
import { Relay } from "../../core/relay.ts";
import { createExpressApp } from "../../express/app.ts";
import { answerHalfClosed } from "../../http/half-closed.ts";
import { createNestApp } from "../../nest/app.ts";

/** The two servers that must behave the same. */
const implementations = {
  async express(relay: Relay): Promise<Server> {
    return createServer(createExpressApp(relay));
  },
  async nest(relay: Relay): Promise<Server> {
    return (await createNestApp(relay)).getHttpServer();
  },
};

export type Implementation = keyof typeof implementations;
export const implementationNames = Object.keys(implementations) as Implementation[];

export interface RunningRelay {
  readonly url: string;
  readonly relay: Relay;
  /** The lines of its log, as objects. */
  readonly log: Record<string, unknown>[];
  /** The number of requests whose responses aren't closed yet. */
  running(): number;
  close(): Promise<void>;
}

/** Starts one implementation on a free port. */
export async function startRelay(implementation: Implementation, options: RelayOptions): Promise<RunningRelay> {
  const log: Record<string, unknown>[] = [];
  const logger = createLogger(`relay-${implementation}`, "info", {
    write: (line: string) => void log.push(JSON.parse(line) as Record<string, unknown>),
  });
  const relay = new Relay({ apiKey: "sk-test-key-of-the-relay", logger, ...options });
  const server = answerHalfClosed(await implementations[implementation](relay));
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
  return {
    url,
    relay,
    log,
    running: () => running,
    async close() {
      server.close();
      server.closeAllConnections();
      await relay.close();
    },
  };
}
