import type { ReactNode } from "react";
import { useMemo, useState } from "react";
import { confirmAddresses, readConfirmed } from "./confirmed-addresses.ts";
import type { Connections } from "./connections.ts";
import { connectionsFrom, findForeign, queryOf } from "./connections.ts";
import type { ConnectionsState } from "./context.ts";
import { ConnectionsContext } from "./context.ts";
import type { Deployment } from "./deployment.ts";
import { ForeignAddresses } from "./ForeignAddresses.tsx";

/** Knows where the services are. Other addresses go into the page's own address, so that it can be shared; keys never do. */
export function ConnectionsProvider({ deployment, children }: { deployment: Deployment; children: ReactNode }) {
  const addresses = deployment.addresses ?? {};
  const [connections, setConnections] = useState(() => connectionsFrom(addresses, location.search));
  const [foreign, setForeign] = useState(() =>
    findForeign(connections, { pageHost: location.hostname, addresses, confirmed: readConfirmed() }),
  );
  const state = useMemo<ConnectionsState>(
    () => ({
      connections,
      deployment,
      connect(name, connection) {
        const next = { ...connections, [name]: connection };
        confirmAddresses([connection.baseUrl]);
        writeQuery(next, deployment);
        setConnections(next);
      },
    }),
    [connections, deployment],
  );
  if (foreign.length > 0) {
    return (
      <ForeignAddresses
        connections={connections}
        names={foreign}
        onAccept={() => {
          confirmAddresses(foreign.map((name) => connections[name].baseUrl));
          setForeign([]);
        }}
        onDecline={() => {
          const own = connectionsFrom(addresses, "");
          const next = { ...connections, ...Object.fromEntries(foreign.map((name) => [name, own[name]])) };
          writeQuery(next, deployment);
          setConnections(next);
          setForeign([]);
        }}
      />
    );
  }
  return <ConnectionsContext value={state}>{children}</ConnectionsContext>;
}

function writeQuery(connections: Connections, { addresses = {} }: Deployment): void {
  history.replaceState(null, "", `${location.pathname}${queryOf(connections, addresses)}${location.hash}`);
}
