import { services } from "@agent-backends/contract/services";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { serviceNames } from "../connections/connections.ts";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { Deployment } from "./Deployment.tsx";
import { FixLines, ServiceCard } from "./ServiceCard.tsx";
import type { Checks } from "./use-checks.ts";
import { useChecks } from "./use-checks.ts";

export function StatusView() {
  const { deployment } = useConnections();
  const { checks, checkNow } = useChecks();
  return (
    <div className="page">
      <div className="page-inner">
        <div className="page-head">
          <div className="stack">
            <h1>Status</h1>
            <p>
              What each service says of itself: whether it can do its work, and with which provider. And what to give to
              a chat platform.
              {deployment.version && ` Version ${deployment.version}.`}
            </p>
          </div>
          <Button icon="retry" onClick={checkNow}>
            Check now
          </Button>
        </div>
        <OfflineNotice checks={checks} />
        <section className="services" aria-label="Services">
          {serviceNames.map((name) => (
            <ServiceCard key={name} name={name} check={checks[name]} />
          ))}
        </section>
        <Deployments checks={checks} />
      </div>
    </div>
  );
}

/** The addresses to paste into a chat platform, and what each still lacks for that. */
function Deployments({ checks }: { checks: Checks }) {
  return (
    <section className="stack" aria-label="Deployment URLs">
      <h2>Deployment URLs</h2>
      <ul className="deployments">
        {serviceNames.map((name) => (
          <Deployment key={name} name={name} check={checks[name]} />
        ))}
      </ul>
    </section>
  );
}

/** Says how to get real answers from services that say that the offline provider gives theirs. */
function OfflineNotice({ checks }: { checks: Checks }) {
  const offline = serviceNames.filter((name) => checks[name]?.readiness?.provider?.offline);
  if (offline.length === 0) return null;
  return (
    <section className="card offline" aria-label="Offline provider">
      <Icon name="sparkle" />
      <div className="stack problem-text">
        <h2>The offline provider answers for {offline.map((name) => services[name].title).join(", ")}</h2>
        <p className="muted">
          It quotes and counts, it does not think. For real answers put your provider's key into .env and start again:
        </p>
        <FixLines lines="LLM_API_KEY=your-key" />
      </div>
    </section>
  );
}
