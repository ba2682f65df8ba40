/** Why the provider can't do its work: what failed, whose fault it is, and the line that fixes it. It holds no key and no full address. */
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
    | "no_tls"
    | "unreachable"
    | "redirect"
    | "not_a_provider"
    | "unknown_model";
  fault: "configuration" | "network" | "provider";
  /** One or two sentences for the operator. */
  detail: string;
  /** A line of `.env`, or of the shell that starts the service. Absent where no line helps. */
  fix?: string;
}

/** A model that a service is configured with, and the variable that names it. */
export interface ConfiguredModel {
  use: "chat" | "embeddings";
  name: string;
  variable: string;
}

// Node's codes for certificates: https://nodejs.org/api/tls.html#x509-certificate-error-codes
const certificateCode = /CERT|^UNABLE_TO_|SIGNED|^ERR_TLS_|^HOSTNAME_MISMATCH$/;
// OpenSSL's, when the answer to a TLS handshake is plain HTTP.
const plainTextCode = /^(EPROTO|ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST))$/;

const defaultBaseUrl = "https://api.openai.com/v1";

/** Explains an answer to the operator; undefined for one that says nothing against the provider, such as a 400. */
export function diagnoseAnswer(
  answer: {
    status: number;
    /** What came is a web page, or something else that no provider answers. */
    isForeign?: boolean;
    /** The model that was asked for. */
    model?: ConfiguredModel | undefined;
  },
  baseUrl: string,
): ProviderFailure | undefined {
  return answer.isForeign ? notAProvider(baseUrl) : diagnoseStatus(answer.status, answer.model, baseUrl);
}

/** Explains to the operator why there is no answer. `code` is Node's. */
export function diagnoseSilence(
  { code, timedOut = false }: { code?: string | undefined; timedOut?: boolean },
  baseUrl: string,
): ProviderFailure {
  if (!timedOut && code !== "ETIMEDOUT") return diagnoseConnection(code, baseUrl);
  return {
    code: "timed_out",
    fault: "provider",
    detail: `${hostOf(baseUrl)} did not answer in time: it is overloaded, or a firewall is in between.`,
  };
}

/** The failure for a model that is not in the provider's list. `closest` is one that is. */
export function unknownModel(
  { name, variable }: ConfiguredModel,
  baseUrl: string,
  closest: string | undefined,
): ProviderFailure {
  const instead = closest ? "one of them, such as the one below," : "one that it offers";
  return {
    code: "unknown_model",
    fault: "configuration",
    detail: `${name} is not among the models that ${hostOf(baseUrl)} offers: set ${variable} to ${instead} and restart.`,
    ...(closest && { fix: `${variable}=${closest}` }),
  };
}

/** Host and port, without whatever else an address may hold. */
export function hostOf(baseUrl: string): string {
  return new URL(baseUrl).host;
}

function diagnoseStatus(
  status: number,
  model: ConfiguredModel | undefined,
  baseUrl: string,
): ProviderFailure | undefined {
  const host = hostOf(baseUrl);
  if (status === 401) {
    return {
      code: "key_refused",
      fault: "configuration",
      detail: `LLM_API_KEY was rejected by ${host}: put a valid key into .env and restart.`,
      fix: "LLM_API_KEY=your-key",
    };
  }
  if (status === 403) {
    return {
      code: "forbidden",
      fault: "configuration",
      detail: `${host} doesn't allow LLM_API_KEY to do this (403): check the key's permissions there, or use another key.`,
      fix: "LLM_API_KEY=your-key",
    };
  }
  if (status === 402 || status === 429) {
    return {
      code: "limited",
      fault: "provider",
      detail: `${host} takes no more requests of this key now (${status}): its rate limit or credit is used up. Wait, or raise it there.`,
    };
  }
  if (status >= 500) {
    return {
      code: "provider_error",
      fault: "provider",
      detail: `${host} failed with status ${status}. Wait, or set LLM_BASE_URL to another provider.`,
    };
  }
  if (status >= 300 && status < 400) {
    return {
      code: "redirect",
      fault: "configuration",
      detail: `${host} answers with a redirect, which is not followed: set LLM_BASE_URL to the address it leads to.`,
      ...(baseUrl.startsWith("http:") && lineWithScheme(baseUrl, "https:")),
    };
  }
  if (status !== 404 || model === undefined) return undefined;
  return {
    code: "unknown_model",
    fault: "configuration",
    detail: `${host} answered 404 for the model ${model.name}: set ${model.variable} to one that it offers, or LLM_BASE_URL to its API's address.`,
    ...lineForMissingPath(baseUrl),
  };
}

function diagnoseConnection(code: string | undefined, baseUrl: string): ProviderFailure {
  const host = hostOf(baseUrl);
  const elsewhere = host === hostOf(defaultBaseUrl) ? {} : { fix: `LLM_BASE_URL=${defaultBaseUrl}` };
  if (code === "ERR_INVALID_CHAR") {
    return {
      code: "key_refused",
      fault: "configuration",
      detail:
        "LLM_API_KEY has characters that no key has, such as a line break: put a valid key into .env and restart.",
      fix: "LLM_API_KEY=your-key",
    };
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return {
      code: "unknown_host",
      fault: code === "ENOTFOUND" ? "configuration" : "network",
      detail: `No address is known for ${host}: check LLM_BASE_URL for a typing error, and this machine's DNS.`,
      ...elsewhere,
    };
  }
  if (code === "ECONNREFUSED") {
    return {
      code: "nothing_listens",
      fault: "configuration",
      detail: `Nothing listens at ${host}: start the provider there, or set LLM_BASE_URL to where it is and restart.`,
      ...elsewhere,
    };
  }
  if (code !== undefined && plainTextCode.test(code)) {
    return {
      code: "no_tls",
      fault: "configuration",
      detail: `${host} doesn't speak TLS: begin LLM_BASE_URL with http:// and restart.`,
      ...lineWithScheme(baseUrl, "http:"),
    };
  }
  if (code !== undefined && certificateCode.test(code)) {
    return {
      code: "untrusted_certificate",
      fault: "configuration",
      detail: `The certificate of ${host} is not trusted (${code}): trust its authority before the start, or use a name that the certificate has.`,
      fix: "export NODE_EXTRA_CA_CERTS=/path/to/ca.pem",
    };
  }
  return {
    code: "unreachable",
    fault: "network",
    detail: `${host} can't be reached${code ? ` (${code})` : ""}: check LLM_BASE_URL, and this machine's network and firewall.`,
    ...elsewhere,
  };
}

function notAProvider(baseUrl: string): ProviderFailure {
  return {
    code: "not_a_provider",
    fault: "configuration",
    detail: `What answers at ${hostOf(baseUrl)} is not the API of a provider: LLM_BASE_URL must be its OpenAI-compatible address.`,
    ...lineForMissingPath(baseUrl),
  };
}

/** An address without a path most likely lacks the usual one. */
function lineForMissingPath(baseUrl: string): { fix?: string } {
  const { pathname, protocol, host } = new URL(baseUrl);
  return pathname === "/" ? { fix: `LLM_BASE_URL=${protocol}//${host}/v1` } : {};
}

/** The same address with another scheme; none where the address may hold a secret. */
function lineWithScheme(baseUrl: string, scheme: "http:" | "https:"): { fix?: string } {
  const { host, pathname, search } = new URL(baseUrl);
  return search === "" && /^\/(v1)?$/.test(pathname) ? { fix: `LLM_BASE_URL=${scheme}//${host}/v1` } : {};
}
