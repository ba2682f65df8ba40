import { expect, test } from "vitest";
import { isListComplete, isOffered } from "./offered-models.ts";

test.each([
  ["gpt-4o", ["gpt-4o"], true],
  ["llama3.2", ["llama3.2:latest"], true],
  ["llama3.2:70b", ["llama3.2:8b"], false],
  ["gemini-2.5-flash", ["models/gemini-2.5-flash"], true],
  ["openai/gpt-4o:nitro", ["openai/gpt-4o"], true],
  ["openai/gpt-4o", ["openai/*"], true],
  ["gpt-4o", ["gpt-4o-mini"], false],
])("%s of %j: %s", (model, listed, expected) => {
  expect(isOffered(model, listed)).toBe(expected);
});

test("a list is incomplete if requests name deployments, or if it leaves out embedding models", () => {
  expect(isListComplete("my.openai.azure.com", "chat")).toBe(false);
  expect(isListComplete("openrouter.ai", "embeddings")).toBe(false);
  expect(isListComplete("openrouter.ai", "chat")).toBe(true);
});
