import type { ProxyError } from "@agent-backends/kit/egress";
import { certificateCode, clientCertificateCode, outdatedCertificateCode } from "../errors/failures.ts";

/** Why the provider can't be used: the failure, who has to fix it, and the line that fixes it. Contains no key and no full URL. */
export interface ProviderFailure {
  code:
    | "key_refused"
    | "forbidden"
    | "limited"
    | "provider_error"
    | "timed_out"
    | "unknown_host"
    | "nothing_listens"
    | "untrusted_certificate"
    | "client_certificate"
    | "no_tls"
    | "unreachable"
    | "proxy_failed"
    | "redirect"
    | "not_a_provider"
    | "unknown_model";
  fault: "configuration" | "network" | "provider";
  /** One or two sentences for the operator. */
  detail: string;
  /** A line for `.env`. Absent if no line would help. */
  fix?: string;
}

/** A configured model, and the variable that names it. */
export interface ConfiguredModel {
  use: "chat" | "embeddings";
  name: string;
  variable: string;
}

// OpenSSL codes for a plain HTTP response to a TLS handshake.
const plainTextCode = /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))$/;

/**
 * Explains a response to the operator. Undefined if it doesn't indicate a problem of the provider, as with a 400.
 *
 * @param answer.isForeign the body is a web page, or other content that no provider sends
 * @param answer.model the model of the request, if it named one
 */
export function diagnoseAnswer(
  { status, isForeign, model }: { status: number; isForeign?: boolean; model?: ConfiguredModel | undefined },
  baseUrl: string,
): ProviderFailure | undefined {
  const host = getHost(baseUrl);
  if (isForeign) {
    const detail = `${host} does not answer like the API of a model provider: set LLM_BASE_URL to its OpenAI-compatible address.`;
    return failure("not_a_provider", "configuration", detail, lineForMissingPath(baseUrl));
  }
  if (status === 401) {
    const detail = `LLM_API_KEY was rejected by ${host}: put a valid key into .env and restart.`;
    return failure("key_refused", "configuration", detail, "LLM_API_KEY=your-key");
  }
  if (status === 403) {
    const detail = `${host} doesn't allow LLM_API_KEY to do this (403): check the key's permissions there, or use another key.`;
    return failure("forbidden", "configuration", detail, "LLM_API_KEY=your-key");
  }
  if (status === 402 || status === 429) {
    const detail = `${host} refuses further requests of this key (${status}): its rate limit or credit is used up. Wait, or raise the limit there.`;
    return failure("limited", "provider", detail);
  }
  if (status >= 500) {
    const detail = `${host} failed with status ${status}. Wait, or set LLM_BASE_URL to another provider.`;
    return failure("provider_error", "provider", detail);
  }
  if (status >= 300 && status < 400) {
    const detail = `${host} answers with a redirect, which is not followed: set LLM_BASE_URL to the address it leads to.`;
    const fix = baseUrl.startsWith("http:") ? lineWithScheme(baseUrl, "https:") : undefined;
    return failure("redirect", "configuration", detail, fix);
  }
  if (status !== 404 || model === undefined) return undefined;
  const detail = `${host} answered 404 for the model ${model.name}: set ${model.variable} to one that it offers, or LLM_BASE_URL to its API's address.`;
  return failure("unknown_model", "configuration", detail, lineForMissingPath(baseUrl));
}

/** Explains that the provider requires a client certificate, or another one than the configured one. */
export function lacksCertificate(baseUrl: string): ProviderFailure {
  const detail = `${getHost(baseUrl)} requires a client certificate that it accepts: set LLM_TLS_CERT and LLM_TLS_KEY to its files and restart.`;
  return failure("client_certificate", "configuration", detail, "LLM_TLS_CERT=/path/to/client.pem");
}

