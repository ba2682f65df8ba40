import { serviceNames, serviceTitles, streamingPaths } from "../connections/connections.ts";
import { useConnections } from "../connections/context.ts";
import { CopyButton } from "../design/CopyButton.tsx";
import { Findings } from "./Findings.tsx";
import { productionFindings } from "./production-check.ts";
import type { Checks } from "./use-checks.ts";

/** The addresses to paste into a chat platform, and what each still lacks for that. */
export function Deployments({ checks }: { checks: Checks }) {
  const { connections } = useConnections();
  return (
    <section className="stack" aria-label="Deployment URLs">
      <h2>Deployment URLs</h2>
      <ul className="deployments">
        {serviceNames.map((name) => {
          const { baseUrl } = connections[name];
          const url = baseUrl + streamingPaths[name];
          const findings = productionFindings(baseUrl, checks[name], location.origin);
          return (
            <li key={name} className="card deployment">
              <div className="row">
                <h3>{serviceTitles[name]}</h3>
                <span className="push" />
                <CopyButton label="Copy" text={() => url} />
              </div>
              <code className="deployment-url">{url}</code>
              <Findings findings={findings} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
