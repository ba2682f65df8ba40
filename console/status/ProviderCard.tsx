import { useConnections } from "../connections/context.ts";
import { Icon } from "../design/Icon.tsx";
import type { Checks } from "./use-checks.ts";

/** Which provider and models answer. What services say of themselves goes before what the page was started with. */
export function ProviderCard({ checks }: { checks: Checks }) {
  const { deployment } = useConnections();
  const { provider, models = [], sampleSite, version } = deployment;
  const listingModel = checks.listing?.facts.model;
  const embeddingModel = checks.knowledge?.facts.embedding_model;
  const said: Record<string, unknown> = { Listing: listingModel, "Knowledge, embeddings": embeddingModel };
  const rows =
    models.length > 0
      ? models
      : [
          { label: "Listing", model: "" },
          { label: "Knowledge, embeddings", model: "" },
        ];
  return (
    <section className="card provider" aria-label="Provider">
      <div className="row">
        <Icon name="sparkle" />
        <h2>{provider?.offline ? "The offline provider answers" : "Provider and models"}</h2>
      </div>
      <p className="muted">
        {provider === undefined
          ? "This page was not started with the services, so it knows of the provider only what they say."
          : provider.offline
            ? "It quotes and counts, it does not think. For real answers set LLM_API_KEY in .env and start again."
            : `Requests go to ${provider.address}.`}
        {sampleSite && " The launches are sample data."}
      </p>
      <dl className="facts">
        {rows.map(({ label, model }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{String(said[label] ?? (model || "not told"))}</dd>
          </div>
        ))}
        {version && (
          <div>
            <dt>Version</dt>
            <dd>{version}</dd>
          </div>
        )}
      </dl>
    </section>
  );
}
