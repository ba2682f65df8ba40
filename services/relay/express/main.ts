import { createServer } from "node:http";
import { relayVariablesWithoutKey } from "../core/configuration.ts";
import { startRelay } from "../http/start-relay.ts";

await startRelay("relay-express", relayVariablesWithoutKey, async (relay, front) => {
  const { createExpressApp } = await import("./app.ts");
  return { server: createServer(createExpressApp(relay, front)), close: () => relay.close() };
});
