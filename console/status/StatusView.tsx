import { services } from "@agent-backends/contract/services";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { buildQuery, serviceNames } from "../connections/connections.ts";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { Page } from "../design/Layout.tsx";
import { Deployment } from "./Deployment.tsx";
import { FixLines, ServiceCard } from "./ServiceCard.tsx";
import type { Checks } from "./use-checks.ts";
import { useChecks } from "./use-checks.ts";

export function StatusView() {
  const { version } = useConnections().deployment;
  const { checks, checkNow } = useChecks();
  return (
    <Page
      title="Status"
      about={
        <>
          Whether each service is ready, which provider it uses, and the URL to give to a chat platform.
          {version && ` Version ${version}.`}
        </>
      }
      action={
        <Button icon="retry" onClick={checkNow}>
          Check now
        </Button>
      }
    >
      <OtherAddresses />
      <OfflineNotice checks={checks} />
      <section className="services" aria-label="Services">
        {serviceNames.map((name) => (
          <ServiceCard key={name} name={name} check={checks[name]} />
        ))}
      </section>
      <section className="stack" aria-label="Deployment URLs">
        <h2>Deployment URLs</h2>
        <ul className="deployments">
          {serviceNames.map((name) => (
            <Deployment key={name} name={name} check={checks[name]} />
          ))}
        </ul>
      </section>
    </Page>
  );
}

/** Explains where addresses are kept that differ from those of this page's server. */
function OtherAddresses() {
  const { connections, deployment } = useConnections();
  if (buildQuery(connections, deployment.addresses ?? {}) === "") return null;
  return (
    <p className="muted">
      Some of these addresses were changed. They are kept in the address of this page only, so bookmark it to keep them.{" "}
      <a href={`${location.pathname}#/status`}>Use this server's own</a>
    </p>
  );
}

/** Explains how to replace the offline provider, if any service uses it. */
function OfflineNotice({ checks }: { checks: Checks }) {
  const offline = serviceNames.filter((name) => checks[name]?.readiness?.provider?.offline);
  if (offline.length === 0) return null;
  return (
    <section className="card offline" aria-label="Offline provider">
      <Icon name="sparkle" />
      <div className="stack problem-text">
        <h2>The offline provider answers for {offline.map((name) => services[name].title).join(", ")}</h2>
        <p className="muted">
          It uses no model: it only quotes and counts. For real answers, put your provider's key into .env and restart:
        </p>
        <FixLines lines="LLM_API_KEY=your-key" />
      </div>
    </section>
  );
}
