import type { Product } from "@agent-backends/client";
import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage } from "../conversations/messages.ts";
import { formatCount } from "../design/format.ts";
import { Code } from "../design/Layout.tsx";
import { AnswerText } from "../markdown/AnswerText.tsx";
import { SafeLink, ScrollingTable } from "../markdown/safe-components.tsx";

/** An analyst's answer: its tool calls with the launches they found, and its text. */
export function ListingAnswer({ answer }: { answer: AssistantMessage }) {
  return (
    <>
      {answer.toolCalls.map((call) => (
        <ToolCallCard key={call.id} call={call} outcome={formatOutcome(call.result)}>
          {getProducts(call.result).length > 0 && <LaunchTable products={getProducts(call.result)} />}
          {call.result !== undefined && (
            <>
              <p className="field-label">Result</p>
              <Code>{JSON.stringify(call.result, null, 2)}</Code>
            </>
          )}
        </ToolCallCard>
      ))}
      {answer.text && <AnswerText text={answer.text} />}
    </>
  );
}

function LaunchTable({ products }: { products: readonly Product[] }) {
  return (
    <ScrollingTable label="Launches">
      <thead>
        <tr>
          <th className="number">#</th>
          <th>Launch</th>
          <th className="topics">Topics</th>
          <th className="number">Votes</th>
        </tr>
      </thead>
      <tbody>
        {products.map((product, index) => (
          <tr key={product.id}>
            <td className="number">{index + 1}</td>
            <td>
              <SafeLink href={product.url}>{product.name}</SafeLink>
              <div className="muted">{product.tagline}</div>
            </td>
            <td className="topics">{product.topics?.join(", ")}</td>
            <td className="number">{product.votesCount?.toLocaleString("en") ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </ScrollingTable>
  );
}

/** The displayed fields of all actions' payloads. */
interface Payload {
  action?: string;
  posts?: Product[];
  hits?: Product[];
  particleCount?: number;
  timeframe?: { label?: string };
  query?: string;
  /** Total number of launches, if the site reports it. */
  total?: number;
}

const toPayload = (result: unknown) => (typeof result === "object" && result !== null ? result : {}) as Payload;

function getProducts(result: unknown): Product[] {
  const { posts, hits } = toPayload(result);
  return posts ?? hits ?? [];
}

/** A tool call's outcome in a few words: "5 of 120 launches · last week". */
function formatOutcome(result: unknown): string {
  if (result === undefined) return "running";
  const { action, particleCount, timeframe, query, total = 0 } = toPayload(result);
  if (action === "CONFETTI") return `${particleCount} particles`;
  const { length } = getProducts(result);
  const launches = total > length ? `${length} of ${total} launches` : formatCount(length, "launch", "launches");
  const about = timeframe?.label ?? query;
  return about ? `${launches} · ${about}` : launches;
}
