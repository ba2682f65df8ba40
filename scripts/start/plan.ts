import type { ServiceKey, ServiceManifest } from "../../packages/contract/services.ts";
import { consolePort, services, variableDefaults } from "../../packages/contract/services.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** An example request to paste into a terminal. */
interface Example {
  does: string;
  path: string;
  body: object;
}

/** A process that `npm start` runs, with examples. */
export interface ServicePlan extends ServiceManifest {
  key: ServiceKey;
  /** `startPort`, unless the environment changes it. */
  port: number;
  examples: Example[];
}

const examples: Record<ServiceKey, Example[]> = {
  relay: [
    {
      does: "Talk to the model",
      path: "/agent",
      body: { threadId: "t1", runId: "r1", messages: [{ id: "m1", role: "user", content: "Hello! Who are you?" }] },
    },
  ],
  relayNest: [],
  knowledge: [
    {
      does: "Add a document",
      path: "/api/tools/ingest",
      body: {
        sources: [
          {
            type: "markdown",
            title: "Returns",
            value: "# Returns\nGoods can be sent back within 30 days. Refunds are paid within 5 working days.",
          },
        ],
      },
    },
    {
      does: "Ask about it",
      path: "/stream",
      body: {
        thread_id: "t1",
        run_id: "r1",
        messages: [{ role: "user", content: "How long do refunds take?" }],
      },
    },
  ],
  listing: [
    {
      does: "Ask about launches",
      path: "/agent",
      body: { messages: [{ role: "user", content: "What were the top 3 launches yesterday?" }] },
    },
  ],
};

export function parsePort(environment: Environment, variable: string, fallback: number): number {
  const value = environment[variable]?.trim() || String(fallback);
  if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 65_535) {
    throw new Error(`${variable} is ${value} and must be a port from 1 to 65535, such as ${fallback}`);
  }
  return Number(value);
}

const moved = <Plan extends { startPort: number; startPortVariable: string }>(
  plan: Plan,
  environment: Environment,
) => ({
  ...plan,
  port: parsePort(environment, plan.startPortVariable, plan.startPort),
});

/** Whether to run a service. `START_SERVICES` lists the names, separated by commas. Without it everything runs. */
function isWanted(name: string, { START_SERVICES }: Environment): boolean {
  return !START_SERVICES?.trim() || START_SERVICES.split(",").some((wanted) => wanted.trim() === name);
}

/** The console with its port. Undefined if `START_SERVICES` leaves it out. */
export const planConsole = (environment: Environment) =>
  isWanted(consolePort.name, environment) ? moved(consolePort, environment) : undefined;

/** The services that `npm start` runs, with ports from the environment. */
export function planServices(environment: Environment): ServicePlan[] {
  const wanted = (Object.keys(services) as ServiceKey[]).filter((key) => isWanted(services[key].name, environment));
  return wanted.map((key) => ({
    ...moved<ServiceManifest>(services[key], environment),
    key,
    examples: examples[key],
  }));
}

export const planHost = (environment: Environment): string => environment.HOST?.trim() || variableDefaults.HOST;

/** Services that run together can't share a metrics port: each takes the next one. */
export function planMetricsPort(environment: Environment, index: number): { METRICS_PORT?: string } {
  if (!environment.METRICS_PORT?.trim()) return {};
  return { METRICS_PORT: String(parsePort(environment, "METRICS_PORT", 9464) + index) };
}

/** If page origins are limited, also allows those of the console on this machine. */
export function allowConsole({ CORS_ORIGINS }: Environment, port: number): { CORS_ORIGINS?: string } {
  if (!CORS_ORIGINS?.trim()) return {};
  return { CORS_ORIGINS: `${CORS_ORIGINS},http://127.0.0.1:${port},http://localhost:${port}` };
}
