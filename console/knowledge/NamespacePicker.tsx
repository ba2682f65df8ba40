import { useConnections } from "../connections/context.ts";
import { listNamespaces } from "../connections/knowledge-api.ts";
import { Combobox } from "../design/Combobox.tsx";
import { useResource } from "../stream/use-resource.ts";

/** Chooses whose documents count: a namespace that is there already, or a new one by its name. */
export function NamespacePicker({
  namespace,
  onNamespace,
  version = 0,
}: {
  namespace: string;
  onNamespace: (namespace: string) => void;
  /** Changes when there may be namespaces that were not there before. */
  version?: number;
}) {
  const { knowledge } = useConnections().connections;
  const { value = [] } = useResource((signal) => listNamespaces(knowledge, signal), [knowledge, version]);
  return (
    <div className="namespace-picker">
      <span className="field-label" aria-hidden="true">
        Namespace
      </span>
      <Combobox
        label="Namespace"
        value={namespace}
        onChange={onNamespace}
        options={value.map(({ namespace: name, documents }) => ({
          value: name,
          about: documents === 1 ? "1 document" : `${documents} documents`,
        }))}
      />
    </div>
  );
}
