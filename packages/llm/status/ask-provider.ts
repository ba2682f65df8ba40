import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";

/** Lists beyond this size are not read: the largest known one, OpenRouter's, takes less than a megabyte. */
const maxBodyBytes = 2 * 1024 * 1024;

/** A whole answer; the body is undefined where it is too large. */
export interface ProviderAnswer {
  status: number;
  contentType: string;
  body: string | undefined;
}

/**
 * Sends a GET to an address below the provider's, over a connection of its own. Redirects are not followed.
 *
 * @throws Node's error of the connection, and the signal's reason
 */
export function askProvider(
  baseUrl: string,
  path: string,
  options: { apiKey: string; signal: AbortSignal },
): Promise<ProviderAnswer> {
  const { protocol, hostname, port, pathname, search } = new URL(baseUrl);
  const { apiKey, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<ProviderAnswer>();
  const send = protocol === "https:" ? requestSecure : requestPlain;
  const request = send({
    hostname: hostname.replace(/^\[|\]$/g, ""),
    port,
    path: `${pathname.replace(/\/+$/, "")}${path}${search}`,
    headers: {
      "User-Agent": "agent-backends",
      Accept: "application/json",
      "Accept-Encoding": "identity",
      ...(apiKey && { Authorization: `Bearer ${apiKey}` }),
    },
    agent: false,
    signal,
  });
  request.on("error", (error) => reject(signal.aborted ? signal.reason : error));
  request.on("response", (response) => {
    const { statusCode: status = 0, headers } = response;
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (body: string | undefined) => resolve({ status, contentType: headers["content-type"] ?? "", body });
    response.on("data", (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length <= maxBodyBytes) return;
      settle(undefined);
      request.destroy();
    });
    response.on("end", () => settle(Buffer.concat(chunks).toString("utf8")));
    response.on("error", (error) => reject(signal.aborted ? signal.reason : error));
  });
  request.end();
  return promise;
}
