import { readFileSync } from "node:fs";
import type { ServicePlan } from "./plan.ts";

/** The address by which a browser on this machine, or on the one that asked, reaches a service. */
const isWildcard = (host: string) => host === "0.0.0.0" || host === "::";

/** What the console is told of what was started: where each service is. What they work with they say themselves. */
export function describeServices(plans: readonly ServicePlan[], host: string): (hostname: string) => object {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  return (hostname) => ({
    version,
    addresses: Object.fromEntries(
      plans.map(({ key, port }) => [key, `http://${isWildcard(host) ? hostname : host}:${port}`]),
    ),
  });
}
