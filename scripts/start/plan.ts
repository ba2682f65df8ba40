/** One process that `npm start` runs, and how to try it. */
export interface ServicePlan {
  name: string;
  /** What the console calls it. */
  key: "relay" | "relayNest" | "knowledge" | "listing";
  /** The built main module, from the project's root. */
  main: string;
  /** Flags of node and variables that have to be there before it starts, as in `package.json`. */
  nodeFlags?: string[];
  nodeEnvironment?: Record<string, string>;
  port: number;
  /** The variable that moves the port. */
  portVariable: string;
  /** The path of the streaming route, whose address a chat platform is given. */
  streamingPath: string;
  /** Requests to paste: what each does, its path and its body. */
  examples: { does: string; path: string; body: object }[];
}

const smallYoungGeneration = ["--max-semi-space-size=4"];

/** The port that a variable of the environment names. */
export function portOf(
  environment: Readonly<Record<string, string | undefined>>,
  variable: string,
  fallback: number,
): number {
  const value = environment[variable]?.trim() || String(fallback);
  if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 65_535) {
    throw new Error(`${variable} must be a port from 1 to 65535, such as ${fallback}`);
  }
  return Number(value);
}

/** Services that run together can't share a port for their metrics: each takes the next one. */
export function metricsPortOf(
  environment: Readonly<Record<string, string | undefined>>,
  index: number,
): { METRICS_PORT?: string } {
  if (!environment.METRICS_PORT?.trim()) return {};
  return { METRICS_PORT: String(portOf(environment, "METRICS_PORT", 9464) + index) };
}

/** Where the console is, as a taken port is told. */
export function planConsole(environment: Readonly<Record<string, string | undefined>>) {
  const portVariable = "CONSOLE_PORT";
  return { name: "console", port: portOf(environment, portVariable, 8080), portVariable };
}

/** The console is a page like any other: where the origins of pages are limited, its own on this machine are among them. */
export function consoleOrigins(corsOrigins: string | undefined, port: number): { CORS_ORIGINS?: string } {
  if (!corsOrigins?.trim()) return {};
  return { CORS_ORIGINS: `${corsOrigins},http://127.0.0.1:${port},http://localhost:${port}` };
}

/** What `npm start` runs, with the ports that the environment may have moved. */
export function planServices(environment: Readonly<Record<string, string | undefined>>): ServicePlan[] {
  const port = (variable: string, fallback: number) => portOf(environment, variable, fallback);
  return [
    {
      name: "relay",
      key: "relay",
      main: "services/relay/dist/express/main.js",
      nodeFlags: smallYoungGeneration,
      port: port("RELAY_PORT", 8000),
      portVariable: "RELAY_PORT",
      streamingPath: "/agent",
      examples: [
        {
          does: "Talk to the model",
          path: "/agent",
          body: { threadId: "t1", runId: "r1", messages: [{ id: "m1", role: "user", content: "Hello! Who are you?" }] },
        },
      ],
    },
    {
      name: "relay-nest",
      key: "relayNest",
      main: "services/relay/dist/nest/main.js",
      nodeFlags: smallYoungGeneration,
      port: port("RELAY_NEST_PORT", 8003),
      portVariable: "RELAY_NEST_PORT",
      streamingPath: "/agent",
      examples: [],
    },
    {
      name: "knowledge",
      key: "knowledge",
      main: "services/knowledge/dist/main.js",
      nodeFlags: [...smallYoungGeneration, "--heap-growing-percent=20"],
      nodeEnvironment: { MALLOC_ARENA_MAX: "2" },
      port: port("KNOWLEDGE_PORT", 8001),
      portVariable: "KNOWLEDGE_PORT",
      streamingPath: "/stream",
      examples: [
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
    },
    {
      name: "listing",
      key: "listing",
      main: "services/listing/dist/main.js",
      port: port("LISTING_PORT", 8002),
      portVariable: "LISTING_PORT",
      streamingPath: "/agent",
      examples: [
        {
          does: "Ask about launches",
          path: "/agent",
          body: { messages: [{ role: "user", content: "What were the top 3 launches yesterday?" }] },
        },
      ],
    },
  ];
}
