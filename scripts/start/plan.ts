/** One process that `npm start` runs, and how to try it. */
export interface ServicePlan {
  name: string;
  /** The built main module, from the project's root. */
  main: string;
  port: number;
  /** The variable that moves the port. */
  portVariable: string;
  /** The path of the streaming route, whose address a chat platform is given. */
  streamingPath: string;
  /** Requests to paste: what each does, its path and its body. */
  examples: { does: string; path: string; body: object }[];
}

/** What `npm start` runs, with the ports that the environment may have moved. */
export function planServices(environment: Readonly<Record<string, string | undefined>>): ServicePlan[] {
  const port = (variable: string, fallback: number) => {
    const value = environment[variable]?.trim() || String(fallback);
    if (!/^[1-9]\d{0,4}$/.test(value) || Number(value) > 65_535) {
      throw new Error(`${variable} must be a port from 1 to 65535, such as ${fallback}`);
    }
    return Number(value);
  };
  return [
    {
      name: "relay",
      main: "services/relay/dist/express/main.js",
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
      name: "knowledge",
      main: "services/knowledge/dist/main.js",
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
