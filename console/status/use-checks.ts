import { useCallback, useEffect, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import type { ServiceName } from "../connections/connections.ts";
import { serviceNames } from "../connections/connections.ts";
import type { ServiceCheck } from "./check-service.ts";
import { checkService } from "./check-service.ts";

export type Checks = Partial<Record<ServiceName, ServiceCheck>>;

/** Interval while all services are ready. */
const readyIntervalMs = 15_000;
/** Interval while a service has a problem, so that a recovery shows soon. */
const problemIntervalMs = 4_000;
/** Interval while a service checks its provider. */
const checkingIntervalMs = 500;

/** Checks all services repeatedly, and at once when the user asks for it or returns to the page. */
export function useChecks(): { checks: Checks; checkNow: () => void } {
  const { connections } = useConnections();
  const [checks, setChecks] = useState<Checks>({});
  const [round, setRound] = useState(0);
  const checkNow = useCallback(() => setRound((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round checks again
  useEffect(() => {
    let hasLeft = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const asked = serviceNames.map(async (name) => {
      const check = await checkService(name, connections[name], location);
      if (!hasLeft) setChecks((before) => ({ ...before, [name]: check }));
      return check;
    });
    void Promise.all(asked).then((all) => {
      if (!hasLeft) timer = setTimeout(checkNow, getIntervalMs(all));
    });
    return () => {
      hasLeft = true;
      clearTimeout(timer);
    };
  }, [connections, round]);
  useEffect(() => {
    addEventListener("online", checkNow);
    addEventListener("focus", checkNow);
    return () => {
      removeEventListener("online", checkNow);
      removeEventListener("focus", checkNow);
    };
  }, [checkNow]);
  const current = Object.entries(checks).filter(
    ([name, check]) => check.connection === connections[name as ServiceName],
  );
  return { checks: Object.fromEntries(current), checkNow };
}

function getIntervalMs(checks: readonly ServiceCheck[]): number {
  if (checks.some(({ readiness }) => readiness?.provider?.status === "checking")) return checkingIntervalMs;
  return checks.every(({ state }) => state === "ready") ? readyIntervalMs : problemIntervalMs;
}
