import { services } from "@agent-backends/contract/services";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import type { ChatOfView } from "../chat/ChatFrame.tsx";
import { ChatFrame } from "../chat/ChatFrame.tsx";
import type { Prepare } from "../chat/protocol.ts";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { knowledgeAt } from "../connections/clients.ts";
import { buildKeyHeaders } from "../connections/connections.ts";
import type { AssistantMessage } from "../conversations/messages.ts";
import { toTurns } from "../conversations/messages.ts";
import { NamespacePicker } from "../documents/NamespacePicker.tsx";
import type { OpenChunk } from "../documents/open-chunk.ts";
import { toCitedChunks } from "../documents/open-chunk.ts";
import { goTo, hrefTo } from "../routes.ts";
import { useStore } from "../store.ts";
import { EmptyKnowledge } from "./EmptyKnowledge.tsx";
import { KnowledgeAnswer } from "./KnowledgeAnswer.tsx";

// Loaded when the first citation is opened.
const ChunkDialog = lazy(() =>
  import("../documents/ChunkDialog.tsx").then((module) => ({ default: module.ChunkDialog })),
);

/** A conversation about the documents of one namespace. Another namespace needs another conversation. */
export function KnowledgeView({
  namespace: chosen,
  onNamespace,
  ...chat
}: ChatOfView & {
  /** The namespace of a new conversation. */
  namespace: string;
  onNamespace: (namespace: string) => void;
}) {
  const { namespace: own, uploads } = useStore(chat.session);
  const savedCount = uploads.filter(({ stage }) => stage.name === "saved").length;
  const namespace = own ?? chosen;
  // Opening a conversation selects its namespace, so that the library shows the same one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the callback is new on each render
  useEffect(() => {
    if (own !== undefined) onNamespace(own);
  }, [own]);
  const { knowledge } = useConnections().connections;
  const [deletions, setDeletions] = useState(0);
  const [opened, setOpened] = useState<{ chunks: OpenChunk[]; first: number }>();
  const prepare: Prepare = (messages, { threadId, runId }) => {
    const turns = toTurns(messages);
    const body = { thread_id: threadId, run_id: runId, namespace, messages: turns, include_tool_events: true as const };
    return {
      url: knowledge.baseUrl + services.knowledge.streamingPath,
      headers: buildKeyHeaders(knowledge),
      namespace,
      body,
      open: (options) => knowledgeAt(knowledge).stream(body, options),
    };
  };
  const renderAnswer = useCallback(
    (answer: AssistantMessage) => (
      <KnowledgeAnswer
        answer={answer}
        onCitation={({ n }, claim) => {
          const first = answer.citations.findIndex((citation) => citation.n === n);
          setOpened({ chunks: toCitedChunks(answer, { n, claim }, namespace), first });
        }}
      />
    ),
    [namespace],
  );
  const attach = (files: File[]) => {
    const items = files.map((file) => ({ kind: "file" as const, name: file.name, file }));
    chat.session.uploads.add(knowledge, namespace, items);
  };
  return (
    <>
      <ChatFrame
        title="Knowledge"
        {...chat}
        prepare={prepare}
        placeholder="Ask your documents"
        onAttach={attach}
        controls={
          <NamespacePicker
            namespace={namespace}
            onNamespace={(other) => {
              onNamespace(other);
              if (own !== undefined && own !== other) goTo(hrefTo("knowledge"));
            }}
            onDeleted={() => setDeletions(deletions + 1)}
            version={String(savedCount)}
          />
        }
        renderEmpty={(ask) => <EmptyKnowledge key={deletions} namespace={namespace} uploads={uploads} onAsk={ask} />}
        renderAnswer={renderAnswer}
      />
      {opened && (
        <Suspense>
          <ChunkDialog {...opened} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </>
  );
}
