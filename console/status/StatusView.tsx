import { serviceNames } from "../connections/connections.ts";
import { Button } from "../design/Button.tsx";
import { Deployments } from "./Deployments.tsx";
import { ProviderCard } from "./ProviderCard.tsx";
import { ServiceCard } from "./ServiceCard.tsx";
import { useChecks } from "./use-checks.ts";

export function StatusView() {
  const { checks, checkNow } = useChecks();
  return (
    <div className="page">
      <div className="page-inner">
        <div className="page-head">
          <div className="stack">
            <h1>Status</h1>
            <p>Whether each service lives and can do its work, where it is, and what to give to a chat platform.</p>
          </div>
          <Button icon="retry" onClick={checkNow}>
            Check now
          </Button>
        </div>
        <section className="services" aria-label="Services">
          {serviceNames.map((name) => (
            <ServiceCard key={name} name={name} check={checks[name]} />
          ))}
        </section>
        <ProviderCard checks={checks} />
        <Deployments checks={checks} />
      </div>
    </div>
  );
}
