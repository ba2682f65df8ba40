import type { Readiness } from "@agent-backends/client";
import { services } from "@agent-backends/contract/services";
import { useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import type { ServiceName } from "../connections/connections.ts";
import { Button } from "../design/Button.tsx";
import { CopyButton } from "../design/CopyButton.tsx";
import { formatMs } from "../design/format.ts";
import { Icon } from "../design/Icon.tsx";
import { ConnectionDialog } from "./ConnectionDialog.tsx";
import type { ServiceCheck, ServiceProblem, ServiceState } from "./check-service.ts";

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

/** A service's state, its problems with fixes, and its dependencies. */
export function ServiceCard({ name, check }: { name: ServiceName; check: ServiceCheck | undefined }) {
  const { connections } = useConnections();
  const [isEditing, setIsEditing] = useState(false);
  const { baseUrl, key } = connections[name];
  const badge = check ? badges[check.state] : { text: "Checking", look: "" };
  return (
    <article className="card card-body service" aria-label={services[name].title}>
      <div className="row">
        <h2>{services[name].title}</h2>
        <span className={`badge push ${badge.look}`}>{badge.text}</span>
      </div>
      <p className="mono service-address">{baseUrl}</p>
      {check?.problems.map((problem) => (
        <Problem key={problem.text} problem={problem} />
      ))}
      {check?.readiness && <Facts readiness={check.readiness} />}
      {!check && <span className="skeleton skeleton-short" />}
      <div className="row service-foot">
        <span className="muted small">
          {check?.latencyMs !== undefined && `answered in ${formatMs(check.latencyMs)}`}
          {key && " · with a key"}
        </span>
        <Button className="push" small onClick={() => setIsEditing(true)}>
          Change<span className="visually-hidden"> address of {services[name].title}</span>
        </Button>
      </div>
      {isEditing && <ConnectionDialog name={name} onClose={() => setIsEditing(false)} />}
    </article>
  );
}

const places: Record<NonNullable<ServiceProblem["place"]>, string> = {
  address: "Address",
  service: "Service",
  configuration: "The service's settings",
  network: "Network",
  provider: "Provider",
};

function Problem({ problem: { text, place, fix } }: { problem: ServiceProblem }) {
  return (
    <div className="notice problem">
      <Icon name="warning" />
      <div className="stack problem-text">
        {place && <strong>{places[place]}</strong>}
        <span>{text}</span>
        {fix !== undefined && <FixLines lines={fix} />}
      </div>
    </div>
  );
}

/** Lines for `.env` or the shell, with a copy button. */
export function FixLines({ lines }: { lines: string }) {
  return (
    <span className="row nowrap fix">
      <code>{lines}</code>
      <CopyButton iconOnly label={`Copy ${lines.split("=", 1)[0]}`} text={() => lines} />
    </span>
  );
}

const providerNotes: Record<string, string> = {
  ok: "It accepts the key.",
  unproven: "It is reachable. The first answer shows whether it accepts the key.",
  checking: "Checking …",
};

/** The dependencies that the service reports. */
function Facts({ readiness: { provider, site } }: { readiness: Readiness }) {
  if (!provider) return null;
  const { host, models, offline, status, fallbacks = [] } = provider;
  const note = offline ? "It uses no model: it only quotes and counts." : providerNotes[status];
  const facts = [
    { name: "Provider", value: offline ? "offline provider" : host, note },
    { name: "Model", value: models.chat },
    ...fallbacks.map((fallback) => ({
      name: "Further provider",
      value: `${fallback.host} ${fallback.models.chat}`,
      note:
        fallback.circuit === "closed"
          ? providerNotes[fallback.status]
          : "It failed several times, so it isn't used for now.",
    })),
    { name: "Embedding model", value: models.embeddings },
    { name: "Launches", value: site?.source },
  ];
  return (
    <dl className="facts small">
      {facts.map(
        ({ name, value, note }) =>
          value && (
            <div key={name + value}>
              <dt>{name}</dt>
              <dd>
                {value}
                {note && <span className="muted fact-note">{note}</span>}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
