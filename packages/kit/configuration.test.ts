import { expect, test } from "vitest";
import { z } from "zod";
import {
  ConfigurationError,
  providerVariables,
  readConfiguration,
  serviceVariables,
  variables,
} from "./configuration.ts";

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

test("an address loses the slash at its end, so that paths can follow", () => {
  const { LLM_BASE_URL } = readConfiguration(schema, { LLM_API_KEY: "k", LLM_BASE_URL: "http://localhost:11434/v1/" });
  expect(LLM_BASE_URL).toBe("http://localhost:11434/v1");
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
