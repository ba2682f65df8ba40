import { createServer } from "node:http";
import { relayVariablesWithoutKey } from "../core/configuration.ts";
import { startRelay } from "../http/start-relay.ts";
import { createExpressApp } from "./app.ts";

await startRelay("relay-express", relayVariablesWithoutKey, (relay, front) => ({
  server: createServer(createExpressApp(relay, front)),
  close: () => relay.close(),
}));
