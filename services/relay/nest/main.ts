import { runService } from "@agent-backends/kit";
import { relayVariables } from "../core/configuration.ts";
import { Relay } from "../core/relay.ts";
import { createNestApp } from "./app.ts";

await runService({
  name: "relay-nest",
  directory: import.meta.dirname,
  variables: relayVariables,
  async start(configuration, logger) {
    const relay = new Relay(configuration, logger);
    const app = await createNestApp(relay);
    return {
      server: app.getHttpServer(),
      lifecycle: relay.lifecycle,
      routes: ["/agent", "/health", "/ready"],
      close: () => app.close(),
    };
  },
});
