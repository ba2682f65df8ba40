import { useCallback, useState } from "react";
import { ChatFrame } from "../chat/ChatFrame.tsx";
import type { ChatSession, Prepare } from "../chat/chat-session.ts";
import type { AssistantMessage } from "../chat/messages.ts";
import { turnsOf } from "../chat/messages.ts";
import { keyHeadersOf, streamingPaths } from "../connections/connections.ts";
import { useConnections } from "../connections/context.ts";
import { EmptyKnowledge } from "./EmptyKnowledge.tsx";
import { KnowledgeAnswer } from "./KnowledgeAnswer.tsx";
import { NamespacePicker } from "./NamespacePicker.tsx";
import type { OpenPassage } from "./PassageDialog.tsx";
import { PassageDialog } from "./PassageDialog.tsx";

export function KnowledgeView({
  session,
  namespace,
  onNamespace,
}: {
  session: ChatSession;
  namespace: string;
  onNamespace: (namespace: string) => void;
}) {
  const { knowledge } = useConnections().connections;
  const [passage, setPassage] = useState<OpenPassage>();
  const prepare: Prepare = (messages, { threadId, runId }) => ({
    url: knowledge.baseUrl + streamingPaths.knowledge,
    headers: { Accept: "application/x-ndjson", ...keyHeadersOf(knowledge) },
    namespace,
    body: {
      thread_id: threadId,
      run_id: runId,
      namespace,
      messages: turnsOf(messages),
      include_tool_events: true,
    },
  });
  const details = useCallback(
    (answer: AssistantMessage) => (
      <KnowledgeAnswer
        answer={answer}
        onCitation={({ document_id, ...citation }) =>
          setPassage({ ...citation, namespace: answer.namespace ?? namespace, documentId: document_id })
        }
      />
    ),
    [namespace],
  );
  return (
    <>
      <ChatFrame
        title="Knowledge"
        session={session}
        prepare={prepare}
        placeholder="Ask your documents"
        controls={<NamespacePicker namespace={namespace} onNamespace={onNamespace} />}
        empty={(ask) => <EmptyKnowledge namespace={namespace} onAsk={ask} />}
        details={details}
      />
      {passage && <PassageDialog passage={passage} onClose={() => setPassage(undefined)} />}
    </>
  );
}
