import { variableDefaults } from "../../packages/contract/services.ts";
import type { ServicePlan } from "./plan.ts";
import { planMetricsPort } from "./plan.ts";
import type { StandIns } from "./stand-ins.ts";

/** Formats a request as a line to paste into a shell. */
export function curlLine(url: string, body: object): string {
  const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
  return `curl -sN ${url} -H 'Content-Type: application/json' -d '${quoted}'`;
}

/** The text that `npm start` prints once everything runs. */
export function banner(
  services: { plan: ServicePlan; baseUrl: string }[],
  standIns: Pick<StandIns, "offlineProvider" | "sampleSite">,
  environment: Readonly<Record<string, string | undefined>>,
  consoleUrl: string | undefined,
  providerProblems: readonly string[],
  asksForKey: boolean,
): string {
  const width = Math.max(...services.map(({ plan }) => plan.name.length)) + 2;
  const lines = [
    "",
    consoleUrl === undefined ? "Ready." : `Ready. Open ${consoleUrl} in a browser to try everything there.`,
    "",
    "Each service, the address to give a chat platform as deployment URL, and the one for AG-UI clients:",
    "",
  ];
  for (const { plan, baseUrl } of services) {
    const isSame = plan.agUiPath === plan.streamingPath;
    const [url, agUi] = [baseUrl + plan.streamingPath, isSame ? "the same" : baseUrl + plan.agUiPath];
    lines.push(`  ${plan.name.padEnd(width)}${url}   AG-UI: ${agUi}`);
  }
  const metrics = services.map(({ plan }, index) => {
    const { METRICS_PORT } = planMetricsPort(environment, index);
    return METRICS_PORT && `${plan.name} ${METRICS_PORT}`;
  });
  if (metrics[0]) lines.push("", `Metrics, on ports of their own: ${metrics.join(", ")}`);
  lines.push("", "Try it in another terminal:", "");
  for (const { plan, baseUrl } of services) {
    for (const { does, path, body } of plan.examples)
      lines.push(`  # ${does}`, `  ${curlLine(baseUrl + path, body)}`, "");
  }
  if (asksForKey) {
    lines.push("The services ask for a key: add -H 'Authorization: Bearer <your key>' to these lines.");
  }
  if (standIns.offlineProvider) {
    lines.push(
      "No LLM_API_KEY was given: the offline provider answers. It quotes and counts, it does not think.",
      "For real answers put LLM_API_KEY=… into a file named .env here, and start again.",
    );
  } else if (providerProblems.length > 0) {
    lines.push("The provider can't answer yet:", ...providerProblems.map((problem) => `  ${problem}`));
  } else {
    const { host } = new URL(environment.LLM_BASE_URL?.trim() || variableDefaults.LLM_BASE_URL);
    lines.push(`The provider at ${host} is asked, with your LLM_API_KEY.`);
  }
  if (standIns.sampleSite && services.some(({ plan }) => plan.name === "listing")) {
    lines.push("The launches are sample data. For real ones set LISTING_API_TOKEN (see docs/configuration.md).");
  }
  if (services.some(({ plan }) => plan.name === "knowledge")) {
    lines.push(`Documents are kept in ${environment.KNOWLEDGE_STORE?.trim() || variableDefaults.KNOWLEDGE_STORE}.`);
  }
  lines.push("", "Ctrl-C stops everything.", "");
  return lines.join("\n");
}
