import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { SecureContext } from "node:tls";
import { createSecureContext, getCACertificates, setDefaultCACertificates } from "node:tls";
import type { z } from "zod";
import type { egressVariables, pageVariables, providerVariables } from "../configuration.ts";
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
  /** Client certificate for a page that requires one. Undefined: none. */
  findPageCertificate?: FindCertificate;
}

export type FindCertificate = (page: URL) => SecureContext | undefined;

export const directEgress: Egress = { findProxy: () => undefined, fetch, clientCertificate: undefined };

type Variables = z.output<z.ZodObject<typeof egressVariables>> &
  Partial<Pick<z.output<z.ZodObject<typeof providerVariables>>, "LLM_TLS_CERT" | "LLM_TLS_KEY">> &
  Partial<z.output<z.ZodObject<typeof pageVariables>>>;

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
    clientCertificate: readClientCertificate(variables, "LLM_TLS"),
    findPageCertificate: readPageCertificate(variables),
  };
}

/** Users choose the pages, so only those that the operator lists may see the certificate. */
function readPageCertificate(variables: Variables): FindCertificate {
  const certificate = readClientCertificate(variables, "KNOWLEDGE_URL_TLS");
  const { KNOWLEDGE_URL_TLS_HOSTS: mayKnow } = variables;
  if ((certificate === undefined) !== (mayKnow === undefined)) {
    throw new ConfigurationError([
      certificate
        ? "KNOWLEDGE_URL_TLS_HOSTS is missing: list the hosts that may see KNOWLEDGE_URL_TLS_CERT, such as .corp.example.com"
        : "KNOWLEDGE_URL_TLS_CERT is missing: set it to the file of the certificate for KNOWLEDGE_URL_TLS_HOSTS",
    ]);
  }
  return (page) => (mayKnow?.(page) ? certificate : undefined);
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

function readClientCertificate(
  variables: Variables,
  prefix: "LLM_TLS" | "KNOWLEDGE_URL_TLS",
): SecureContext | undefined {
  const [certVariable, keyVariable] = [`${prefix}_CERT`, `${prefix}_KEY`] as const;
  const [cert, key] = [variables[certVariable], variables[keyVariable]];
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined)
    throw new ConfigurationError([`${certVariable} is missing: set it to the file of ${keyVariable}'s certificate`]);
  if (key === undefined)
    throw new ConfigurationError([`${keyVariable} is missing: set it to the file of ${certVariable}'s key`]);
  const files = { cert: readPem(certVariable, cert), key: readPem(keyVariable, key) };
  try {
    return createSecureContext(files);
  } catch (error) {
    const { code = "unreadable" } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([
      `${certVariable} ${cert} and ${keyVariable} ${key} are no certificate with its key (${code}): set them to PEM files that belong together, the key without a passphrase`,
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
