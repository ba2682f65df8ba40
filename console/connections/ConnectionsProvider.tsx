import type { ReactNode } from "react";
import { useMemo, useState } from "react";
import { connectionsFrom, queryOf } from "./connections.ts";
import type { ConnectionsState } from "./context.ts";
import { ConnectionsContext } from "./context.ts";
import type { Deployment } from "./deployment.ts";

/** Knows where the services are. Other addresses go into the page's own address, so that it can be shared; keys never do. */
export function ConnectionsProvider({ deployment, children }: { deployment: Deployment; children: ReactNode }) {
  const addresses = deployment.addresses ?? {};
  const [connections, setConnections] = useState(() => connectionsFrom(addresses, location.search));
  const state = useMemo<ConnectionsState>(
    () => ({
      connections,
      deployment,
      connect(name, connection) {
        const next = { ...connections, [name]: connection };
        history.replaceState(
          null,
          "",
          `${location.pathname}${queryOf(next, deployment.addresses ?? {})}${location.hash}`,
        );
        setConnections(next);
      },
    }),
    [connections, deployment],
  );
  return <ConnectionsContext value={state}>{children}</ConnectionsContext>;
}
