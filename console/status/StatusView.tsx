import { serviceNames } from "../connections/connections.ts";
import { useConnections } from "../connections/context.ts";
import { Button } from "../design/Button.tsx";
import { Deployments } from "./Deployments.tsx";
import { OfflineNotice } from "./OfflineNotice.tsx";
import { ServiceCard } from "./ServiceCard.tsx";
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
