import { relayVariables } from "../core/configuration.ts";
import { startRelay } from "../http/start-relay.ts";
import { createNestApp } from "./app.ts";

await startRelay("relay-nest", relayVariables, async (relay, front) => {
  const app = await createNestApp(relay, front);
  return { server: app.getHttpServer(), close: () => app.close() };
});
