import { useEffect, useState } from "react";
import { explainError } from "./clients.ts";

interface Resource<Value> {
  value?: Value;
  error?: Error;
  loading: boolean;
}

/** Loads a value whenever one of `keys` changes. The previous value stays until the new one has arrived. */
export function useResource<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Resource<Value> {
  const [state, setState] = useState<Resource<Value>>({ loading: true });
  useEffect(() => {
    const left = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    load(left.signal).then(
      (value) => !left.signal.aborted && setState({ value, loading: false }),
      (error: unknown) => !left.signal.aborted && setState({ error: explainError(error), loading: false }),
    );
    return () => left.abort();
    // biome-ignore lint/correctness/useExhaustiveDependencies: the keys list what `load` depends on
  }, keys);
  return state;
}
