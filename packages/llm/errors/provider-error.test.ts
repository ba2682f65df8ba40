import { expect, test } from "vitest";
import { explainProviderError, ProviderError } from "./provider-error.ts";

const own = "Own words.";
test.each([
  [new ProviderError("refused", own, { status: 401, isQuoted: true }), "The model provider rejected the API key."],
  [
    new ProviderError("refused", own, { status: 403, isQuoted: true }),
    "The model provider doesn't allow this request; its reason is in the service's log.",
  ],
  [
    new ProviderError("http_status", own, { status: 429, retryAfterMs: 19_500, isQuoted: true }),
    "The model provider's rate limit or credit is used up; try again in 20 s.",
  ],
  [
    new ProviderError("http_status", own, { status: 503, isQuoted: true }),
    "The model provider is overloaded; try again later.",
  ],
  [
    new ProviderError("http_status", own, { status: 500, isQuoted: true }),
    "The model provider failed (status 500); try again later.",
  ],
  [
    new ProviderError("http_status", own, { status: 400, isQuoted: true }),
    "The model provider rejected the request (status 400); its reason is in the service's log.",
  ],
  [
    new ProviderError("invalid", own, { isQuoted: true }),
    "The model provider failed; its reason is in the service's log.",
  ],
  [
    new ProviderError("unreachable", "The model provider could not be reached."),
    "The model provider could not be reached.",
  ],
])("%o", (error, expected) => {
  expect(explainProviderError(error)).toBe(expected);
});
