import { Icon } from "../design/Icon.tsx";
import type { ProductionFinding } from "./production-check.ts";

const words = { good: "fine", missing: "missing", unknown: "unknown" };

export function Findings({ findings }: { findings: ProductionFinding[] }) {
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
