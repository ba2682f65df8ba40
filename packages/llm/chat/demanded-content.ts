import type { BodyFallback } from "../transport/provider-stream.ts";

/** What some providers demand of the answers with tool calls in a conversation. */
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
 * Fallbacks for a conversation whose tool calls come from another model, from the service itself, or from a client that keeps no
 * signatures.
 *
 * @param must is changed to what the provider demands
 * @param body builds the body anew, with placeholders for that
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
