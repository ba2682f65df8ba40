import { expect, test } from "vitest";
import { z } from "zod";
import {
  findMisspeltVariables,
  providerVariables,
  readConfiguration,
  serviceVariables,
  variables,
} from "./configuration.ts";
import { ConfigurationError } from "./environment-files.ts";

const schema = z.object({ ...serviceVariables(8001), ...providerVariables, CACHE: variables.flag(true) });

function linesFor(environment: Record<string, string>): readonly string[] {
  try {
    readConfiguration(schema, environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
  }
  return [];
}

test("a service with nothing but a key runs on its defaults", () => {
  expect(readConfiguration(schema, { LLM_API_KEY: "k" })).toEqual({
    PORT: 8001,
    HOST: "127.0.0.1",
    WORKERS: 1,
    ALLOWED_HOSTS: [],
    METRICS_HOST: "127.0.0.1",
    LOG_LEVEL: "info",
    STREAM_HEARTBEAT_MS: 15_000,
    SHUTDOWN_GRACE_MS: 10_000,
    MAX_STREAMS: 20_000,
    MAX_STREAMS_PER_KEY: 1_000,
    MAX_INGESTS: 1_000,
    MAX_INGESTS_PER_KEY: 32,
    MAX_SEARCHES: 1_000,
    MAX_SEARCHES_PER_KEY: 32,
    RATE_LIMIT_PER_KEY: 6_000,
    RATE_LIMIT_PER_ADDRESS: 0,
    TRUSTED_PROXIES: 0,
    LLM_API_KEY: "k",
    LLM_BASE_URL: "https://api.openai.com/v1",
    LLM_FALLBACK_AFTER_MS: 30_000,
    CACHE: true,
  });
});

test("every wrong variable gets one line that names it and says what would be right", () => {
  const lines = linesFor({ PORT: "eighty", LLM_BASE_URL: "ftp://x", CACHE: "maybe", SHUTDOWN_GRACE_MS: "-1" });
  expect(lines).toEqual([
    "PORT must be a whole number from 0 to 65535, such as 8001",
    "SHUTDOWN_GRACE_MS must be a whole number of milliseconds from 0 to 2147483647, such as 10000",
    "LLM_API_KEY is missing: set it to the key of your model provider",
    "LLM_BASE_URL must be an http or https address, such as https://api.openai.com/v1",
    "CACHE must be true or false",
  ]);
});

test("a blank variable counts as absent", () => {
  expect(linesFor({ LLM_API_KEY: "  " })).toEqual(["LLM_API_KEY is missing: set it to the key of your model provider"]);
  expect(readConfiguration(schema, { LLM_API_KEY: "k", PORT: "" }).PORT).toBe(8001);
});

test.each([
  ["false", false],
  ["0", false],
  ["no", false],
  ["true", true],
])("a flag set to %s is %s", (text, value) => {
  expect(readConfiguration(schema, { LLM_API_KEY: "k", CACHE: text }).CACHE).toBe(value);
});

test.each([
  ["http://localhost:11434/v1/chat/completions", /^LLM_BASE_URL must be the base URL, without \/chat\/completions/],
  ["https://llm.example/v1?api-version=1", /^LLM_BASE_URL must not have a query/],
])("LLM_BASE_URL=%s is refused", (LLM_BASE_URL, message) => {
  expect(linesFor({ LLM_API_KEY: "k", LLM_BASE_URL })).toEqual([expect.stringMatching(message)]);
});

test("quotes that a container's environment keeps are refused, not taken for part of a model's name, a key or a folder", () => {
  expect(linesFor({ LLM_API_KEY: '"sk-secret"', AUTH_KEYS_FILE: " './keys.json' ", OTHER_PROGRAM: '"x"' })).toEqual([
    "AUTH_KEYS_FILE is in quotes, which are part of the value: remove them",
    "LLM_API_KEY is in quotes, which are part of the value: remove them",
  ]);
});

test.each(["redis://127.0.0.1:6379/cache", "redis://:pass/word@host:6379", "http://127.0.0.1:6379", "127.0.0.1:6379"])(
  "RATE_LIMIT_URL=%s is refused",
  (RATE_LIMIT_URL) => {
    expect(linesFor({ LLM_API_KEY: "k", RATE_LIMIT_URL })).toEqual([
      "RATE_LIMIT_URL must be the address of a Redis server, such as redis://127.0.0.1:6379 or redis://:password@127.0.0.1:6379/0",
    ]);
  },
);

test("an address loses the slash at its end, so that paths can follow", () => {
  const { LLM_BASE_URL } = readConfiguration(schema, { LLM_API_KEY: "k", LLM_BASE_URL: "http://localhost:11434/v1/" });
  expect(LLM_BASE_URL).toBe("http://localhost:11434/v1");
});

test("an IPv6 address to listen on may be in brackets, as the log shows it", () => {
  const { HOST, METRICS_HOST } = readConfiguration(schema, { LLM_API_KEY: "k", HOST: "[::1]", METRICS_HOST: "::" });
  expect([HOST, METRICS_HOST]).toEqual(["::1", "::"]);
});

test("origins are a list, and any where none are named", () => {
  const read = (CORS_ORIGINS: string) => readConfiguration(schema, { LLM_API_KEY: "k", CORS_ORIGINS }).CORS_ORIGINS;
  expect(read("")).toBeUndefined();
  expect(read("*")).toBeUndefined();
  expect(read("https://chat.example.com/, http://localhost:3000")).toEqual([
    "https://chat.example.com",
    "http://localhost:3000",
  ]);
  for (const wrong of ["chat.example.com", "https://chat.example.com/path", "null", ","]) {
    expect(linesFor({ LLM_API_KEY: "k", CORS_ORIGINS: wrong })).toEqual([
      expect.stringMatching(/^CORS_ORIGINS must be \* or a list of origins/),
    ]);
  }
});

test("further providers are named by address, the variable of the key and model", () => {
  const LLM_FALLBACKS = "https://b.example/v1/ B_KEY org/small,\n\n http://127.0.0.1:8000/v1 - qwen3,";
  const read = readConfiguration(schema, { LLM_API_KEY: "k", LLM_FALLBACKS, B_KEY: "secret" }).LLM_FALLBACKS;
  expect(read).toEqual([
    { baseUrl: "https://b.example/v1", keyVariable: "B_KEY", apiKey: "secret", model: "org/small" },
    { baseUrl: "http://127.0.0.1:8000/v1", keyVariable: undefined, apiKey: "", model: "qwen3" },
  ]);
});

test.each([
  ["https://b.example/v1 B_KEY", /^LLM_FALLBACKS entry 1 must be ADDRESS KEY_VARIABLE MODEL, such as /],
  ["https://b.example - small, ftp://c.example C_KEY small", /^LLM_FALLBACKS entry 2 must be ADDRESS/],
  [
    "https://b.example/v1/chat/completions/ - small",
    /^LLM_FALLBACKS entry 1: the address must be the base URL, without \/chat\/completions/,
  ],
  ["https://b.example/v1?key=k - small", /^LLM_FALLBACKS entry 1: the address must not have a query/],
  [",", /^LLM_FALLBACKS must name providers, each as ADDRESS KEY_VARIABLE MODEL/],
  ["https://b.example sk-abc small", /^LLM_FALLBACKS entry 1 must name the variable that holds the key/],
  ["https://b.example B_KEY small", /^LLM_FALLBACKS entry 1: the variable of the key of b\.example is not set$/],
  [Array(9).fill("https://b.example - small").join(), /^LLM_FALLBACKS must name at most 8 providers, not 9$/],
])("LLM_FALLBACKS=%s is refused, without repeating a key", (LLM_FALLBACKS, message) => {
  const lines = linesFor({ LLM_API_KEY: "k", LLM_FALLBACKS });
  expect(lines).toEqual([expect.stringMatching(message)]);
  expect(lines.join()).not.toContain("sk-abc");
});

test("a variable that nobody reads is named if it nearly has the name of one", () => {
  const environment = {
    LLM_BASE_ULR: "http://x",
    loglevel: "info",
    KNOWLEDGE_PROT: "1",
    LISTING_PORT: "2",
    EDITOR: "vi",
  };
  expect(findMisspeltVariables(schema, environment)).toEqual([
    "LLM_BASE_ULR is not a known variable: did you mean LLM_BASE_URL?",
    "loglevel is not a known variable: did you mean LOG_LEVEL?",
    "KNOWLEDGE_PROT is not a known variable: did you mean KNOWLEDGE_PORT?",
  ]);
});
