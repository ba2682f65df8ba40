import { expect, test } from "vitest";
import { toAnswerError } from "./failures.ts";
import { mayAnswerElsewhere } from "./retry.ts";

const errorFor = (status: number, message: string) =>
  toAnswerError({ status, headers: {}, body: JSON.stringify({ error: { message } }) }, []);

test.each([
  ["OpenAI", "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens."],
  ["Anthropic", "prompt is too long: 210000 tokens > 200000 maximum"],
  ["Gemini", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."],
  ["llama.cpp", "the request exceeds the available context size (4096 tokens), try increasing it"],
  ["xAI", "This model's maximum prompt length is 131072 but the request contains 200000 tokens."],
  ["Groq", "The model `mixtral-8x7b-32768` has been decommissioned and is no longer supported."],
  ["DeepSeek", "Model Not Exist"],
  ["Mistral", "Invalid model: mistral-huge-9"],
  ["a model without images", "Invalid content type. image_url is only supported by certain models."],
  ["Ollama", "registry.ollama.ai/library/gemma:2b does not support tools"],
])("another model may answer what the model of %s can't", (_provider, message) => {
  expect(errorFor(400, message).isRequestTooLarge).toBe(true);
  expect(mayAnswerElsewhere(errorFor(422, message))).toBe(true);
});

test.each([
  [400, "Invalid schema for function 'get_weather': 'object' is not of type 'string'."],
  [400, "messages: at least one message is required"],
  [400, "An assistant message with 'tool_calls' must be followed by tool messages."],
  [422, "temperature must be between 0 and 2"],
  [409, "Conflict."],
])("a request that a provider rejects with %i %s is rejected at once", (status, message) => {
  expect(mayAnswerElsewhere(errorFor(status, message))).toBe(false);
});
