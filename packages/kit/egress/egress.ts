import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { SecureContext } from "node:tls";
import { createSecureContext, getCACertificates, setDefaultCACertificates } from "node:tls";
import type { z } from "zod";
import type { egressVariables, providerVariables } from "../configuration.ts";
import { ConfigurationError } from "../environment-files.ts";
import type { FindProxy } from "./forward-proxy.ts";
import { isLoopback } from "./no-proxy.ts";

/** Configuration of outgoing requests. */
export interface Egress {
  findProxy: FindProxy;
  /** Fetches URLs that the operator configured, through the matching proxy. */
  fetch: typeof fetch;
  /** Client certificate for providers that require one (mutual TLS). */
  clientCertificate: SecureContext | undefined;
}

export const directEgress: Egress = { findProxy: () => undefined, fetch, clientCertificate: undefined };

type Variables = z.output<z.ZodObject<typeof egressVariables>> &
  Partial<Pick<z.output<z.ZodObject<typeof providerVariables>>, "LLM_TLS_CERT" | "LLM_TLS_KEY">>;

/**
 * Reads the files that the variables name, and trusts the authorities of `NODE_EXTRA_CA_CERTS` in the whole process.
 *
 * @throws ConfigurationError
 */
export async function openEgress(variables: Variables): Promise<Egress> {
  const { HTTPS_PROXY: secure, HTTP_PROXY: plain, NO_PROXY: bypasses } = variables;
  if (variables.NODE_EXTRA_CA_CERTS !== undefined) trustAuthorities(variables.NODE_EXTRA_CA_CERTS);
  const findProxy: FindProxy = (target) => {
    const proxy = target.protocol === "https:" ? secure : plain;
    return proxy === undefined || isLoopback(target) || bypasses?.(target) ? undefined : proxy;
  };
  const isProxied = secure !== undefined || plain !== undefined;
  return {
    findProxy,
    fetch: isProxied ? (await import("./dispatcher.ts")).createFetch(findProxy) : fetch,
    clientCertificate: readClientCertificate(variables),
  };
}

/** Node.js reads this variable only from the environment at start, not from `.env`, and ignores an unreadable file. */
function trustAuthorities(path: string): void {
  const certificates = readPem("NODE_EXTRA_CA_CERTS", path).match(
    /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
  );
  try {
    if (certificates === null) throw new TypeError("no certificate");
    const trusted = getCACertificates("default");
    const known = new Set(trusted.map((certificate) => certificate.trim()));
    const missing = certificates
      .map((certificate) => new X509Certificate(certificate).toString().trim())
      .filter((certificate) => !known.has(certificate));
    if (missing.length > 0) setDefaultCACertificates([...trusted, ...missing]);
  } catch {
    throw new ConfigurationError([
      `NODE_EXTRA_CA_CERTS ${path} holds no readable certificate: set it to a file of certificates in PEM`,
    ]);
  }
}

function readClientCertificate({ LLM_TLS_CERT: cert, LLM_TLS_KEY: key }: Variables): SecureContext | undefined {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined)
    throw new ConfigurationError(["LLM_TLS_CERT is missing: set it to the file of LLM_TLS_KEY's certificate"]);
  if (key === undefined)
    throw new ConfigurationError(["LLM_TLS_KEY is missing: set it to the file of LLM_TLS_CERT's key"]);
  const files = { cert: readPem("LLM_TLS_CERT", cert), key: readPem("LLM_TLS_KEY", key) };
  try {
    return createSecureContext(files);
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([
      `LLM_TLS_CERT ${cert} and LLM_TLS_KEY ${key} are no certificate with its key (${code}): set them to PEM files that belong together, the key without a passphrase`,
    ]);
  }
}

function readPem(variable: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([`${variable} ${path} can't be read (${code}): set it to a PEM file`]);
  }
}
