import { open } from "node:fs/promises";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Response } from "undici";
import { Agent, fetch } from "undici";
import type { FindCertificate, FindProxy } from "../egress/index.ts";
import { directEgress, ProxyError } from "../egress/index.ts";
import type { ResolveHost } from "./checked-connector.ts";
import { createCheckedConnector, resolveBySystem } from "./checked-connector.ts";
import { NotModifiedError, SafeFetchError } from "./safe-fetch-error.ts";

const redirectStatuses = new Set([301, 302, 303, 307, 308]);
const maxUrlCharacters = 4_096;
/** Longer validators are not stored. */
const maxValidatorCharacters = 500;

/** Response headers with which the server can later tell whether the content has changed (RFC 9110, section 13). */
export interface Validators {
  etag?: string;
  lastModified?: string;
}

export interface FetchedResource {
  /** The URL after redirects. */
  url: string;
  /** Absent if the server sent none. */
  validators?: Validators;
  contentType: string | undefined;
  /** The file with the decompressed body. */
  path: string;
  bytesOnDisk: number;
}

export interface SafeFetchOptions {
  /** A new file for the body, which is never held in memory as a whole. After an error it may contain a part of the body. */
  path: string;
  /** Also allow private networks and this machine. */
  allowPrivate: boolean;
  /** Time limit for everything together: name resolution, redirects, headers and body. */
  timeoutMs: number;
  /** Maximum size of the decompressed body. */
  maxBytes: number;
  /** Validators of an earlier fetch, sent only to the URL that they came from. */
  known?: { url: string; validators: Validators } | undefined;
  signal?: AbortSignal;
  resolveHost?: ResolveHost;
  /** Default: no proxy. */
  findProxy?: FindProxy;
  /** Default: no client certificate. */
  findCertificate?: FindCertificate | undefined;
}

/**
 * Fetches a URL that a user gave. Connects only to public addresses, also after redirects.
 *
 * @throws SafeFetchError if the URL can't be fetched
 * @throws NotModifiedError if the content is unchanged since the known validators were received
 * @throws the signal's reason when it aborts
 */
export async function safeFetch(url: string, options: SafeFetchOptions): Promise<FetchedResource> {
  const deadline = AbortSignal.timeout(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const dispatcher = new Agent({
    connect: createCheckedConnector({
      allowPrivate: options.allowPrivate,
      connectTimeoutMs: options.timeoutMs,
      resolveHost: options.resolveHost ?? resolveBySystem,
      findProxy: options.findProxy ?? directEgress.findProxy,
      findCertificate: options.findCertificate ?? (() => undefined),
      signal,
    }),
  });
  try {
    let target = parseUrl(url);
    for (let redirects = 0; redirects <= knowledgeLimits.pageRedirects; redirects += 1) {
      const response = await fetch(target, {
        dispatcher,
        signal,
        redirect: "manual",
        headers: {
          "user-agent": "agent-backends-knowledge/1",
          accept: "text/html, text/plain;q=0.9, */*;q=0.8",
          ...(options.known?.url === target.href && toConditions(options.known.validators)),
        },
      });
      if (response.status === 304 && options.known?.url === target.href) throw new NotModifiedError(target.href);
      const location = redirectStatuses.has(response.status) && response.headers.get("location");
      if (!location) return await saveBody(response, target, options);
      await response.body?.cancel();
      target = parseUrl(location, target);
    }
    throw new SafeFetchError("unreachable", `The address redirects more than ${knowledgeLimits.pageRedirects} times.`);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof NotModifiedError) throw error;
    if (deadline.aborted) {
      throw new SafeFetchError(
        "timed_out",
        `The address did not send its whole answer within ${options.timeoutMs} ms.`,
        {
          cause: error,
        },
      );
    }
    throw toSafeFetchError(error);
  } finally {
    await dispatcher.destroy();
  }
}

/** If both headers are sent, servers compare the ETag. */
const toConditions = ({ etag, lastModified }: Validators): Record<string, string> => ({
  ...(etag !== undefined && { "if-none-match": etag }),
  ...(lastModified !== undefined && { "if-modified-since": lastModified }),
});

function readValidators({ headers }: Response): Validators | undefined {
  const read = (name: string) => {
    const value = headers.get(name) ?? "";
    return value.length <= maxValidatorCharacters && /^[\x20-\x7e]+$/.test(value) ? value : undefined;
  };
  const [etag, lastModified] = [read("etag"), read("last-modified")];
  if (etag === undefined && lastModified === undefined) return undefined;
  return { ...(etag !== undefined && { etag }), ...(lastModified !== undefined && { lastModified }) };
}

function parseUrl(url: string, base?: URL): URL {
  if (url.length > maxUrlCharacters || !URL.canParse(url, base?.href)) {
    throw new SafeFetchError(
      "invalid_url",
      "The address can't be read; give a whole one, such as https://example.com/page.",
    );
  }
  const parsed = new URL(url, base);
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") {
    throw new SafeFetchError("invalid_url", "Only http and https addresses can be read.");
  }
  if (parsed.username || parsed.password) {
    throw new SafeFetchError("invalid_url", "The address must not hold a user name or a password.");
  }
  return parsed;
}

async function saveBody(
  response: Response,
  url: URL,
  { path, maxBytes }: Pick<SafeFetchOptions, "path" | "maxBytes">,
): Promise<FetchedResource> {
  if (!response.ok) {
    await response.body?.cancel();
    throw new SafeFetchError("http_status", `The address answered with status ${response.status}.`);
  }
  await using file = await open(path, "wx", 0o600);
  let bytesOnDisk = 0;
  for await (const part of readParts(response)) {
    bytesOnDisk += part.byteLength;
    if (bytesOnDisk > maxBytes)
      throw new SafeFetchError("too_large", `The content of the address is over the limit of ${maxBytes} bytes.`);
    await file.writeFile(part);
  }
  const validators = readValidators(response);
  const contentType = response.headers.get("content-type") ?? undefined;
  return { url: url.href, contentType, path, bytesOnDisk, ...(validators && { validators }) };
}

/** @throws SafeFetchError if the connection breaks before the end of the body */
async function* readParts({ body }: Response): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (body !== null) yield* body;
  } catch (error) {
    throw new SafeFetchError("unreachable", "The connection broke before the whole answer had arrived; try again.", {
      cause: error,
    });
  }
}

function toSafeFetchError(error: unknown): SafeFetchError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof SafeFetchError) return cause;
    if (cause instanceof ProxyError) {
      const how =
        cause.status === undefined ? "can't be reached" : `refused the connection with status ${cause.status}`;
      return new SafeFetchError("unreachable", `The address could not be reached: this service's proxy ${how}.`, {
        cause,
      });
    }
  }
  return new SafeFetchError("unreachable", "The address could not be reached; check that it is correct and public.", {
    cause: error,
  });
}
