import { useState } from "react";
import type { ServiceName } from "../connections/connections.ts";
import { serviceTitles, streamingPaths } from "../connections/connections.ts";
import { useConnections } from "../connections/context.ts";
import { CopyButton } from "../design/CopyButton.tsx";
import { Segments } from "../design/Segments.tsx";
import type { ServiceCheck } from "./check-service.ts";
import { Findings } from "./Findings.tsx";
import { productionFindings } from "./production-check.ts";
import type { RelayProfile } from "./relay-profiles.ts";
import { relayProfiles } from "./relay-profiles.ts";

/** The address of one service to paste into a chat platform, and what it still lacks for that. */
export function Deployment({ name, check }: { name: ServiceName; check: ServiceCheck | undefined }) {
  const { baseUrl } = useConnections().connections[name];
  const [chosen, setChosen] = useState<RelayProfile>("contract");
  const isRelay = name === "relay" || name === "relayNest";
  const profile = isRelay ? relayProfiles.find(({ value }) => value === chosen) : undefined;
  const url = baseUrl + streamingPaths[name] + (profile?.query ?? "");
  return (
    <li className="card deployment">
      <div className="row">
        <h3>{serviceTitles[name]}</h3>
        <span className="push" />
        <CopyButton label="Copy" text={() => url} />
      </div>
      {profile && (
        <div className="stack deployment-profile">
          <Segments
            label={`Events of ${serviceTitles[name]}`}
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
