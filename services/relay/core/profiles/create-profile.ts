import type { RelayProfile } from "@agent-backends/contract";
import { AgUiProfile } from "./ag-ui-profile.ts";
import { ContractProfile } from "./contract-profile.ts";
import type { EventSink, Profile, RunIdentity } from "./profile.ts";

export function createProfile(
  name: RelayProfile,
  run: RunIdentity,
  sink: EventSink<object>,
  newId: () => string,
): Profile {
  return name === "ag-ui" ? new AgUiProfile(run, sink, newId) : new ContractProfile(run, sink);
}
