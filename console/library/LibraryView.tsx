import { useState, useSyncExternalStore } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { ChunkDialog } from "../documents/ChunkDialog.tsx";
import { NamespacePicker } from "../documents/NamespacePicker.tsx";
import type { OpenChunk } from "../documents/open-chunk.ts";
import { isSettled } from "../uploads/stages.ts";
import type { UploadQueue } from "../uploads/upload-queue.ts";
import { AddItems } from "./AddItems.tsx";
import { DocumentDialog } from "./DocumentDialog.tsx";
import { Documents } from "./Documents.tsx";
import { SearchDocuments } from "./SearchDocuments.tsx";
import { Uploads } from "./Uploads.tsx";

/** Documents saved until the lists are asked for again while more are on their way. */
const refreshEvery = 20;

export function LibraryView({
  uploads: queue,
  namespace,
  onNamespace,
}: {
  uploads: UploadQueue;
  namespace: string;
  onNamespace: (namespace: string) => void;
}) {
  const { knowledge } = useConnections().connections;
  const uploads = useSyncExternalStore(queue.subscribe, queue.snapshot);
  const [documentId, setDocumentId] = useState<string>();
  const [opened, setOpened] = useState<{ chunks: OpenChunk[]; first: number }>();
  const [deletions, setDeletions] = useState(0);
  const saved = uploads.filter(({ stage }) => stage.name === "saved").length;
  // While many files come in, the lists are not asked for after each of them.
  const isBusy = uploads.some(({ stage }) => !isSettled(stage));
  const savedCount = isBusy ? saved - (saved % refreshEvery) : saved;
  const version = `${savedCount} ${deletions}`;
  return (
    <div className="page">
      <div className="page-inner">
        <div className="page-head">
          <div className="stack">
            <h1>Library</h1>
            <p>What the Knowledge agent answers from. Namespaces keep the documents of different customers apart.</p>
          </div>
          <NamespacePicker
            namespace={namespace}
            onNamespace={onNamespace}
            onDeleted={() => setDeletions((count) => count + 1)}
            version={version}
          />
        </div>
        <div className="library">
          <div className="stack">
            <AddItems namespace={namespace} onItems={(items) => queue.add(knowledge, namespace, items)} />
            <Uploads uploads={uploads} queue={queue} onOpenNamespace={onNamespace} />
          </div>
          <div className="stack">
            <SearchDocuments
              key={namespace}
              namespace={namespace}
              onOpen={(chunks, first) => setOpened({ chunks, first })}
            />
            <Documents
              key={`documents ${namespace}`}
              namespace={namespace}
              version={version}
              onOpen={setDocumentId}
              onDeleted={() => setDeletions((count) => count + 1)}
            />
          </div>
        </div>
      </div>
      {documentId !== undefined && (
        <DocumentDialog namespace={namespace} documentId={documentId} onClose={() => setDocumentId(undefined)} />
      )}
      {opened && <ChunkDialog {...opened} onClose={() => setOpened(undefined)} />}
    </div>
  );
}
