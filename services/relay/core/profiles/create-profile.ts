import type { RelayProfile } from "@agent-backends/contract";
import { agUi0, agUi1 } from "./ag-ui-dialects.ts";
import { AgUiProfile } from "./ag-ui-profile.ts";
import { ContractProfile } from "./contract-profile.ts";
import type { EventSink, Profile, RunIdentity } from "./profile.ts";

export function createProfile(
  name: RelayProfile,
  run: RunIdentity,
  sink: EventSink<object>,
  newId: () => string,
): Profile {
  if (name === "contract") return new ContractProfile(run, sink);
  return new AgUiProfile(run, name === "ag-ui" ? agUi1 : agUi0, sink, newId);
}
