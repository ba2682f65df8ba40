import type { Server } from "node:http";
import { join } from "node:path";
import { services } from "@agent-backends/contract/services";
import { readVersion, runService } from "@agent-backends/kit";
import { apiDocsPaths } from "@agent-backends/kit/api-docs";
import type { relayVariables, relayVariablesWithoutKey } from "../core/configuration.ts";
import { avoidMarkingPauses, toRelayOptions } from "../core/configuration.ts";
import { Relay } from "../core/relay.ts";
import type { Front } from "./front.ts";
import { answerHalfClosed } from "./half-closed.ts";
import { relayRoutes } from "./routes.ts";

/** The application of an implementation. Closing it closes its relay. */
interface App {
  server: Server;
  close(): Promise<void>;
}

/** Runs the relay as a service. `createApp` puts an implementation's framework in front of it. */
export function startRelay(
  name: string,
  variables: typeof relayVariables | typeof relayVariablesWithoutKey,
  createApp: (relay: Relay, front: Front) => App | Promise<App>,
): Promise<void> {
  return runService({
    name,
    countsAs: services.relay.name,
    directory: import.meta.dirname,
    variables,
    async start(configuration, logger, _observability, guard, egress) {
      avoidMarkingPauses(configuration);
      const relay = new Relay(toRelayOptions(configuration, logger, egress));
      const version = readVersion(join(import.meta.dirname, ".."));
      const { server, close } = await createApp(relay, { guard, corsOrigins: configuration.CORS_ORIGINS, version });
      return {
        server: answerHalfClosed(server),
        lifecycle: relay.lifecycle,
        routes: [...relayRoutes(), ...apiDocsPaths],
        readings: relay.readings(),
        close,
      };
    },
  });
}