/** Explains to the operator why there is no response. `code` is an error code of Node.js or OpenSSL. */
export function diagnoseSilence(
  { code = "", timedOut = false }: { code?: string | undefined; timedOut?: boolean },
  baseUrl: string,
): ProviderFailure {
  const host = getHost(baseUrl);
  if (timedOut || code === "ETIMEDOUT") {
    const detail = `${host} did not answer in time: it is overloaded, or a firewall blocks the connection.`;
    return failure("timed_out", "provider", detail);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    const detail = `${host} has no IP address: check LLM_BASE_URL for a typing error, and this machine's DNS.`;
    return failure("unknown_host", code === "ENOTFOUND" ? "configuration" : "network", detail);
  }
  if (code === "ECONNREFUSED") {
    const detail = `Nothing listens at ${host}: start the provider there, or set LLM_BASE_URL to where it is and restart.`;
    return failure("nothing_listens", "configuration", detail);
  }
  if (plainTextCode.test(code)) {
    const detail = `${host} doesn't speak TLS: begin LLM_BASE_URL with http:// and restart.`;
    return failure("no_tls", "configuration", detail, lineWithScheme(baseUrl, "http:"));
  }
  if (clientCertificateCode.test(code)) return lacksCertificate(baseUrl);
  if (outdatedCertificateCode.test(code)) {
    const detail = `The certificate of ${host} has expired or isn't valid yet (${code}): it must be renewed there, unless this machine's clock is wrong.`;
    return failure("untrusted_certificate", "provider", detail);
  }
  if (certificateCode.test(code)) {
    const detail = `The certificate of ${host} is not trusted (${code}): set NODE_EXTRA_CA_CERTS to the PEM file of its certificate authority and restart, or use a host name that the certificate contains.`;
    return failure("untrusted_certificate", "configuration", detail, "NODE_EXTRA_CA_CERTS=/path/to/ca.pem");
  }
  if (code === "ECONNRESET" && baseUrl.startsWith("http:")) {
    const detail = `${host} closes the connection: if it speaks TLS, begin LLM_BASE_URL with https:// and restart.`;
    return failure("unreachable", "configuration", detail, lineWithScheme(baseUrl, "https:"));
  }
  const detail = `${host} can't be reached${code ? ` (${code})` : ""}: check LLM_BASE_URL, and this machine's network and firewall.`;
  return failure("unreachable", "network", detail);
}

/** Explains to the operator why the proxy in front of the provider opens no connection. */
export function diagnoseProxy({ message, status }: ProxyError, baseUrl: string): ProviderFailure {
  const variable = `${new URL(baseUrl).protocol.slice(0, -1).toUpperCase()}_PROXY`;
  if (status === 407) {
    const detail = `${message} Put its user name and password into ${variable} and restart.`;
    return failure("proxy_failed", "configuration", detail, `${variable}=http://user:password@proxy.example.com:3128`);
  }
  const detail = `${message.replace(/\.?$/, ".")} Check ${variable}, or list ${getHost(baseUrl)} in NO_PROXY if it needs no proxy.`;
  return failure("proxy_failed", "network", detail);
}

/** The failure for a model that isn't in the provider's list. `closest` is a similar model that is. */
export function unknownModel(
  { name, variable }: ConfiguredModel,
  baseUrl: string,
  closest: string | undefined,
): ProviderFailure {
  const instead = closest ? "one of them, such as the one below," : "one that it offers";
  const detail = `${name} is not among the models that ${getHost(baseUrl)} offers: set ${variable} to ${instead} and restart.`;
  return failure("unknown_model", "configuration", detail, closest && `${variable}=${closest}`);
}

/** Host and port. The rest of a URL may contain secrets. */
export function getHost(baseUrl: string): string {
  return new URL(baseUrl).host;
}

function failure(
  code: ProviderFailure["code"],
  fault: ProviderFailure["fault"],
  detail: string,
  fix?: string,
): ProviderFailure {
  return { code, fault, detail, ...(fix && { fix }) };
}

/** The line with the usual path, for a URL that has none. */
export function lineForMissingPath(baseUrl: string): string | undefined {
  const { pathname, protocol, host } = new URL(baseUrl);
  return pathname === "/" ? `LLM_BASE_URL=${protocol}//${host}/v1` : undefined;
}

/** The line with another scheme for the same URL, unless the URL may contain a secret. */
function lineWithScheme(baseUrl: string, scheme: "http:" | "https:"): string | undefined {
  const { host, pathname, search } = new URL(baseUrl);
  return search === "" && /^\/(v1)?$/.test(pathname) ? `LLM_BASE_URL=${scheme}//${host}/v1` : undefined;
}
