import { createContext, use } from "react";
import type { Connection, Connections, ServiceName } from "./connections.ts";
import type { Deployment } from "./deployment.ts";

export interface ConnectionsState {
  connections: Connections;
  /** The addresses before the user gave others. */
  deployment: Deployment;
  connect: (name: ServiceName, connection: Connection) => void;
}

export const ConnectionsContext = createContext<ConnectionsState | undefined>(undefined);

export function useConnections(): ConnectionsState {
  const state = use(ConnectionsContext);
  if (!state) throw new Error("useConnections needs a ConnectionsProvider around it");
  return state;
}
