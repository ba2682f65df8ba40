import { ProxyError } from "@agent-backends/kit/egress";
import { tryParseJson } from "../json.ts";
import { ProviderError } from "./provider-error.ts";
import { parseRetryAfterMs } from "./retry.ts";
import { genericProviderMessage, safeProviderMessage } from "./safe-message.ts";

/** The response isn't valid HTTP/1.1, or its length headers contradict each other. */
export class HttpSyntaxError extends Error {
  override readonly name = "HttpSyntaxError";
}

export class ConnectTimeoutError extends Error {
  override readonly name = "ConnectTimeoutError";
}

/**
 * Error messages for a valid request whose model is unknown, has too small a context or lacks a feature. OpenAI sends
 * `context_length_exceeded`, Mistral `invalid_model`, vLLM "maximum context length", Gemini "input token count".
 */
const contextTooLong =
  /context.?(length|window|size)|(maximum|max) (prompt|input|context)|(input token count|prompt|input|request|messages?) (is |are )?(too (long|large)|exceed)|exceeds? the (maximum|available|model)|too many (input |prompt )?tokens|does(n't| not) support (tools|images|vision|function)|(model_not_found|invalid_model|model_decommissioned)|\bmodel\b.{0,80}(no(t| longer) (exist|found|available|supported)|does(n't| not) (exist|support)|decommissioned|deprecated)|(invalid|unknown) model|only supported by certain models/i;

/** nginx's error page for a client without a certificate or with a wrong one. nginx sends it over an accepted connection. */
export const clientCertificatePage = /<title>400 (No required SSL certificate was sent|The SSL certificate error)/;
const asksForCertificate = "it asks for a client certificate that it accepts.";

/** The error for an unexpected response. It quotes the provider if its message is safe to show. */
export function toAnswerError(
  answer: { status: number; headers: Readonly<Record<string, string>>; body: string },
  secrets: readonly string[],
): ProviderError {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    const message = "The model provider answered with a redirect, which is not followed.";
    return new ProviderError("http_status", message, { status });
  }
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") {
    const message = "The model provider compressed its answer in a format that isn't supported.";
    return new ProviderError(status < 300 ? "invalid" : "http_status", message, { status });
  }
  const json = tryParseJson(answer.body);
  const message = safeProviderMessage(json === undefined ? answer.body : json, secrets);
  // Text with a success status is content, not an explanation.
  const isQuoted = message !== genericProviderMessage && (status >= 300 || typeof json === "object");
  if (status < 300) {
    const text = isQuoted ? message : "The model provider did not answer with a stream.";
    return new ProviderError("invalid", text, { status, isQuoted });
  }
  if (clientCertificatePage.test(answer.body)) {
    return new ProviderError("http_status", `The model provider refused the request: ${asksForCertificate}`, {
      status,
    });
  }
  const kind = status === 401 || status === 403 ? "refused" : "http_status";
  const text = isQuoted ? message : `The model provider answered with status ${status}.`;
  return new ProviderError(kind, text, {
    status,
    isQuoted,
    retryAfterMs: parseRetryAfterMs(headers, Date.now()),
    isRequestTooLarge: status === 413 || ((status === 400 || status === 422) && contextTooLong.test(answer.body)),
  });
}

/** The error for a damaged compressed body. */
export function toDecodingError(cause: Error): ProviderError {
  return new ProviderError("invalid", "The model provider's answer could not be decompressed.", { cause });
}

/** The error for a provider that sent nothing for too long. */
export function buildTimeoutError(hasBegun: boolean): ProviderError {
  const message = hasBegun
    ? "The model provider fell silent in the middle of its answer."
    : "The model provider did not answer in time.";
  return new ProviderError("timed_out", message);
}

// Node.js error codes for certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes
export const certificateCode = /CERT|^UNABLE_TO_|SIGNED|^ERR_TLS_|^HOSTNAME_MISMATCH$/;

/** Those whose certificate no further authority makes valid. */
export const outdatedCertificateCode = /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/;

/** OpenSSL codes for a server that rejects the client's certificate, or requires one. */
export const clientCertificateCode = /^ERR_SSL_.*ALERT.*(CERT|UNKNOWN_CA)/;

/** Why the connection failed, if an error code of Node.js or OpenSSL tells. */
function describeTlsFault(code: unknown): string {
  if (typeof code !== "string") return ".";
  if (clientCertificateCode.test(code)) return `: ${asksForCertificate}`;
  return certificateCode.test(code) ? ": its certificate is not trusted." : ".";
}

export const cutMessage = "The model provider's answer broke off before its end.";

/** The error for a connection that failed or broke. */
export function toTransportError(cause: Error, hasHead: boolean): ProviderError {
  if (cause instanceof HttpSyntaxError) {
    return new ProviderError("invalid", "The model provider's answer is not valid HTTP.", { cause });
  }
  if (hasHead) return new ProviderError("cut", cutMessage, { cause });
  if (cause instanceof ConnectTimeoutError) {
    return new ProviderError("timed_out", "The model provider could not be reached in time.", { cause });
  }
  if (cause instanceof ProxyError) {
    const how = cause.status === undefined ? "can't be reached" : `refused with status ${cause.status}`;
    return new ProviderError("unreachable", `The model provider could not be reached: this service's proxy ${how}.`, {
      cause,
    });
  }
  const { code } = cause as { code?: unknown };
  return new ProviderError("unreachable", `The model provider could not be reached${describeTlsFault(code)}`, {
    cause,
  });
}
