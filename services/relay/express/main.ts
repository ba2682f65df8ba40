import { createServer } from "node:http";
import { join } from "node:path";
import { services } from "@agent-backends/contract/services";
import { readVersion, runService } from "@agent-backends/kit";
import { apiDocsPaths } from "@agent-backends/kit/api-docs";
import { avoidMarkingPauses, relayVariablesWithoutKey, toRelayOptions } from "../core/configuration.ts";
import { Relay } from "../core/relay.ts";
import { answerHalfClosed } from "../http/half-closed.ts";
import { createExpressApp } from "./app.ts";

await runService({
  name: "relay-express",
  countsAs: services.relay.name,
  directory: import.meta.dirname,
  variables: relayVariablesWithoutKey,
  async start(configuration, logger, _observability, guard, egress) {
    avoidMarkingPauses(configuration);
    const relay = new Relay(toRelayOptions(configuration, logger, egress));
    const app = createExpressApp(relay, {
      guard,
      corsOrigins: configuration.CORS_ORIGINS,
      version: readVersion(join(import.meta.dirname, "..")),
    });
    return {
      server: answerHalfClosed(createServer(app)),
      lifecycle: relay.lifecycle,
      routes: ["/agent", "/agent/capabilities", "/agent/runs/:runId", "/health", "/ready", ...apiDocsPaths],
      readings: relay.readings(),
      close: () => relay.close(),
    };
  },
});
