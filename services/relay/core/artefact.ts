import { createHash } from "node:crypto";
import { limits } from "@agent-backends/contract";
import type { CompletionChunk, ReasoningField } from "@agent-backends/llm";
import { reasoningFields } from "@agent-backends/llm";
import { z } from "zod";

export interface ModelIdentity {
  /** Identifies the model without naming the provider's address, which clients must not see. */
  readonly origin: string;
  /** The provider's name in AG-UI, such as `openai`, if known. */
  readonly vendor: string | undefined;
}

/** Values that a provider wants back unchanged with a message or tool call. */
export interface Artefact {
  /** The field in which the text of a reasoning message is returned. */
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

/** @param name the host of the provider's URL, a space, and the model */
export function identifyModel(name: string): ModelIdentity {
  const origin = createHash("sha256").update(name).digest("base64url").slice(0, 16);
  return { origin, vendor: vendors[name.slice(0, name.indexOf(" "))] };
}

const sealedSchema = z.object({
  origin: z.string(),
  reasoning: z.enum([...reasoningFields, "thinking"]).optional(),
  details: z.array(z.record(z.string(), z.unknown())).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
});

/** Builds an AG-UI `encryptedValue`. It identifies the model that the artefact comes from, because no other model may receive it. */
export function sealArtefact({ origin }: ModelIdentity, artefact: Artefact): string | undefined {
  const value = JSON.stringify({ origin, ...artefact });
  return value.length <= limits.encryptedValueCharacters ? value : undefined;
}

/** Opens an `encryptedValue`. Undefined if it comes from another model or another service. */
export function openArtefact({ origin }: ModelIdentity, value: string): Artefact | undefined {
  // Parse only the relay's own values.
  if (!value.startsWith(JSON.stringify({ origin }).slice(0, -1)) || countValues(value) > limits.jsonValues)
    return undefined;
  try {
    return sealedSchema.parse(JSON.parse(value));
  } catch {
    return undefined;
  }
}

/** An upper bound for the number of values in a JSON text. */
function countValues(json: string): number {
  let count = 1;
  for (let at = json.indexOf(","); at !== -1; at = json.indexOf(",", at + 1)) count += 1;
  return count;
}

/** Collects the values that a provider sends in addition to an answer's text. */
export class AnswerArtefact {
  #details: Record<string, unknown>[] = [];
  #characters = 0;
  #extra: object | undefined;

  /** Whether the values exceed the size of an `encryptedValue`. The provider would refuse an incomplete value, so nothing is kept. */
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

  /** Text arrives in pieces, but must be returned as a whole. */
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
