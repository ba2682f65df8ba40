import { exportFormat, knowledgeLimits, limits, listingLimits } from "@agent-backends/contract";
import type { ServiceName } from "@agent-backends/testing";
import { endlessDocx } from "@agent-backends/testing";
import { wellMadeRunId } from "../faults/well-made-requests.ts";

/** The part of each limit that a run uses. The short run uses less than the whole limit. */
export type Scale = (limit: number) => number;

/** A body that is as costly as the limits allow. */
export interface WorstBody {
  /** A body of newline-delimited JSON. */
  lines?: () => string;
  name: string;
  /** Number of concurrent requests. By default, as many as a key's concurrent ingests and searches. */
  concurrency?: number;
  /** Set if the response is small. The case isn't repeated with a client that leaves it unread. */
  hasSmallAnswer?: boolean;
  json?: () => unknown;
  files?: () => Uint8Array[];
  /** Time after which the clients disconnect. Without it, each response must arrive within the time limit for answers. */
  leaveAfterMs?: number;
  /** Extension of the file names. */
  extension?: string;
}

/** Number of conversations near the body limit: more than twice as many as one client may have in memory. */
const longConcurrency = 16;

const words = (characters: number) => "word ".repeat(Math.ceil(characters / 5)).slice(0, characters);
const times = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at));

const valuesPerField = knowledgeLimits.filterValuesInAll / knowledgeLimits.filterFields;
const charactersPerValue = knowledgeLimits.filterCharactersInAll / knowledgeLimits.filterValuesInAll - 5;
const filter = (scale: Scale) =>
  Object.fromEntries(
    times(knowledgeLimits.filterFields, (field) => [
      `field${field}`,
      times(scale(valuesPerField), (value) => `${value}${"'".repeat(charactersPerValue)}`),
    ]),
  );
const conversation = (scale: Scale) =>
  times(scale(limits.messagesPerRequest) - 1, (at) => ({
    id: String(at),
    role: at % 2 === 0 ? "user" : "assistant",
    content: "And how much is it then? ",
  })).concat({ id: "last", role: "user", content: "And that? " });
const long = (scale: Scale, piece: string) => [
  { id: "1", role: "user", content: piece.repeat(scale(limits.messageCharacters) / piece.length) },
];

const smallAnswers = (bodies: WorstBody[]): WorstBody[] => bodies.map((body) => ({ ...body, hasSmallAnswer: true }));

const buildConversationBodies = (body: object, scale: Scale): WorstBody[] => [
  { name: "1,000 messages", json: () => ({ ...body, messages: conversation(scale) }) },
  {
    name: "8,000,000 bytes without a space",
    concurrency: longConcurrency,
    json: () => ({ ...body, messages: long((limit) => scale(limit / 2), "é") }),
  },
  {
    name: "escapes",
    concurrency: longConcurrency,
    json: () => ({ ...body, messages: long((limit) => scale(limit / 6), "\u0001") }),
  },
];
/** Bodies for services that read the text: those of conversations, plus words and sentences. */
const buildAgentBodies = (body: object): ((scale: Scale) => WorstBody[]) => {
  return (scale) =>
    smallAnswers([
      ...buildConversationBodies(body, scale),
      {
        name: "8,000,000 characters",
        concurrency: longConcurrency,
        json: () => ({ ...body, messages: long(scale, "word ") }),
      },
      {
        name: "hundreds of sentences",
        concurrency: longConcurrency,
        json: () => ({ ...body, messages: long(scale, "top 3. a. ") }),
      },
    ]);
};
const search = (scale: Scale) => ({
  namespace: "hostile",
  query: words(knowledgeLimits.queryCharacters),
  max_results: knowledgeLimits.searchResults.max,
  filter: filter(scale),
});
const relay = (scale: Scale): WorstBody[] => [
  ...smallAnswers(buildConversationBodies({ threadId: "t", runId: wellMadeRunId }, scale)),
  {
    name: "1,000 tools",
    json: () => ({
      threadId: "t",
      runId: wellMadeRunId,
      messages: [{ id: "1", role: "user", content: "Hi" }],
      tools: times(scale(limits.toolsPerRequest), (at) => {
        return { name: `f${at}`.padEnd(limits.toolNameCharacters, "x"), description: words(8_000), parameters: {} };
      }),
    }),
  },
];
/** Each takes seconds of CPU time, also in the short run, which sends a single one. */
const endlessFiles = (scale: Scale) => Array<Uint8Array>(scale(100) / 20).fill(endlessDocx(scale(5_000_000)));

const exportHeader = JSON.stringify({
  ...{ type: "header", ...exportFormat, namespace: "n", exported_at: "2026-11-22T00:00:00.000Z" },
  embedding: { model: "m", dimension: 1 },
});
const buildPart = (vectors: string) =>
  JSON.stringify({ type: "part", text: "a", chunks: [{ start: 0, end: 1 }], vectors });

