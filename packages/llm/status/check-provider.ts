import { ProxyError } from "@agent-backends/kit/egress";
import { clientCertificatePage } from "../errors/failures.ts";
import { tryParseJson } from "../json.ts";
import type { Provider } from "../provider.ts";
import { receiveBody } from "../transport/receive-body.ts";
import type { ProviderFailure } from "./failure.ts";
import { diagnoseAnswer, diagnoseProxy, diagnoseSilence, lacksCertificate } from "./failure.ts";

/** The largest known model list, OpenRouter's, is smaller than one megabyte. */
const maxListBytes = 2 * 1024 * 1024;

export type ProviderCheck =
  | { kind: "failed"; failure: ProviderFailure }
  | {
      kind: "answered";
      /** Ids of the models, or undefined if the provider has no list. */
      models: string[] | undefined;
      /** Whether the response depended on the key, which proves that the key is valid. */
      provesKey: boolean;
      isOffline: boolean;
    };

interface Answer {
  status: number;
  contentType: string;
  /** Undefined if the body is too large. */
  body: string | undefined;
}

/** OpenRouter's model list is public. The response of this path depends on the key. */
const keyPaths: Record<string, string> = { "openrouter.ai": "/key" };

/** Checks whether a provider accepts the key, and lists its models. This uses no tokens. Throws only the signal's reason. */
export async function checkProvider(
  provider: Provider,
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number },
): Promise<ProviderCheck> {
  const { baseUrl, secrets } = provider;
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  const ask = (path: string, { withKey } = { withKey: true }) => get(provider, path, withKey, either);
  try {
    const keyPath = keyPaths[new URL(baseUrl).hostname];
    const keyAnswer = keyPath === undefined ? undefined : await ask(keyPath);
    const answer = keyAnswer === undefined || isSuccess(keyAnswer) ? await ask("/models") : keyAnswer;
    const failure = findFailure(answer, baseUrl);
    if (failure) return { kind: "failed", failure };
    const list = isSuccess(answer) ? readList(answer.body) : undefined;
    const isOffline = list !== undefined && list.length > 0 && list.every((model) => model.owner === "offline");
    return {
      kind: "answered",
      models: list?.map(({ id }) => id),
      isOffline,
      provesKey:
        isOffline ||
        secrets.every((key) => key === "") ||
        keyAnswer !== undefined ||
        // A public list proves nothing about the key.
        (list !== undefined && isRefusal(await ask("/models", { withKey: false }))),
    };
  } catch (error) {
    signal.throwIfAborted();
    const cause = (error as Error).cause ?? error;
    if (cause instanceof ProxyError) return { kind: "failed", failure: diagnoseProxy(cause, baseUrl) };
    const { code } = cause as NodeJS.ErrnoException;
    return { kind: "failed", failure: diagnoseSilence({ code, timedOut: deadline.aborted }, baseUrl) };
  }
}

async function get(provider: Provider, path: string, withKey: boolean, signal: AbortSignal): Promise<Answer> {
  const options = { signal, maxBytes: maxListBytes };
  const { head, body } = await receiveBody((handler) => provider.openGet(path, handler, { withKey }), options);
  const text = body?.bytes().toString("utf8");
  body?.release();
  return { status: head.status, contentType: head.headers["content-type"] ?? "", body: text };
}

const isSuccess = ({ status }: Answer) => status >= 200 && status < 300;
const isRefusal = ({ status }: Answer) => status >= 400 && status < 500 && status !== 429;

function findFailure(answer: Answer, baseUrl: string): ProviderFailure | undefined {
  const { status, contentType, body = "" } = answer;
  if (clientCertificatePage.test(body)) return lacksCertificate(baseUrl);
  const isForeign = isSuccess(answer) && /\bhtml\b/i.test(contentType);
  // Gemini rejects a key with 400.
  const isAboutKey = status === 400 && /api.?key|authorization/i.test(body);
  // Many gateways have no model list, which isn't a failure.
  if (status === 404 || status === 405 || status === 501) return undefined;
  return diagnoseAnswer({ status: isAboutKey ? 401 : status, isForeign }, baseUrl);
}

function readList(body: string | undefined): { id: string; owner: unknown }[] | undefined {
  const { data } = (tryParseJson(body ?? "") ?? {}) as { data?: unknown };
  if (!Array.isArray(data)) return undefined;
  return data
    .filter((model): model is { id: string; owned_by?: unknown } => typeof model?.id === "string")
    .map(({ id, owned_by }) => ({ id, owner: owned_by }));
}
