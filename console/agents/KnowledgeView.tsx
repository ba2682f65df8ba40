import { services } from "@agent-backends/contract/services";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import type { ChatOfView } from "../chat/ChatFrame.tsx";
import { ChatFrame } from "../chat/ChatFrame.tsx";
import type { Prepare } from "../chat/protocol.ts";
import { useChat } from "../chat/use-chat.ts";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { keyHeadersOf } from "../connections/connections.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import { turnsOf } from "../conversations/messages.ts";
import { NamespacePicker } from "../documents/NamespacePicker.tsx";
import type { OpenChunk } from "../documents/open-chunk.ts";
import { chunksOfAnswer } from "../documents/open-chunk.ts";
import { EmptyKnowledge } from "./EmptyKnowledge.tsx";
import { KnowledgeAnswer } from "./KnowledgeAnswer.tsx";

// Loaded when the first citation is opened.
const ChunkDialog = lazy(() =>
  import("../documents/ChunkDialog.tsx").then((module) => ({ default: module.ChunkDialog })),
);

/** A conversation about the documents of one namespace. Choosing another namespace leads to another conversation. */
export function KnowledgeView({
  namespace: chosen,
  onNamespace,
  ...chat
}: ChatOfView & {
  /** Where a conversation begins. */
  namespace: string;
  onNamespace: (namespace: string, isOther: boolean) => void;
}) {
  const { namespace: own, uploads } = useChat(chat.session);
  const stored = uploads.filter(({ stage }) => stage.name === "saved").length;
  const namespace = own ?? chosen;
  // What was chosen last follows the conversation that is looked at: the library shows the same namespace.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback is another one on each render
  useEffect(() => {
    if (own !== undefined) onNamespace(own, false);
  }, [own]);
  const { knowledge } = useConnections().connections;
  const [deletions, setDeletions] = useState(0);
  const [opened, setOpened] = useState<{ chunks: OpenChunk[]; first: number }>();
  const prepare: Prepare = (messages, { threadId, runId }) => ({
    url: knowledge.baseUrl + services.knowledge.streamingPath,
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
        onCitation={({ n }, claim) => {
          const first = answer.citations.findIndex((citation) => citation.n === n);
          setOpened({ chunks: chunksOfAnswer(answer, { n, claim }, namespace), first });
        }}
      />
    ),
    [namespace],
  );
  return (
    <>
      <ChatFrame
        title="Knowledge"
        {...chat}
        prepare={prepare}
        placeholder="Ask your documents"
        onAttach={(files) =>
          chat.session.uploads.add(
            knowledge,
            namespace,
            files.map((file) => ({ kind: "file", name: file.name, file })),
          )
        }
        controls={
          <NamespacePicker
            namespace={namespace}
            onNamespace={(other) => onNamespace(other, own !== undefined && own !== other)}
            onDeleted={() => setDeletions(deletions + 1)}
            version={String(stored)}
          />
        }
        empty={(ask) => <EmptyKnowledge key={deletions} namespace={namespace} uploads={uploads} onAsk={ask} />}
        details={details}
      />
      {opened && (
        <Suspense>
          <ChunkDialog {...opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}
