import { services } from "@agent-backends/contract/services";
import { useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import type { ServiceName } from "../connections/connections.ts";
import { CopyButton } from "../design/CopyButton.tsx";
import { Icon } from "../design/Icon.tsx";
import { Segments } from "../design/Segments.tsx";
import type { ServiceCheck } from "./check-service.ts";
import type { ProductionFinding } from "./production-check.ts";
import { productionFindings } from "./production-check.ts";

/** The address of one service to paste into a chat platform, and what it still lacks for that. */
export function Deployment({ name, check }: { name: ServiceName; check: ServiceCheck | undefined }) {
  const { baseUrl } = useConnections().connections[name];
  const [chosen, setChosen] = useState<RelayProfile>("contract");
  const isRelay = name === "relay" || name === "relayNest";
  const profile = isRelay ? relayProfiles.find(({ value }) => value === chosen) : undefined;
  const url = baseUrl + services[name].streamingPath + (profile?.query ?? "");
  return (
    <li className="card deployment">
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
      <Findings findings={productionFindings(baseUrl, check, location.origin)} />
    </li>
  );
}

const words = { good: "fine", missing: "missing", unknown: "unknown" };

function Findings({ findings }: { findings: ProductionFinding[] }) {
  const missing = findings.filter(({ state }) => state === "missing").length;
  return (
    <details className="fold findings">
      <summary>
        <span className={`badge ${missing > 0 ? "badge-warning" : "badge-good"}`}>
          {missing === 0 ? "Nothing missing for production" : `${missing} missing for production`}
        </span>
        <Icon name="chevron" className="chevron" />
      </summary>
      <ul>
        {findings.map(({ about, state, text }) => (
          <li key={about} className={`finding finding-${state}`}>
            <Icon name={state === "good" ? "check" : "warning"} />
            <span>
              <strong>{about}</strong>
              <span className="visually-hidden"> ({words[state]})</span> <span className="muted">{text}</span>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

type RelayProfile = "contract" | "ag-ui-0" | "ag-ui";

/** The forms in which a relay's events come, and for whom each is. The address names any but the default. */
const relayProfiles: { value: RelayProfile; label: string; query: string; about: string }[] = [
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
