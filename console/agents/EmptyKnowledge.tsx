import { useState } from "react";
import { EmptyChat } from "../chat/EmptyChat.tsx";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { keyHeadersOf } from "../connections/connections.ts";
import { ingestUrl, listDocuments } from "../connections/knowledge-api.ts";
import { jsonBody, requestJson } from "../connections/request.ts";
import { useResource } from "../connections/use-resource.ts";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { Notice } from "../design/Notice.tsx";
import { hrefOf } from "../routes.ts";
import { isSettled } from "../uploads/stages.ts";
import type { Upload } from "../uploads/upload-queue.ts";

const examplesShown = 3;

/** The beginning of a conversation about documents: questions about those that are there, or the way to add some. */
export function EmptyKnowledge({
  namespace,
  uploads,
  onAsk,
}: {
  namespace: string;
  /** The files that are attached, on their way into the namespace. */
  uploads: readonly Upload[];
  onAsk: (text: string) => void;
}) {
  const { knowledge } = useConnections().connections;
  const [failure, setFailure] = useState<string>();
  const stored = uploads.filter(({ stage }) => stage.name === "saved").length;
  const { value, error, loading } = useResource(
    (signal) => listDocuments(knowledge, namespace, signal),
    [knowledge, namespace, stored],
  );
  const documents = value?.documents ?? [];
  const trySample = () =>
    requestJson(ingestUrl(knowledge), jsonBody({ namespace, sources: [sampleDocument] }, keyHeadersOf(knowledge))).then(
      () => onAsk(sampleQuestion),
      (reason: Error) => setFailure(reason.message),
    );
  const isFilling = uploads.some(({ stage }) => !isSettled(stage) || stage.name === "saved");
  const isEmpty = !loading && !error && documents.length === 0 && !isFilling;
  return (
    <EmptyChat
      icon="book"
      title={isEmpty ? "Add a document, then ask about it" : "Ask your documents"}
      examples={documents
        .slice(0, examplesShown)
        .map(({ title }) => (title === sampleDocument.title ? sampleQuestion : `What does “${title}” say?`))}
      onAsk={onAsk}
    >
      <p>
        The librarian searches this namespace and answers with numbered citations. Each one opens the chunk that it
        rests on.
      </p>
      {(error ?? failure) && <Notice danger>{error?.message ?? failure}</Notice>}
      <div className="row">
        <a className={isEmpty ? "button button-primary" : "button"} href={hrefOf("library")}>
          <Icon name="upload" />
          Add documents
        </a>
        {isEmpty && <Button onClick={trySample}>Try a sample document</Button>}
      </div>
    </EmptyChat>
  );
}

/** A document for those who have none at hand. */
const sampleDocument = {
  type: "markdown",
  title: "Returns and refunds",
  value: `# Returns and refunds

Goods can be sent back within 30 days of delivery. They must be unused, and in the packaging they came in.

## Refunds

Refunds are paid within 5 working days after the goods have arrived, by the means the order was paid with.

## Exchanges

An exchange is free of charge within the same country. For other countries the customer pays the postage.
`,
};

const sampleQuestion = "When are refunds paid?";
