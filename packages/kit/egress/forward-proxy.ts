import { STATUS_CODES } from "node:http";

/** A proxy between this machine and the internet. */
export class ForwardProxy {
  /** The address without credentials. */
  readonly url: URL;
  /** The value of `Proxy-Authorization`. Private, so that no log prints it. */
  readonly #authorization: string | undefined;

  /** @throws TypeError if the address is not that of a proxy; URIError if its credentials are badly encoded */
  constructor(address: string) {
    const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(address);
    // A single word, such as "true", is a mistake that would show only in the first request.
    if (!hasScheme && !/[.:]\w/.test(address)) throw new TypeError("not a proxy's address");
    const { protocol, host, pathname, search, hash, username, password } = new URL(
      // As curl reads it: an address without a scheme is an HTTP one.
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

  /** The address for logs. It holds no credentials. */
  toString(): string {
    return this.url.origin;
  }
}

/** Finds the proxy for an address. Undefined: connect directly. */
export type FindProxy = (target: URL) => ForwardProxy | undefined;

/** The proxy failed or refused. The message names it, and is for the operator. */
export class ProxyError extends Error {
  override readonly name = "ProxyError";
  /** Node's code, if the proxy could not be reached. */
  readonly code: string | undefined;
  /** The HTTP status, if the proxy refused. */
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
