import { services } from "@agent-backends/contract/services";
import { useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import type { ServiceName } from "../connections/connections.ts";
import { CopyButton } from "../design/CopyButton.tsx";
import { Icon } from "../design/Icon.tsx";
import { Fold } from "../design/Layout.tsx";
import { Segments } from "../design/Segments.tsx";
import type { ServiceCheck } from "./check-service.ts";
import type { ProductionFinding } from "./production-check.ts";
import { findProductionGaps } from "./production-check.ts";

/** The event profiles of a relay. The URL names the profile unless it is the default. */
const relayProfiles = [
  {
    value: "contract",
    label: "Default",
    query: "",
    about: "For chat platforms that read plain events, and for AG-UI 1.0 clients, which declare what they need.",
  },
  {
    value: "ag-ui-0",
    label: "AG-UI 0.0.x",
    query: "?profile=ag-ui-0",
    about: "For CopilotKit and other clients built on @ag-ui/client 0.0.x.",
  },
  {
    value: "ag-ui",
    label: "AG-UI 1.0",
    query: "?profile=ag-ui",
    about: "For AG-UI 1.0 clients that don't declare a protocolVersion.",
  },
];

/** A service's URL for a chat platform, and what is missing before the URL can be shared. */
export function Deployment({ name, check }: { name: ServiceName; check: ServiceCheck | undefined }) {
  const { baseUrl } = useConnections().connections[name];
  const [chosen, setChosen] = useState("contract");
  const isRelay = name === "relay" || name === "relayNest";
  const profile = isRelay ? relayProfiles.find(({ value }) => value === chosen) : undefined;
  const { streamingPath, agUiPath } = services[name];
  const url = baseUrl + streamingPath + (profile?.query ?? "");
  return (
    <li className="card card-body stack">
      <div className="row">
        <h3>{services[name].title}</h3>
        <span className="push" />
        <CopyButton label="Copy" text={() => url} />
      </div>
      {profile && (
        <div className="stack deployment-profile">
          <Segments
            label={`Events of ${services[name].title}`}
            value={profile.value}
            options={relayProfiles}
            onChange={setChosen}
          />
          <p className="muted small">{profile.about}</p>
        </div>
      )}
      <code className="deployment-url">{url}</code>
      {agUiPath !== streamingPath && (
        <div className="row small">
          <span className="muted">For AG-UI clients:</span>
          <code className="deployment-url">{baseUrl + agUiPath}</code>
          <span className="push" />
          <CopyButton iconOnly label="Copy the AG-UI address" text={() => baseUrl + agUiPath} />
        </div>
      )}
      <Findings findings={findProductionGaps(baseUrl, check, location.origin)} />
    </li>
  );
}

const stateNames = { good: "fine", missing: "missing", unknown: "unknown" };

function Findings({ findings }: { findings: ProductionFinding[] }) {
  const missing = findings.filter(({ state }) => state === "missing").length;
  return (
    <Fold
      className="findings"
      summary={
        <span className={`badge ${missing > 0 ? "badge-warning" : "badge-good"}`}>
          {missing === 0 ? "Nothing missing for production" : `${missing} missing for production`}
        </span>
      }
    >
      <ul>
        {findings.map(({ about, state, text }) => (
          <li key={about} className={`finding finding-${state}`}>
            <Icon name={state === "good" ? "check" : "warning"} />
            <span>
              <strong>{about}</strong>
              <span className="visually-hidden"> ({stateNames[state]})</span> <span className="muted">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}
