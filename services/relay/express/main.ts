import { createServer } from "node:http";
import { runService } from "@agent-backends/kit";
import { relayVariablesWithoutKey } from "../core/configuration.ts";
import { Relay } from "../core/relay.ts";
import { createExpressApp } from "./app.ts";

await runService({
  name: "relay-express",
  directory: import.meta.dirname,
  variables: relayVariablesWithoutKey,
  async start(configuration, logger) {
    const relay = new Relay(configuration, logger);
    return {
      server: createServer(createExpressApp(relay)),
      lifecycle: relay.lifecycle,
      routes: ["/agent", "/health", "/ready"],
      close: () => relay.close(),
    };
  },
});
