import { randomUUID } from "node:crypto";
import { limits } from "@agent-backends/contract";
import type { Logger, Observability, Service } from "@agent-backends/kit";
import { Lifecycle, readVersion } from "@agent-backends/kit";
import type { Guard } from "@agent-backends/kit/auth";
import type { Egress } from "@agent-backends/kit/egress";
import { describeRuns, openRuns } from "@agent-backends/kit/runs";
import { ChatProviders, streamAnswer } from "@agent-backends/llm";
import type { ActionContext } from "./actions/action.ts";
import type { AnswerDependencies } from "./answer/answer.ts";
import { answerQuestion, explainWith } from "./answer/answer.ts";
import type { Speak } from "./answer/choose-call.ts";
import { createCallChooser } from "./answer/choose-call.ts";
import { buildPrompt } from "./answer/prompt.ts";
import type { ListingConfiguration } from "./configuration.ts";
import { buildPagesUrl, describeSite, findMissingSettings, getSearchUrl } from "./configuration.ts";
import { createListingApp } from "./http/create-app.ts";
import { createMcpTools } from "./http/mcp-tools.ts";
import { routeConversation } from "./routing/conversation.ts";
import { isTimezone } from "./timeframe/timezone.ts";
import { createCachedSource } from "./upstream/cached-source.ts";
import { createListingSite } from "./upstream/listing-site.ts";
import { createPostJson } from "./upstream/post-json.ts";
import { createSearchIndex } from "./upstream/search-index.ts";

/** Builds the service of a configuration from its parts. */
export async function startListing(
  configuration: ListingConfiguration,
  logger: Logger,
  observability: Observability,
  guard: Guard,
  egress: Egress,
): Promise<Service> {
  const now = Date.now;
  const timeoutMs = configuration.LISTING_TIMEOUT_MS;
  const indexUrl = getSearchUrl(configuration);
  const { postJson, close } = createPostJson(egress.findProxy);
  const chat = new ChatProviders({
    baseUrl: configuration.LLM_BASE_URL,
    apiKey: configuration.LLM_API_KEY,
    models: [{ use: "chat", name: configuration.LISTING_AGENT_MODEL, variable: "LISTING_AGENT_MODEL" }],
    fallbacks: configuration.LLM_FALLBACKS ?? [],
    fallbackAfterMs: configuration.LLM_FALLBACK_AFTER_MS,
    connection: { egress },
    now,
    log: logger,
  });
  const missing = findMissingSettings(configuration);
  for (const { detail } of missing) logger.warn(detail);
  const speak = speakWith(configuration, observability, chat);

  const source = createCachedSource({
    name: configuration.LISTING_SOURCE_NAME ?? new URL(configuration.LISTING_API_URL).host,
    ttlMs: configuration.LISTING_CACHE_TTL_MS,
    fetchPosts: createListingSite({
      url: configuration.LISTING_API_URL,
      token: configuration.LISTING_API_TOKEN,
      timeoutMs,
      postJson,
      now,
    }),
    searchIndex: createSearchIndex({
      url: indexUrl,
      index: configuration.LISTING_SEARCH_INDEX,
      applicationId: configuration.LISTING_SEARCH_APP_ID,
      apiKey: configuration.LISTING_SEARCH_API_KEY,
      pagesUrl: buildPagesUrl(configuration.LISTING_API_URL),
      timeoutMs,
      postJson,
    }),
    now,
    warn: (details, message) => logger.warn(details, message),
  });
  const timezone = configuration.LISTING_TIMEZONE;
  const context: ActionContext = { source, timezone, maxItems: configuration.LISTING_AGENT_MAX_ITEMS, now };
  const answering: AnswerDependencies = {
    context,
    route: (turns, { timezone: tz, countShown }) =>
      routeConversation(turns, {
        now: new Date(now()),
        timezone: tz !== undefined && isTimezone(tz) ? tz : timezone,
        countShown,
      }),
    chooseCall:
      configuration.LISTING_ROUTING === "provider"
        ? createCallChooser({ speak, context, warn: (details, message) => logger.warn(details, message) })
        : undefined,
    speak,
  };
  // Compile the grammar's patterns now, so that the first message doesn't block the event loop.
  const warmUp = ["the top 3 launches of last week", "and the day before?"];
  routeConversation(warmUp, { now: new Date(now()), timezone, countShown: () => 1 });
  const lifecycle = new Lifecycle({
    graceMs: configuration.SHUTDOWN_GRACE_MS,
    describe: () => ({
      service: "listing",
      provider: chat.report(),
      site: describeSite(source.name, missing),
    }),
  });
  const runs = openRuns("listing", configuration, { lifecycle, logger });
  const app = await createListingApp({
    answer: (question, signal) => answerQuestion(question, answering, signal),
    events: { createId: randomUUID, explain: explainWith((err, message) => logger.warn({ err }, message)) },
    context,
    diagnostics: {
      version: readVersion(import.meta.dirname),
      model: configuration.LISTING_AGENT_MODEL,
      source: source.name,
      timezone,
      token_configured: configuration.LISTING_API_TOKEN !== undefined,
      search_configured: indexUrl !== undefined,
    },
    mcp: {
      tools: createMcpTools(context, async (message, signal) => {
        const words: string[] = [];
        for await (const part of speak(buildPrompt({ message, history: [] }), signal)) {
          if (part.type === "text") words.push(part.text);
        }
        return words.join("");
      }),
      allowedHosts: [...configuration.ALLOWED_HOSTS, ...configuration.MCP_ALLOWED_HOSTS],
    },
    runs,
    heartbeatMs: configuration.STREAM_HEARTBEAT_MS,
    guard,
    corsOrigins: configuration.CORS_ORIGINS,
    lifecycle,
    logger,
  });
  return {
    server: app.server,
    lifecycle,
    readings: [...chat.readings(), ...describeRuns(runs)],
    async close() {
      await runs?.close();
      chat.close();
      return close();
    },
  };
}

function speakWith(configuration: ListingConfiguration, observability: Observability, chat: ChatProviders): Speak {
  const model = configuration.LISTING_AGENT_MODEL;
  return (prompt, signal) =>
    streamAnswer({
      provider: chat,
      model,
      temperature: configuration.LISTING_AGENT_TEMPERATURE,
      bounds: { tokens: limits.answerTokens, totalMs: limits.answerMs },
      ...prompt,
      signal,
      observer: chat.observe(observability.callProvider("chat", model)),
    });
}
