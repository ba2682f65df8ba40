import type { ProviderOptions } from "../chat/types.ts";
import type { ProviderAnswer } from "./ask-provider.ts";
import { askProvider } from "./ask-provider.ts";
import type { ProviderFailure } from "./failure.ts";
import { diagnoseAnswer, diagnoseSilence } from "./failure.ts";

/** What a check found out. It costs no tokens: it asks for the list of models. */
export type ProviderCheck =
  | { kind: "failed"; failure: ProviderFailure }
  | {
      kind: "answered";
      /** The ids of the models; undefined where the provider has no list. */
      models: string[] | undefined;
      /** Whether the answer depended on the key, so that the key is a valid one. */
      provesKey: boolean;
      /** Whether it is the offline provider. */
      isOffline: boolean;
    };

/** OpenRouter's list is open to all; this address tells of the key that it is asked with. */
const keyPaths: Record<string, string> = { "openrouter.ai": "/key" };

/** Asks a provider whether it takes the key, and for its models. Throws only the reason of a signal that aborts. */
export async function checkProvider(
  { baseUrl, apiKey }: ProviderOptions,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<ProviderCheck> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const ask = (path: string, key = apiKey) =>
    askProvider(baseUrl, path, { apiKey: key, signal: AbortSignal.any([signal, deadline]) });
  try {
    const keyPath = keyPaths[new URL(baseUrl).hostname];
    const keyAnswer = keyPath === undefined ? undefined : await ask(keyPath);
    const answer = keyAnswer === undefined || isSuccess(keyAnswer) ? await ask("/models") : keyAnswer;
    const failure = failureOf(answer, baseUrl);
    if (failure) return { kind: "failed", failure };
    const list = isSuccess(answer) ? readList(answer.body) : undefined;
    const isOffline = list !== undefined && list.length > 0 && list.every((model) => model.owner === "offline");
    return {
      kind: "answered",
      models: list?.map(({ id }) => id),
      isOffline,
      provesKey:
        isOffline ||
        apiKey === "" ||
        keyAnswer !== undefined ||
        // A list that is open to all says nothing of the key.
        (list !== undefined && isRefusal(await ask("/models", ""))),
    };
  } catch (error) {
    signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    return { kind: "failed", failure: diagnoseSilence({ code, timedOut: deadline.aborted }, baseUrl) };
  }
}

const isSuccess = ({ status }: ProviderAnswer) => status >= 200 && status < 300;
const isRefusal = ({ status }: ProviderAnswer) => status >= 400 && status < 500 && status !== 429;

function failureOf(answer: ProviderAnswer, baseUrl: string): ProviderFailure | undefined {
  const { status, contentType, body = "" } = answer;
  const isForeign = isSuccess(answer) && /\bhtml\b/i.test(contentType);
  // Gemini refuses a key with 400.
  const isAboutKey = status === 400 && /api.?key|authorization/i.test(body);
  // Many gateways have no list of models: that is no failure.
  if (status === 404 || status === 405 || status === 501) return undefined;
  return diagnoseAnswer({ status: isAboutKey ? 401 : status, isForeign }, baseUrl);
}

function readList(body: string | undefined): { id: string; owner: unknown }[] | undefined {
  try {
    const { data } = JSON.parse(body ?? "") as { data?: unknown };
    if (!Array.isArray(data)) return undefined;
    return data
      .filter((model): model is { id: string; owned_by?: unknown } => typeof model?.id === "string")
      .map(({ id, owned_by }) => ({ id, owner: owned_by }));
  } catch {
    return undefined;
  }
}
