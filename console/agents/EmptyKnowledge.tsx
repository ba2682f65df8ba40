import { useState } from "react";
import { EmptyChat } from "../chat/EmptyChat.tsx";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { explainError, knowledgeAt } from "../connections/clients.ts";
import { StatusLink } from "../connections/StatusLink.tsx";
import { useResource } from "../connections/use-resource.ts";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { Notice } from "../design/Notice.tsx";
import { hrefTo } from "../routes.ts";
import { isSettled } from "../uploads/stages.ts";
import type { Upload } from "../uploads/upload-queue.ts";

const maxExamples = 3;

/** An empty Knowledge chat: suggests questions about the namespace's documents, or ways to add documents. */
export function EmptyKnowledge({
  namespace,
  uploads,
  onAsk,
}: {
  namespace: string;
  uploads: readonly Upload[];
  onAsk: (text: string) => void;
}) {
  const { knowledge } = useConnections().connections;
  const [failure, setFailure] = useState<Error>();
  const savedCount = uploads.filter(({ stage }) => stage.name === "saved").length;
  const { value, error, loading } = useResource(
    (signal) => knowledgeAt(knowledge).documentsPage(namespace, { limit: maxExamples }, { signal }),
    [knowledge, namespace, savedCount],
  );
  const documents = value?.documents ?? [];
  const trySample = () =>
    knowledgeAt(knowledge)
      .ingest({ namespace, sources: [sampleDocument] })
      .then(() => onAsk(sampleQuestion))
      .catch((reason: unknown) => setFailure(explainError(reason)));
  const isFilling = savedCount > 0 || uploads.some(({ stage }) => !isSettled(stage));
  const isEmpty = !loading && !error && documents.length === 0 && !isFilling;
  const problem = error ?? failure;
  return (
    <EmptyChat
      icon="book"
      title={isEmpty ? "Add a document, then ask about it" : "Ask your documents"}
      examples={documents.map(({ title }) =>
        title === sampleDocument.title ? sampleQuestion : `What does “${title}” say?`,
      )}
      onAsk={onAsk}
    >
      <p>
        The librarian searches this namespace and answers with numbered citations. Each one opens the chunk that it is
        based on.
      </p>
      {problem && (
        <Notice danger action={<StatusLink />}>
          {problem.message}
        </Notice>
      )}
      <div className="row">
        <a className={isEmpty ? "button button-primary" : "button"} href={hrefTo("library")}>
          <Icon name="upload" />
          Add documents
        </a>
        {isEmpty && <Button onClick={trySample}>Try a sample document</Button>}
      </div>
    </EmptyChat>
  );
}

const sampleQuestion = "When are refunds paid?";
const sampleDocument = {
  type: "markdown" as const,
  title: "Returns and refunds",
  value: `# Returns and refunds

Goods can be sent back within 30 days of delivery. They must be unused, and in the packaging they came in.

## Refunds

Refunds are paid within 5 working days after the goods have arrived, by the means the order was paid with.

## Exchanges

An exchange is free of charge within the same country. For other countries the customer pays the postage.
`,
};
