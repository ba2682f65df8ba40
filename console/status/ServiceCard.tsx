import { useState } from "react";
import type { ServiceName } from "../connections/connections.ts";
import { serviceTitles } from "../connections/connections.ts";
import { useConnections } from "../connections/context.ts";
import { Button } from "../design/Button.tsx";
import { milliseconds } from "../wire/format.ts";
import { ConnectionDialog } from "./ConnectionDialog.tsx";
import type { ServiceCheck, ServiceState } from "./check-service.ts";
import { Facts } from "./Facts.tsx";
import { Problem } from "./Problem.tsx";

const badges: Record<ServiceState, { text: string; look: string }> = {
  ready: { text: "Ready", look: "badge-good" },
  degraded: { text: "Degraded", look: "badge-warning" },
  "not-ready": { text: "Not ready", look: "badge-warning" },
  "key-needed": { text: "Key needed", look: "badge-warning" },
  "key-refused": { text: "Key refused", look: "badge-danger" },
  blocked: { text: "Blocked", look: "badge-warning" },
  "wrong-service": { text: "Another service", look: "badge-danger" },
  foreign: { text: "Wrong address", look: "badge-danger" },
  down: { text: "Down", look: "badge-danger" },
};

export function ServiceCard({ name, check }: { name: ServiceName; check: ServiceCheck | undefined }) {
  const { connections } = useConnections();
  const [editing, setEditing] = useState(false);
  const { baseUrl, key } = connections[name];
  const badge = check ? badges[check.state] : { text: "Checking", look: "" };
  return (
    <article className="card service" aria-label={serviceTitles[name]}>
      <div className="row">
        <h2>{serviceTitles[name]}</h2>
        <span className={`badge push ${badge.look}`}>{badge.text}</span>
      </div>
      <p className="mono service-address">{baseUrl}</p>
      {check?.problems.map((problem) => (
        <Problem key={problem.text} problem={problem} />
      ))}
      {check ? check.readiness && <Facts readiness={check.readiness} /> : <span className="skeleton skeleton-short" />}
      <div className="row service-foot">
        <span className="muted small">
          {check?.latencyMs !== undefined && `answered in ${milliseconds(check.latencyMs)}`}
          {key && " · with a key"}
        </span>
        <Button className="push" small onClick={() => setEditing(true)}>
          Change<span className="visually-hidden"> address of {serviceTitles[name]}</span>
        </Button>
      </div>
      {editing && <ConnectionDialog name={name} onClose={() => setEditing(false)} />}
    </article>
  );
}
