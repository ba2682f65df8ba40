import { relayVariables } from "../core/configuration.ts";
import { startRelay } from "../http/start-relay.ts";

await startRelay("relay-nest", relayVariables, async (relay, front) => {
  const { createNestApp } = await import("./app.ts");
  const app = await createNestApp(relay, front);
  return { server: app.getHttpServer(), close: () => app.close() };
});
