import { createLogger, readConfiguration } from "@agent-backends/kit";
import { directEgress } from "@agent-backends/kit/egress";
import { expect, test } from "vitest";
import { relayVariables, toRelayOptions } from "./configuration.ts";
import { defaultOptions, parseOptions } from "./options.ts";

const logger = createLogger("relay", "silent");
const runOwner = expect.any(Function);

test("each variable sets its option, and has the option's default", () => {
  const defaults = readConfiguration(relayVariables, { LLM_API_KEY: "key" });
  expect(toRelayOptions(defaults, logger, directEgress)).toEqual({
    ...defaultOptions,
    apiKey: "key",
    keyVariable: "LLM_API_KEY",
    runOwner,
    logger,
  });
  const given = readConfiguration(relayVariables, {
    LLM_API_KEY: "key",
    LLM_BASE_URL: "http://127.0.0.1:1/v1/",
    RELAY_MODEL: "small",
    LLM_FALLBACK_AFTER_MS: "8",
    LLM_FALLBACKS: "https://b.example/v1 B_KEY small",
    B_KEY: "key-b",
    RELAY_PROFILE: "ag-ui",
    STREAM_HEARTBEAT_MS: "1",
    RELAY_CONNECT_TIMEOUT_MS: "2",
    RELAY_FIRST_TOKEN_TIMEOUT_MS: "3",
    RELAY_IDLE_TIMEOUT_MS: "4",
    RELAY_RUN_TIMEOUT_MS: "5",
    RELAY_MAX_TOKENS: "6",
    SHUTDOWN_GRACE_MS: "7",
    RUNS_URL: "redis://127.0.0.1:6379",
    RUN_RETENTION_MS: "8",
    RUN_ORPHAN_MS: "9",
  });
  expect(toRelayOptions(given, logger, directEgress)).toEqual({
    apiKey: "key",
    keyVariable: "LLM_API_KEY",
    baseUrl: "http://127.0.0.1:1/v1",
    model: "small",
    fallbackAfterMs: 8,
    fallbacks: [{ baseUrl: "https://b.example/v1", keyVariable: "B_KEY", apiKey: "key-b", model: "small" }],
    profile: "ag-ui",
    heartbeatMs: 1,
    connectTimeoutMs: 2,
    firstTokenTimeoutMs: 3,
    idleTimeoutMs: 4,
    runTimeoutMs: 5,
    maxTokens: 6,
    shutdownGraceMs: 7,
    runsUrl: "redis://127.0.0.1:6379",
    runRetentionMs: 8,
    runOrphanMs: 9,
    runOwner,
    logger,
    egress: directEgress,
  });
});

test("undefined options have their defaults, and a slash at the end of the address is dropped", () => {
  expect(parseOptions({ baseUrl: undefined, model: undefined, logger })).toEqual({ ...defaultOptions, logger });
  expect(parseOptions({ baseUrl: "http://localhost/v1/" }).baseUrl).toBe("http://localhost/v1");
});

test.each([
  [{ baseUrl: "nowhere" }, "baseUrl must be an http or https address"],
  [{ baseUrl: "ftp://example.com" }, "baseUrl must be an http or https address"],
  [{ baseUrl: "https://a.example/v1/chat/completions" }, "baseUrl must be the base URL, without /chat/completions"],
  [{ apiKey: "a b" }, "apiKey must be visible ASCII characters without spaces"],
  [{ runOwner: "me" } as object, "runOwner must be a function"],
  [{ profile: "both" as "auto" }, "profile must be one of contract, ag-ui, ag-ui-0, auto"],
  [{ runTimeoutMs: 0 }, "runTimeoutMs must be a whole number of milliseconds from 1 to 2147483647"],
  [{ modle: "small" } as object, "modle is not an option of the relay"],
  [{ maxTokens: 1.5 }, "maxTokens must be a whole number of tokens from 1 to 1000000000"],
])("%j is refused by name", (options, message) => {
  expect(() => parseOptions(options)).toThrow(message);
});
