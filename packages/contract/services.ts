/** What is known of a service before it runs: where it listens, how it is started and what a client asks it for. */
export interface ServiceManifest {
  /** What people call it. */
  title: string;
  /** What processes and log lines call it. */
  name: string;
  /** The script of package.json that starts it alone. */
  script: string;
  /** The built main module, from the project's root. */
  main: string;
  /** Node's flags and the environment that have to be there before its process starts. */
  nodeFlags: readonly string[];
  nodeEnvironment: Readonly<Record<string, string>>;
  port: number;
  /** Its port when `npm start` runs all services, and the variable that moves it. */
  startPort: number;
  startPortVariable: string;
  /** The path of the streaming route, whose public address a chat platform is given as deployment URL. */
  streamingPath: string;
  /** The path of the route for clients of AG-UI. */
  agUiPath: string;
  /** What the streaming route sends. */
  streams: string;
  /** The models it asks the provider for: each variable with its default. */
  models: Readonly<Record<string, string>>;
}

// docs/decisions/memory.md says why.
const smallYoungGeneration = "--max-semi-space-size=4";
const streaming = [smallYoungGeneration, "--no-allocation-site-pretenuring"] as const;

const relay = {
  nodeFlags: streaming,
  nodeEnvironment: {},
  port: 8000,
  streamingPath: "/agent",
  agUiPath: "/agent",
  streams: "SSE, AG-UI events",
  models: { RELAY_MODEL: "gpt-4o" },
} as const;

/**
 * Every service, in the order in which `npm start` runs them. The relay has two implementations. Configuration, `npm start`, the
 * console and the documentation take these facts from here; a test compares package.json with them.
 */
export const services = {
  relay: {
    ...relay,
    title: "Relay (Express)",
    name: "relay",
    script: "relay:express",
    main: "services/relay/dist/express/main.js",
    startPort: relay.port,
    startPortVariable: "RELAY_PORT",
  },
  relayNest: {
    ...relay,
    title: "Relay (Nest)",
    name: "relay-nest",
    script: "relay:nest",
    main: "services/relay/dist/nest/main.js",
    startPort: 8003,
    startPortVariable: "RELAY_NEST_PORT",
  },
  knowledge: {
    title: "Knowledge",
    name: "knowledge",
    script: "knowledge",
    main: "services/knowledge/dist/main.js",
    nodeFlags: [smallYoungGeneration, "--heap-growing-percent=40"],
    nodeEnvironment: {
      MALLOC_ARENA_MAX: "2",
      MALLOC_MMAP_THRESHOLD_: String(4 * 1024 * 1024),
      MALLOC_TRIM_THRESHOLD_: String(16 * 1024 * 1024),
    },
    port: 8001,
    startPort: 8001,
    startPortVariable: "KNOWLEDGE_PORT",
    streamingPath: "/stream",
    agUiPath: "/agui",
    streams: "newline-delimited JSON, or SSE with `Accept: text/event-stream`",
    models: { KNOWLEDGE_LLM_MODEL: "gpt-4o-mini", KNOWLEDGE_EMBEDDING_MODEL: "text-embedding-3-small" },
  },
  listing: {
    title: "Listing",
    name: "listing",
    script: "listing",
    main: "services/listing/dist/main.js",
    nodeFlags: [...streaming, "--heap-growing-percent=200"],
    nodeEnvironment: {},
    port: 8002,
    startPort: 8002,
    startPortVariable: "LISTING_PORT",
    streamingPath: "/agent",
    agUiPath: "/agui",
    streams: "SSE",
    models: { LISTING_AGENT_MODEL: "gpt-4o-mini" },
  },
} as const satisfies Record<string, ServiceManifest>;

export type ServiceKey = keyof typeof services;

/** The port of the console's page under `npm start`, and the variable that moves it. */
export const consolePort = { name: "console", startPort: 8080, startPortVariable: "CONSOLE_PORT" } as const;
