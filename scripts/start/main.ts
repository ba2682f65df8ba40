import { once } from "node:events";
import type { Server } from "node:http";
import { loadEnvironmentFiles } from "@agent-backends/kit";
import { banner } from "./banner.ts";
import { createConsoleServer } from "./console-server.ts";
import { describeServices } from "./describe.ts";
import { consoleOrigins, metricsPortOf, planConsole, planServices } from "./plan.ts";
import { freePort, isTaken, startProcess, stopProcesses, untilReady } from "./processes.ts";
import { findProviderProblems } from "./provider-problems.ts";
import type { StandIns } from "./stand-ins.ts";
import { startStandIns } from "./stand-ins.ts";
import { Supervisor } from "./supervisor.ts";

/** Streams that run when Ctrl-C is pressed get this long to end. */
const shutdownGraceMs = 2_500;

const supervisors: Supervisor[] = [];
let standIns: StandIns | undefined;
let page: Server | undefined;
let stopping = false;

async function stop(exitCode: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const supervisor of supervisors) supervisor.unwatch();
  await stopProcesses(supervisors.map(({ child }) => child));
  page?.close();
  page?.closeAllConnections();
  await standIns?.close();
  process.exit(exitCode);
}

async function refuseTakenPorts(
  plans: { name: string; port: number; portVariable: string }[],
  host: string,
): Promise<void> {
  const taken = [];
  for (const plan of plans) if (await isTaken(host, plan.port)) taken.push(plan);
  if (taken.length === 0) return;
  throw new Error(
    taken
      .map(
        ({ name, port, portVariable }) =>
          `Port ${port} for ${name} is taken. Stop what uses it, or choose another: ${portVariable}=${port + 1000} npm start`,
      )
      .join("\n"),
  );
}

async function start(): Promise<void> {
  loadEnvironmentFiles(process.cwd());
  const plans = planServices(process.env);
  const consolePlan = planConsole(process.env);
  const host = process.env.HOST?.trim() || "127.0.0.1";
  const nest = plans.find(({ key }) => key === "relayNest");
  // Nobody has to know where the second relay is: the console is told.
  if (nest && !process.env[nest.portVariable]?.trim() && (await isTaken(host, nest.port))) {
    nest.port = await freePort(host);
  }
  await refuseTakenPorts([...plans, consolePlan], host);
  standIns = await startStandIns(process.env);
  const environment = {
    LOG_LEVEL: "warn",
    SHUTDOWN_GRACE_MS: String(shutdownGraceMs),
    ...process.env,
    ...standIns.environment,
    HOST: host,
    ...consoleOrigins(process.env.CORS_ORIGINS, consolePlan.port),
  };
  const reachableHost = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  const services = plans.map((plan, index) => {
    const metricsPort = metricsPortOf(process.env, index);
    const variables = { ...environment, ...metricsPort, PORT: String(plan.port) };
    const start = () => startProcess(plan, variables);
    const supervisor = new Supervisor({ name: plan.name, start, say: console.error });
    supervisors.push(supervisor);
    return { plan, supervisor, baseUrl: `http://${reachableHost}:${plan.port}` };
  });
  await Promise.all(services.map(({ plan, supervisor, baseUrl }) => untilReady(plan, supervisor.child, baseUrl)));
  for (const { supervisor } of services) supervisor.watch();
  page = createConsoleServer("console/dist", describeServices(plans, host));
  page.listen({ host, port: consolePlan.port });
  await once(page, "listening");
  const problems = await findProviderProblems(services.map(({ baseUrl }) => baseUrl));
  console.log(banner(services, standIns, environment, `http://${reachableHost}:${consolePlan.port}`, problems));
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
console.log("Starting the relay, the knowledge and the listing service, and the console …");
start().catch((error: unknown) => {
  if (!stopping) console.error(error instanceof Error ? error.message : error);
  void stop(1);
});
