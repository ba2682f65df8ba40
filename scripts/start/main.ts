import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Server } from "node:http";
import { networkInterfaces } from "node:os";
import { loadEnvironmentFiles } from "@agent-backends/kit/environment-files";
import { banner } from "./banner.ts";
import { createConsoleServer } from "./console-server.ts";
import type { ServicePlan } from "./plan.ts";
import { allowConsole, planConsole, planHost, planMetricsPort, planServices } from "./plan.ts";
import { freePort, isTaken, startProcess, stopProcesses, untilReady } from "./processes.ts";
import { asksForKeys, findProviderProblems } from "./readiness.ts";
import type { StandIns } from "./stand-ins.ts";
import { startStandIns } from "./stand-ins.ts";
import { Supervisor } from "./supervisor.ts";

/** Time for running streams to end after Ctrl-C. */
const shutdownGraceMs = 2_500;

const isWildcard = (host: string) => host === "0.0.0.0" || host === "::";

/** The address of this machine in the network, if it has one. */
const findOwnAddress = (): string | undefined =>
  Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal)?.address;

const supervisors: Supervisor[] = [];
let standIns: StandIns | undefined;
let page: Server | undefined;
let isStopping = false;

async function stop(exitCode: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  for (const supervisor of supervisors) supervisor.unwatch();
  await stopProcesses(supervisors.map(({ child }) => child));
  page?.close();
  page?.closeAllConnections();
  await standIns?.close();
  process.exit(exitCode);
}

/** Builds `/console.json` for the page: the services' addresses. Everything else comes from the services themselves. */
function describeServices(plans: readonly ServicePlan[], host: string): (hostname: string) => object {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  return (hostname) => ({
    version,
    addresses: Object.fromEntries(
      plans.map(({ key, port }) => [key, `http://${isWildcard(host) ? hostname : host}:${port}`]),
    ),
  });
}

async function start(): Promise<void> {
  loadEnvironmentFiles(process.cwd());
  const plans = planServices(process.env);
  const consolePlan = planConsole(process.env);
  const host = planHost(process.env);
  const nest = plans.find(({ key }) => key === "relayNest");
  // Nobody needs to know the second relay's port: the console is told.
  if (nest && !process.env[nest.startPortVariable]?.trim() && (await isTaken(host, nest.port))) {
    nest.port = await freePort(host);
  }
  standIns = await startStandIns(process.env);
  const environment = {
    LOG_LEVEL: "warn",
    SHUTDOWN_GRACE_MS: String(shutdownGraceMs),
    ...process.env,
    ...standIns.environment,
    HOST: host,
    ...(consolePlan && allowConsole(process.env, consolePlan.port)),
  };
  const reachableHost = isWildcard(host) ? "127.0.0.1" : host;
  const services = plans.map((plan, index) => {
    const variables = { ...environment, ...planMetricsPort(process.env, index), PORT: String(plan.port) };
    const start = () => startProcess(plan, variables);
    const supervisor = new Supervisor({ name: plan.name, start, report: console.error });
    supervisors.push(supervisor);
    return { plan, supervisor, baseUrl: `http://${reachableHost}:${plan.port}` };
  });
  await Promise.all(services.map(({ plan, supervisor, baseUrl }) => untilReady(plan, supervisor.child, baseUrl)));
  for (const { supervisor } of services) supervisor.watch();
  if (consolePlan) {
    page = createConsoleServer("console/dist", describeServices(plans, host));
    page.listen({ host, port: consolePlan.port });
    await once(page, "listening");
  }
  const shownHost = isWildcard(host) ? (findOwnAddress() ?? reachableHost) : host;
  const shown = services.map(({ plan }) => ({ plan, baseUrl: `http://${shownHost}:${plan.port}` }));
  // Browsers grant pages fewer permissions on host names other than loopback.
  const consoleUrl = consolePlan && `http://${reachableHost}:${consolePlan.port}`;
  const problems = await findProviderProblems(services.map(({ baseUrl }) => baseUrl));
  const asksForKey = await asksForKeys(services[0]?.baseUrl);
  console.log(banner(shown, standIns, environment, consoleUrl, problems, asksForKey));
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
console.log("Starting …");
start().catch((error: unknown) => {
  if (!isStopping) console.error(error instanceof Error ? error.message : error);
  void stop(1);
});
