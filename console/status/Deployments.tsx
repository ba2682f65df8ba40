import { serviceNames } from "../connections/connections.ts";
import { Deployment } from "./Deployment.tsx";
import type { Checks } from "./use-checks.ts";

/** The addresses to paste into a chat platform, and what each still lacks for that. */
export function Deployments({ checks }: { checks: Checks }) {
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
