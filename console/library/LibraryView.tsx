import { useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { Page } from "../design/Layout.tsx";
import { ChunkDialog } from "../documents/ChunkDialog.tsx";
import { NamespacePicker } from "../documents/NamespacePicker.tsx";
import type { OpenChunk } from "../documents/open-chunk.ts";
import { useStore } from "../store.ts";
import { isSettled } from "../uploads/stages.ts";
import type { UploadQueue } from "../uploads/upload-queue.ts";
import { AddItems } from "./AddItems.tsx";
import { DocumentDialog } from "./DocumentDialog.tsx";
import { Documents } from "./Documents.tsx";
import { SearchDocuments } from "./SearchDocuments.tsx";
import { Uploads } from "./Uploads.tsx";

/** While uploads are running, the lists are reloaded after this many saved documents. */
const documentsPerReload = 20;

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
  const uploads = useStore(queue);
  const [documentId, setDocumentId] = useState<string>();
  const [opened, setOpened] = useState<{ chunks: OpenChunk[]; first: number }>();
  const [deletions, setDeletions] = useState(0);
  const saved = uploads.filter(({ stage }) => stage.name === "saved").length;
  const isBusy = uploads.some(({ stage }) => !isSettled(stage));
  const version = `${isBusy ? saved - (saved % documentsPerReload) : saved} ${deletions}`;
  const onDeleted = () => setDeletions((count) => count + 1);
  return (
    <>
      <Page
        title="Library"
        about="The documents that the Knowledge agent answers from. Namespaces keep the documents of different customers apart."
        action={
          <NamespacePicker namespace={namespace} onNamespace={onNamespace} onDeleted={onDeleted} version={version} />
        }
      >
        <div className="library">
          <div className="stack">
            <AddItems namespace={namespace} onItems={(items) => queue.add(knowledge, namespace, items)} />
            <Uploads queue={queue} onOpenNamespace={onNamespace} />
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
              onDeleted={onDeleted}
            />
          </div>
        </div>
      </Page>
      {documentId !== undefined && (
        <DocumentDialog namespace={namespace} documentId={documentId} onClose={() => setDocumentId(undefined)} />
      )}
      {opened && <ChunkDialog {...opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