/** The most costly bodies that the schemas allow, by method and path of the route. */
export const worstBodies: Record<ServiceName, Record<string, (scale: Scale) => WorstBody[]>> = {
  "relay-express": { "POST /agent": relay },
  "relay-nest": { "POST /agent": relay },
  knowledge: {
    "POST /api/tools/ingest": (scale) =>
      smallAnswers([
        {
          name: "100 sources",
          // 800 documents, each of which is stored durably.
          concurrency: 8,
          json: () => ({
            namespace: "hostile",
            sources: times(scale(100), (at) => ({
              type: "markdown",
              value: `# ${at} ${words(2_000)}`,
              title: words(500),
            })),
          }),
        },
        {
          name: "one text of 10 MB",
          concurrency: 16,
          json: () => ({ namespace: "hostile", sources: [{ type: "text", value: words(scale(10_000_000)) }] }),
        },
        {
          name: "nested Markdown",
          concurrency: 8,
          json: () => ({
            namespace: "hostile",
            sources: ["> ", "- ", "#", "|", "[", "`", "*a ", "<!--", "\n"].map((piece) => {
              return { type: "markdown", value: piece.repeat(scale(1_000_000) / piece.length) };
            }),
          }),
        },
        {
          name: "100 private addresses",
          json: () => ({ namespace: "hostile", sources: times(scale(100), (at) => `http://127.0.0.1:9/${at}`) }),
        },
        {
          name: "files that take for ever",
          // On two cores, one thread reads slow documents, for ten seconds each. More requests could not be answered in time.
          concurrency: 1,
          extension: "docx",
          files: () => endlessFiles(scale),
        },
        {
          name: "files that take for ever, from clients that leave",
          leaveAfterMs: scale(10_000),
          extension: "docx",
          files: () => endlessFiles(scale),
        },
        { name: "100 files", files: () => times(scale(100), (at) => Buffer.from(`${at} ${words(10_000)}`)) },
      ]),
    "POST /api/namespaces/n/import": (scale) =>
      smallAnswers([
        { name: "a line of 8 MB", lines: () => `${exportHeader}\n${"x".repeat(scale(8_000_000))}` },
        { name: "a line of many values", lines: () => `${exportHeader}\n[${"[],".repeat(scale(2_000_000))}0]\n` },
        { name: "a deep line", lines: () => `${exportHeader}\n${"[".repeat(scale(4_000_000))}\n` },
        { name: "many empty lines", lines: () => `${exportHeader}\n${"\n".repeat(scale(5_000_000))}` },
        {
          name: "vectors that nothing reads",
          lines: () => `${exportHeader}\n${buildPart("A".repeat(scale(8_000_000)))}\n`,
        },
      ]),
    "POST /api/tools/searchDocs": (scale) => [
      { name: "filter of 256 values", json: () => search(scale) },
      {
        name: "8 namespaces",
        json: () => {
          const others = times(knowledgeLimits.namespacesPerSearch - 1, (at) => `other ${at}`);
          return { ...search(scale), namespace: undefined, namespaces: ["hostile", ...others] };
        },
      },
    ],
    "POST /mcp": (scale) => [
      {
        name: "filter of 256 values",
        json: () => ({
          ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
          params: { name: "search_docs", arguments: search(scale) },
        }),
      },
      {
        name: "batch",
        json: () => times(limits.mcpBatchMessages, (id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
      },
    ],
    "POST /api/agents/knowledge/generate": buildAgentBodies({ namespace: "hostile" }),
    "POST /v1/chat/completions": buildAgentBodies({ model: "knowledge/hostile", stream: true }),
    "POST /agui": buildAgentBodies({ threadId: "t", runId: "r", forwardedProps: { namespace: "hostile" } }),
    "POST /stream": buildAgentBodies({ thread_id: "t", run_id: "r", namespace: "hostile", include_tool_events: true }),
  },
  listing: {
    "POST /agent": buildAgentBodies({}),
    "POST /agui": buildAgentBodies({ threadId: "t", runId: "r" }),
    "POST /tools/top_timeframe": () => [
      { name: "timeframe", json: () => ({ timeframe: "1 ".repeat(listingLimits.timeframeLength / 2), tz: "UTC" }) },
    ],
    "POST /tools/search": () => [
      { name: "query", json: () => ({ query: words(listingLimits.queryLength), limit: 50 }) },
    ],
    "POST /mcp": () => [
      {
        name: "advice",
        json: () => ({
          ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
          params: { name: "advice", arguments: { message: words(listingLimits.adviceLength) } },
        }),
      },
      {
        name: "batch",
        json: () => times(limits.mcpBatchMessages, (id) => ({ jsonrpc: "2.0", id, method: "tools/list" })),
      },
    ],
  },
};
