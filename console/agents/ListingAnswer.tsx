import type { Product } from "@agent-backends/contract";
import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage } from "../conversations/messages.ts";
import { AnswerText } from "../markdown/AnswerText.tsx";
import { SafeLink, ScrollingTable } from "../markdown/safe-components.tsx";

/** An analyst's answer: the tool call folded, the text below it. */
export function ListingAnswer({ answer }: { answer: AssistantMessage }) {
  return (
    <>
      {answer.toolCalls.map((call) => (
        <ToolCallCard key={call.id} call={call} outcome={outcomeOf(call.result)}>
          {productsOf(call.result).length > 0 && <LaunchTable products={productsOf(call.result)} />}
          {call.result !== undefined && (
            <>
              <p className="field-label">Result</p>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
              <pre className="code" tabIndex={0}>
                {JSON.stringify(call.result, null, 2)}
              </pre>
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

interface LoosePayload {
  action?: string;
  posts?: Product[];
  hits?: Product[];
  particleCount?: number;
  timeframe?: { label?: string };
  query?: string;
  /** How many launches there are in all, where the site tells. */
  total?: number;
}

const payloadOf = (result: unknown) => (typeof result === "object" && result !== null ? result : {}) as LoosePayload;

/** The launches in a tool's result. */
function productsOf(result: unknown): Product[] {
  const { posts, hits } = payloadOf(result);
  return posts ?? hits ?? [];
}

/** What came of a tool call, in a few words. */
function outcomeOf(result: unknown): string {
  if (result === undefined) return "running";
  const { action, particleCount, timeframe, query, total } = payloadOf(result);
  if (action === "CONFETTI") return `${particleCount} particles`;
  const count = productsOf(result).length;
  const isPart = total !== undefined && total > count;
  const about = timeframe?.label ?? query;
  const launches = count === 1 && !isPart ? "1 launch" : `${isPart ? `${count} of ${total}` : count} launches`;
  return about ? `${launches} · ${about}` : launches;
}
