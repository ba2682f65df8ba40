import { serviceNames, serviceTitles } from "../connections/connections.ts";
import { Icon } from "../design/Icon.tsx";
import { FixLines } from "./Problem.tsx";
import type { Checks } from "./use-checks.ts";

/** Says how to get real answers from services that say that the offline provider gives theirs. */
export function OfflineNotice({ checks }: { checks: Checks }) {
  const offline = serviceNames.filter((name) => checks[name]?.readiness?.provider?.offline);
  if (offline.length === 0) return null;
  return (
    <section className="card offline" aria-label="Offline provider">
      <Icon name="sparkle" />
      <div className="stack problem-text">
        <h2>The offline provider answers for {offline.map((name) => serviceTitles[name]).join(", ")}</h2>
        <p className="muted">
          It quotes and counts, it does not think. For real answers put your provider's key into .env and start again:
        </p>
        <FixLines lines="LLM_API_KEY=your-key" />
      </div>
    </section>
  );
}
