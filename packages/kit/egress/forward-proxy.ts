import { STATUS_CODES } from "node:http";

/** A forward proxy between this machine and the internet. */
export class ForwardProxy {
  /** The URL without credentials. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`. Private, so that no log prints it. */
  readonly #authorization: string | undefined;

  /** @throws TypeError if the address isn't a proxy URL; URIError if its credentials are badly encoded */
  constructor(address: string) {
    const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address);
    // A single word, such as "true", is a mistake that would otherwise show only on the first request.
    if (!hasScheme && !/[.:]\w/.test(address)) throw new TypeError("not a proxy's address");
    const { protocol, host, pathname, search, hash, username, password } = new URL(
      // Like curl, read an address without a scheme as http.
      hasScheme ? address : `http://${address}`,
    );
    if (!/^https?:$/.test(protocol) || pathname + search + hash !== "/") throw new TypeError("not a proxy's address");
    this.url = new URL(`${protocol}//${host}`);
    if (username || password) {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
      this.#authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    }
  }

  get authorization(): string | undefined {
    return this.#authorization;
  }

  /** The URL for logs, without credentials. */
  toString(): string {
    return this.url.origin;
  }
}

/** Finds the proxy for a URL. Undefined: connect directly. */
export type FindProxy = (target: URL) => ForwardProxy | undefined;

/** The proxy failed or refused the connection. The message names the proxy, and is for the operator. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  /** Node.js error code, if the proxy couldn't be reached. */
  readonly code: string | undefined;
  /** HTTP status, if the proxy refused the connection. */
  readonly status: number | undefined;

  constructor(proxy: ForwardProxy, reason: { cause: Error } | { status: number; target: string }) {
    if ("cause" in reason) {
      const { cause } = reason;
      super(`The proxy ${proxy} could not be reached: ${cause.message}`, { cause });
      this.code = (cause as NodeJS.ErrnoException).code;
    } else {
      const { status, target } = reason;
      super(`The proxy ${proxy} answered ${status} ${STATUS_CODES[status] ?? ""} to a request for ${target}.`);
      this.status = status;
    }
  }
}
