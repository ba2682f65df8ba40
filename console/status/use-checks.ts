import { useCallback, useEffect, useState } from "react";
import type { ServiceName } from "../connections/connections.ts";
import { serviceNames } from "../connections/connections.ts";
import { useConnections } from "../connections/context.ts";
import type { ServiceCheck } from "./check-service.ts";
import { checkService } from "./check-service.ts";

export type Checks = Partial<Record<ServiceName, ServiceCheck>>;

const againAfterMs = 15_000;

/** What each service says about itself, asked again every now and then, and when the user wants it. */
export function useChecks(): { checks: Checks; checkNow: () => void } {
  const { connections } = useConnections();
  const [checks, setChecks] = useState<Checks>({});
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    let left = false;
    for (const name of serviceNames) {
      void checkService(name, connections[name]).then((check) => {
        if (!left) setChecks((before) => ({ ...before, [name]: check }));
      });
    }
    const timer = setTimeout(() => setRound((count) => count + 1), againAfterMs);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [connections, round]);
  return { checks, checkNow: useCallback(() => setRound((count) => count + 1), []) };
}
