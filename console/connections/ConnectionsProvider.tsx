import { services } from "@agent-backends/contract/services";
import type { ReactNode } from "react";
import { createContext, use, useMemo, useState } from "react";
import { browserStorage } from "../browser-storage.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { parseJson } from "../json.ts";
import type { Connections, Deployment } from "./connections.ts";
import { buildConnections, buildQuery, findUntrusted } from "./connections.ts";

interface ConnectionsState {
  connections: Connections;
  /** The addresses before any change by the user. */
  deployment: Deployment;
  connect: (changed: Partial<Connections>) => void;
}

const ConnectionsContext = createContext<ConnectionsState | undefined>(undefined);

export function useConnections(): ConnectionsState {
  const state = use(ConnectionsContext);
  if (!state) throw new Error("useConnections needs a ConnectionsProvider around it");
  return state;
}

/** Holds the connections. Changed addresses are added to the page's address, so that it can be shared; keys never are. */
export function ConnectionsProvider({ deployment, children }: { deployment: Deployment; children: ReactNode }) {
  const addresses = deployment.addresses ?? {};
  const [connections, setConnections] = useState(() => buildConnections(addresses, location.search));
  const [untrusted, setUntrusted] = useState(() =>
    findUntrusted(connections, { pageHost: location.hostname, addresses, confirmed: readConfirmed() }),
  );
  const change = (changed: Partial<Connections>) => {
    const next = { ...connections, ...changed };
    history.replaceState(null, "", `${location.pathname}${buildQuery(next, addresses)}${location.hash}`);
    setConnections(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `change` depends on nothing else
  const state = useMemo<ConnectionsState>(
    () => ({
      connections,
      deployment,
      connect(changed) {
        confirmAddresses(Object.values(changed).map(({ baseUrl }) => baseUrl));
        change(changed);
      },
    }),
    [connections, deployment],
  );
  if (untrusted.length === 0) return <ConnectionsContext value={state}>{children}</ConnectionsContext>;

  const decline = () => {
    const own = buildConnections(addresses, "");
    change(Object.fromEntries(untrusted.map((name) => [name, own[name]])));
    setUntrusted([]);
  };
  const accept = () => {
    confirmAddresses(untrusted.map((name) => connections[name].baseUrl));
    setUntrusted([]);
  };
  return (
    <Dialog title="Connect to other hosts?" onClose={decline}>
      <div className="stack">
        <p>This link sends your questions and uploads to:</p>
        <ul>
          {untrusted.map((name) => (
            <li key={name}>
              {services[name].title}: <strong>{connections[name].baseUrl}</strong>
            </li>
          ))}
        </ul>
        <p>Connect only if you trust the operators of these hosts.</p>
        <div className="row">
          <Button look="primary" onClick={decline}>
            Stay with my services
          </Button>
          <Button onClick={accept}>Connect</Button>
        </div>
      </div>
    </Dialog>
  );
}

const storageKey = "confirmed-addresses";
const maxConfirmedAddresses = 50;

/** The base URLs that the user has entered or confirmed in this browser, newest last. */
function readConfirmed(): string[] {
  const stored = parseJson(browserStorage.read(storageKey) ?? "[]");
  return Array.isArray(stored) ? stored.filter((address) => typeof address === "string") : [];
}

function confirmAddresses(addresses: readonly string[]): void {
  const all = [...new Set([...readConfirmed(), ...addresses])].slice(-maxConfirmedAddresses);
  // Without storage, the user is asked again on each visit.
  browserStorage.write(storageKey, JSON.stringify(all));
}
