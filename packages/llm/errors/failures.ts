import type { IncomingHttpHeaders } from "node:http";
import { ConnectTimeoutError } from "./connect-timeout-error.ts";
import { HttpSyntaxError } from "./http-syntax-error.ts";
import { ProviderError } from "./provider-error.ts";
import { readRetryAfterMs } from "./retry.ts";
import { GENERIC_PROVIDER_MESSAGE, safeProviderMessage } from "./safe-message.ts";

/** The error for an answer that is no stream. It says the provider's own words where these are safe. */
export function answerError(
  answer: { status: number; headers: IncomingHttpHeaders; body: string },
  secrets: readonly string[],
): ProviderError {
  const { status } = answer;
  if (status >= 300 && status < 400) {
    const message = "The model provider answered with a redirect, which is not followed.";
    return new ProviderError("http_status", message, { status });
  }
  const encoding = answer.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    const message = "The model provider packed its answer in a way that can't be unpacked.";
    return new ProviderError(status < 300 ? "invalid" : "http_status", message, { status });
  }
  const body = parsed(answer.body);
  const told = safeProviderMessage(body, secrets);
  const own = told === GENERIC_PROVIDER_MESSAGE ? undefined : told;
  if (status < 300) {
    const ownOfObject = typeof body === "object" ? own : undefined;
    return new ProviderError("invalid", ownOfObject ?? "The model provider did not answer with a stream.", {
      status,
      isQuoted: ownOfObject !== undefined,
    });
  }
  const kind = status === 401 || status === 403 ? "refused" : "http_status";
  return new ProviderError(kind, own ?? `The model provider answered with status ${status}.`, {
    status,
    isQuoted: own !== undefined,
    ...retryAfter(answer.headers),
  });
}

/** The error for a packed answer that is not what it says it is. */
export function unpackingError(cause: Error): ProviderError {
  return new ProviderError("invalid", "The model provider's answer could not be unpacked.", { cause });
}

/** The error for a provider that says nothing for too long. */
export function silenceError(heardBytes: boolean): ProviderError {
  const message = heardBytes
    ? "The model provider fell silent in the middle of its answer."
    : "The model provider did not answer in time.";
  return new ProviderError("timed_out", message);
}

// Node's codes for certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes
const certificateCode = /CERT|^UNABLE_TO_|SIGNED|^ERR_TLS_|^HOSTNAME_MISMATCH$/;

/** The error for a connection that was not made, or broke. */
export function transportError(cause: Error, heardBytes: boolean): ProviderError {
  if (cause instanceof HttpSyntaxError) {
    return new ProviderError("invalid", "The model provider's answer is not valid HTTP.", { cause });
  }
  if (heardBytes) return new ProviderError("cut", "The model provider's answer broke off before its end.", { cause });
  const { code } = cause as { code?: unknown };
  if (code === "UND_ERR_CONNECT_TIMEOUT" || cause instanceof ConnectTimeoutError) {
    return new ProviderError("timed_out", "The model provider could not be reached in time.", { cause });
  }
  const untrusted = typeof code === "string" && certificateCode.test(code);
  const message = untrusted
    ? "The model provider could not be reached: its certificate is not trusted."
    : "The model provider could not be reached.";
  return new ProviderError("unreachable", message, { cause });
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function retryAfter(headers: IncomingHttpHeaders): { retryAfterMs?: number } {
  const field = (name: string) => headers[name]?.toString() ?? null;
  const retryAfterMs = readRetryAfterMs({ get: field }, Date.now());
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}
