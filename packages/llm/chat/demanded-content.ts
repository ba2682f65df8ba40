import type { BodyFallback } from "../transport/provider-stream.ts";

/** Values that some providers require in the conversation's messages with tool calls. */
export interface DemandedContent {
  /** Google: the signatures of the calls. */
  signatures: boolean;
  /** DeepSeek: the model's `reasoning_content`. */
  reasoningContent: boolean;
}

const refusals = {
  signatures: /missing a.{0,3}thought_signature/i,
  reasoningContent: /reasoning_content.{0,40}must be passed back|missing.{0,3}reasoning_content/i,
};

/** Google's placeholder for a call whose signature is unknown: https://ai.google.dev/gemini-api/docs/thought-signatures */
export const unknownSignature = { google: { thought_signature: "skip_thought_signature_validator" } };

/**
 * Fallbacks for a conversation whose tool calls come from another model, from the service itself, or from a client that stores no
 * signatures.
 *
 * @param must updated to what the provider requires
 * @param body builds the body again, with placeholders for the required values
 */
export function fallBackOnDemand(must: DemandedContent, body: BodyFallback["body"]): BodyFallback[] {
  return (["signatures", "reasoningContent"] as const).map((part) => ({
    refused: refusals[part],
    isLearned: true,
    body() {
      must[part] = true;
      return body();
    },
  }));
}
