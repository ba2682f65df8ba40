import { useCallback, useEffect, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import type { ServiceName } from "../connections/connections.ts";
import { serviceNames } from "../connections/connections.ts";
import type { ServiceCheck } from "./check-service.ts";
import { checkService } from "./check-service.ts";

export type Checks = Partial<Record<ServiceName, ServiceCheck>>;

/** All is well: asked again after this time. */
const calmIntervalMs = 15_000;
/** Something is wrong: it should show soon that it is back. */
const troubledIntervalMs = 4_000;
/** A service has just begun to look at its provider. */
const lookingIntervalMs = 500;

/** What each service says about itself, asked again every now and then, and when the user wants it. */
export function useChecks(): { checks: Checks; checkNow: () => void } {
  const { connections } = useConnections();
  const [checks, setChecks] = useState<Checks>({});
  const [round, setRound] = useState(0);
  const checkNow = useCallback(() => setRound((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const asked = serviceNames.map(async (name) => {
      const check = await checkService(name, connections[name], location);
      if (!left) setChecks((before) => ({ ...before, [name]: check }));
      return check;
    });
    void Promise.all(asked).then((all) => {
      if (!left) timer = setTimeout(checkNow, intervalAfter(all));
    });
    return () => {
      left = true;
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

function intervalAfter(checks: readonly ServiceCheck[]): number {
  if (checks.some(({ readiness }) => readiness?.provider?.status === "checking")) return lookingIntervalMs;
  return checks.every(({ state }) => state === "ready") ? calmIntervalMs : troubledIntervalMs;
}
