import type { Readiness } from "./readiness.ts";

const providerWords: Record<string, string> = {
  ok: "It takes the key.",
  unproven: "It answers. Whether it takes the key shows with the first answer.",
  checking: "It is being looked at …",
};

/** What a service says that it works with. */
export function Facts({ readiness: { provider, site } }: { readiness: Readiness }) {
  if (!provider) return null;
  const { host, models, offline, status } = provider;
  const words = offline ? "It quotes and counts, it does not think." : providerWords[status];
  return (
    <dl className="facts small">
      <div>
        <dt>Provider</dt>
        <dd>
          {offline ? "offline provider" : host}
          {words && <span className="muted fact-note">{words}</span>}
        </dd>
      </div>
      {models.chat && (
        <div>
          <dt>Model</dt>
          <dd>{models.chat}</dd>
        </div>
      )}
      {models.embeddings && (
        <div>
          <dt>Embedding model</dt>
          <dd>{models.embeddings}</dd>
        </div>
      )}
      {site && (
        <div>
          <dt>Launches</dt>
          <dd>{site.source}</dd>
        </div>
      )}
    </dl>
  );
}
