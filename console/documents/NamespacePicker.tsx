import { lazy, Suspense, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { useResource } from "../connections/use-resource.ts";
import { IconButton } from "../design/Button.tsx";
import { Combobox } from "../design/Combobox.tsx";
import { formatCount } from "../design/format.ts";
import { defaultNamespace, findNameProblem, listNamespaces } from "./namespaces.ts";

// Loaded when it is opened.
const NamespacesDialog = lazy(() =>
  import("./NamespacesDialog.tsx").then((module) => ({ default: module.NamespacesDialog })),
);

/** Selects a namespace: an existing one, or a new one by name. */
export function NamespacePicker({
  namespace,
  onNamespace,
  onDeleted,
  version,
}: {
  namespace: string;
  onNamespace: (namespace: string) => void;
  /** Called when a namespace has been deleted. */
  onDeleted: () => void;
  /** Changes when there may be new namespaces. */
  version: string;
}) {
  const { knowledge } = useConnections().connections;
  const [open, setOpen] = useState(false);
  const [deletions, setDeletions] = useState(0);
  const { value = [] } = useResource(
    (signal) => listNamespaces(knowledge, signal),
    [knowledge, version, deletions, open],
  );
  return (
    <div className="row nowrap namespace-picker">
      <span className="field-label" aria-hidden="true">
        Namespace
      </span>
      <Combobox
        label="Namespace"
        value={namespace}
        onChange={onNamespace}
        findProblem={findNameProblem}
        options={value.map(({ namespace: name, documents }) => ({
          value: name,
          about: formatCount(documents, "document"),
        }))}
      />
      <IconButton
        look="plain"
        small={false}
        icon="more"
        label="Create or delete namespaces"
        onClick={() => setOpen(true)}
      />
      {open && (
        <Suspense>
          <NamespacesDialog
            current={namespace}
            namespaces={value}
            onChoose={(name) => {
              setOpen(false);
              onNamespace(name);
            }}
            onDeleted={(name) => {
              setDeletions(deletions + 1);
              onDeleted();
              if (name === namespace) onNamespace(defaultNamespace);
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
