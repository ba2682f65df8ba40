import { join } from "node:path";
import { services } from "@agent-backends/contract/services";
import { readVersion, runService } from "@agent-backends/kit";
import { apiDocsPaths } from "@agent-backends/kit/api-docs";
import { avoidMarkingPauses, relayVariables, toRelayOptions } from "../core/configuration.ts";
import { Relay } from "../core/relay.ts";
import { answerHalfClosed } from "../http/half-closed.ts";
import { createNestApp } from "./app.ts";

await runService({
  name: "relay-nest",
  countsAs: services.relay.name,
  directory: import.meta.dirname,
  variables: relayVariables,
  async start(configuration, logger, _observability, guard, egress) {
    avoidMarkingPauses(configuration);
    const relay = new Relay(toRelayOptions(configuration, logger, egress));
    const app = await createNestApp(relay, {
      guard,
      corsOrigins: configuration.CORS_ORIGINS,
      version: readVersion(join(import.meta.dirname, "..")),
    });
    return {
      server: answerHalfClosed(app.getHttpServer()),
      lifecycle: relay.lifecycle,
      routes: ["/agent", "/agent/capabilities", "/agent/runs/:runId", "/health", "/ready", ...apiDocsPaths],
      readings: relay.readings(),
      close: () => app.close(),
    };
  },
});
