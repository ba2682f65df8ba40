import { services } from "@agent-backends/contract/services";
import type { ChatOfView } from "../chat/ChatFrame.tsx";
import { ChatFrame } from "../chat/ChatFrame.tsx";
import { EmptyChat } from "../chat/EmptyChat.tsx";
import type { Prepare } from "../chat/protocol.ts";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { listingAt } from "../connections/clients.ts";
import { buildKeyHeaders } from "../connections/connections.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import { toTurns } from "../conversations/messages.ts";
import { ListingAnswer } from "./ListingAnswer.tsx";

const examples = [
  "What were the top 5 launches yesterday?",
  "Top launches of last week",
  "Search for note-taking apps",
  "We did it! Fire the confetti",
];

export function ListingView(chat: ChatOfView) {
  const { listing } = useConnections().connections;
  const prepare: Prepare = (messages, { threadId, runId }) => {
    const body = {
      thread_id: threadId,
      run_id: runId,
      messages: toTurns(messages),
      // "today" means the user's day, not the server's.
      tool_params: { tz: Intl.DateTimeFormat().resolvedOptions().timeZone },
    };
    return {
      url: listing.baseUrl + services.listing.streamingPath,
      headers: buildKeyHeaders(listing),
      body,
      open: (options) => listingAt(listing).stream(body, options),
    };
  };
  return (
    <ChatFrame
      title="Listing"
      {...chat}
      prepare={prepare}
      placeholder="Ask about launches"
      renderEmpty={(ask) => (
        <EmptyChat icon="chart" title="Ask about launches" examples={examples} onAsk={ask}>
          <p>The analyst ranks launches by day, week or any range, searches them, and celebrates when you do.</p>
        </EmptyChat>
      )}
      renderAnswer={renderAnswer}
    />
  );
}

const renderAnswer = (answer: AssistantMessage) => <ListingAnswer answer={answer} />;
