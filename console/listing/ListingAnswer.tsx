import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage } from "../conversations/messages.ts";
import { AnswerText } from "../markdown/AnswerText.tsx";
import { LaunchTable } from "./LaunchTable.tsx";
import { outcomeOf, productsOf } from "./payload.ts";

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
