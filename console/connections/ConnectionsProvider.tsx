import { services } from "@agent-backends/contract/services";
import type { ReactNode } from "react";
import { createContext, use, useMemo, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import type { Connection, Connections, Deployment, ServiceName } from "./connections.ts";
import { connectionsFrom, findForeign, queryOf } from "./connections.ts";

interface ConnectionsState {
  connections: Connections;
  /** The addresses before the user gave others. */
  deployment: Deployment;
  connect: (name: ServiceName, connection: Connection) => void;
}

const ConnectionsContext = createContext<ConnectionsState | undefined>(undefined);

export function useConnections(): ConnectionsState {
  const state = use(ConnectionsContext);
  if (!state) throw new Error("useConnections needs a ConnectionsProvider around it");
  return state;
}

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

/** Asks before the page of a link sends anything to hosts that the link has chosen. */
function ForeignAddresses({
  connections,
  names,
  onAccept,
  onDecline,
}: {
  connections: Connections;
  names: readonly ServiceName[];
  onAccept: () => void;
  onDecline: () => void;
}) {
  return (
    <Dialog title="Connect to other hosts?" onClose={onDecline}>
      <div className="stack">
        <p>This link sends what you ask and upload to:</p>
        <ul>
          {names.map((name) => (
            <li key={name}>
              {services[name].title}: <strong>{connections[name].baseUrl}</strong>
            </li>
          ))}
        </ul>
        <p>Connect only if you trust whoever runs these hosts.</p>
        <div className="row">
          <Button look="primary" onClick={onDecline}>
            Stay with my services
          </Button>
          <Button onClick={onAccept}>Connect</Button>
        </div>
      </div>
    </Dialog>
  );
}

const storageKey = "confirmed-addresses";
const maxConfirmed = 50;

/** The base URLs that the user has chosen or confirmed in this browser, newest last. */
function readConfirmed(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((address) => typeof address === "string") : [];
  } catch {
    // Without storage, or with something else in it, the user is asked again.
    return [];
  }
}

function confirmAddresses(addresses: readonly string[]): void {
  const all = [...new Set([...readConfirmed(), ...addresses])].slice(-maxConfirmed);
  try {
    localStorage.setItem(storageKey, JSON.stringify(all));
  } catch {
    // A browser that stores nothing asks again on the next visit.
  }
}
