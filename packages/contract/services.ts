/** Static facts about a service: where it listens, how it is started and what a client can ask it for. */
export interface ServiceManifest {
  /** Display name. */
  title: string;
  /** Name of its processes in process lists and logs. */
  name: string;
  /** The script of package.json that starts this service alone. */
  script: string;
  /** The built main module, relative to the project's root. */
  main: string;
  /** Node.js flags and environment that must be set before the process starts. */
  nodeFlags: readonly string[];
  nodeEnvironment: Readonly<Record<string, string>>;
  port: number;
  /** Port when `npm start` runs all services, and the variable that changes it. */
  startPort: number;
  startPortVariable: string;
  /** Path of the streaming route. Its public URL is the deployment URL that users enter in a chat platform. */
  streamingPath: string;
  /** Path of the route for AG-UI clients. */
  agUiPath: string;
  /** What the streaming route sends. */
  streams: string;
  /** The models it requests from the provider: each variable with its default. */
  models: Readonly<Record<string, string>>;
}

// See docs/decisions/memory.md for the reasons.
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
 * Every service, in the order in which `npm start` runs them. The relay has two implementations. Configuration, `npm start`, the console
 * and the documentation use this table. A test compares package.json with it.
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

/** Defaults of variables that `npm start` and the command line read as well as the services. */
export const variableDefaults = {
  HOST: "127.0.0.1",
  LLM_BASE_URL: "https://api.openai.com/v1",
  KNOWLEDGE_STORE: "./data/knowledge",
} as const;

/** The store of the offline provider under `npm start`, so that its vectors and those of a real one never mix. */
export const offlineStore = "./data/knowledge-offline";

/** Port of the console's page under `npm start`, and the variable that changes it. */
export const consolePort = { name: "console", startPort: 8080, startPortVariable: "CONSOLE_PORT" } as const;
