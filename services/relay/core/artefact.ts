import { createHash } from "node:crypto";
import { limits } from "@agent-backends/contract";
import type { CompletionChunk, ReasoningField } from "@agent-backends/llm";
import { z } from "zod";

export interface ModelIdentity {
  /** Tells models apart without naming the provider's address, which clients must not see. */
  readonly origin: string;
  /** The provider's name in AG-UI, such as `openai`, where it is known. */
  readonly vendor: string | undefined;
}

/** What a provider wants back together with a message or a tool call, as it sent it. */
export interface Artefact {
  /** The field in which the text of a reasoning message goes back. */
  reasoning?: ReasoningField | undefined;
  /** OpenRouter's `reasoning_details`. */
  details?: readonly unknown[] | undefined;
  /** Google's `extra_content`, which holds a thought signature. */
  extra?: object | undefined;
}

const vendors: Readonly<Record<string, string>> = {
  "api.anthropic.com": "anthropic",
  "api.deepseek.com": "deepseek",
  "api.groq.com": "groq",
  "api.mistral.ai": "mistral",
  "api.openai.com": "openai",
  "api.x.ai": "xai",
  "generativelanguage.googleapis.com": "google",
  "openrouter.ai": "openrouter",
};

/** @param name the host of the provider's address, a space, and the model */
export function identifyModel(name: string): ModelIdentity {
  const origin = createHash("sha256").update(name).digest("base64url").slice(0, 16);
  return { origin, vendor: vendors[name.slice(0, name.indexOf(" "))] };
}

const sealed = z.object({
  origin: z.string(),
  reasoning: z.enum(["reasoning_content", "reasoning", "thinking"]).optional(),
  details: z.array(z.record(z.string(), z.unknown())).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
});

/** Makes an AG-UI `encryptedValue`. It names the model that the artefact is from, because no other model may get it. */
export function sealArtefact({ origin }: ModelIdentity, artefact: Artefact): string | undefined {
  const value = JSON.stringify({ origin, ...artefact });
  return value.length <= limits.encryptedValueCharacters ? value : undefined;
}

/** Opens an `encryptedValue`. Undefined if another model, or another service, made it. */
export function openArtefact({ origin }: ModelIdentity, value: string): Artefact | undefined {
  // Only the relay's own values are parsed.
  if (!value.startsWith(JSON.stringify({ origin }).slice(0, -1)) || countValues(value) > limits.jsonValues)
    return undefined;
  try {
    return sealed.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}

/** At least the number of values in a JSON text. */
function countValues(json: string): number {
  let count = 1;
  for (let at = json.indexOf(","); at !== -1; at = json.indexOf(",", at + 1)) count += 1;
  return count;
}

/** Collects what a provider sends beside the text of an answer. */
export class AnswerArtefact {
  #details: Record<string, unknown>[] = [];
  #characters = 0;
  #extra: object | undefined;

  /** Whether the provider sent more than an `encryptedValue` can hold. It would refuse a part, so nothing is kept. */
  get isTooLarge(): boolean {
    return this.#characters > limits.encryptedValueCharacters;
  }

  add({ reasoningDetails, extraContent }: CompletionChunk): void {
    this.#extra = extraContent ?? this.#extra;
    for (const detail of reasoningDetails) this.#addDetail(detail);
  }

  get(): Artefact | undefined {
    const details = this.#details.length > 0 && !this.isTooLarge ? this.#details : undefined;
    return details || this.#extra ? { details, extra: this.#extra } : undefined;
  }

  /** Text arrives in pieces, and goes back whole. */
  #addDetail(detail: Record<string, unknown>): void {
    this.#characters += JSON.stringify(detail).length;
    if (this.isTooLarge) {
      this.#details = [];
      return;
    }
    const last = this.#details.at(-1);
    const continues = last && last.type === detail.type && last.index === detail.index;
    if (!continues || detail.type === "reasoning.encrypted") {
      this.#details.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const isPiece = (name === "text" || name === "summary") && typeof value === "string";
      if (isPiece) last[name] = `${last[name] ?? ""}${value}`;
      else if (value !== null && value !== undefined) last[name] = value;
    }
  }
}
