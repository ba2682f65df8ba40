import type { IncomingHttpHeaders } from "node:http";
import { problems } from "@agent-backends/contract";
import type { KeyRing } from "./key-ring.ts";
import type { Principal } from "./principal.ts";

/** The issuer's keys can't be fetched, so tokens can't be verified. */
export class TokenKeysError extends Error {
  override readonly name = "TokenKeysError";
}

/** Separate from its implementation, which loads a library that few processes need. */
export interface TokenVerifier {
  /**
   * The principal of a token, or undefined if the token has expired, or the issuer didn't sign it for this audience.
   *
   * @throws TokenKeysError
   */
  verify(token: string): Promise<Principal | undefined>;
}

/** Three base64url parts may be a JSON Web Token. Our own keys never have this form. */
const tokenPattern = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Identifies the sender of a request by a key or a token. */
export class Authenticator {
  readonly #keys: KeyRing | undefined;
  readonly #tokens: TokenVerifier | undefined;

  constructor(options: { keys?: KeyRing | undefined; tokens?: TokenVerifier | undefined }) {
    this.#keys = options.keys;
    this.#tokens = options.tokens;
  }

  /** Whether requests need credentials. */
  get isActive(): boolean {
    return this.#tokens !== undefined || this.#keys?.isActive === true;
  }

  /**
   * The principal that the headers identify. If there are several credentials, one valid credential is enough.
   *
   * @throws ProblemError `unauthorized`; `unavailable` while tokens can't be verified
   */
  authenticate(headers: IncomingHttpHeaders): Principal | Promise<Principal> {
    const credentials = getCredentials(headers);
    for (const credential of credentials) {
      const principal = this.#keys?.find(credential);
      if (principal) return principal;
    }
    const tokens = credentials.filter((credential) => tokenPattern.test(credential));
    if (credentials.length === 0) throw problems.missingCredentials();
    if (!this.#tokens || tokens.length === 0) throw problems.invalidCredentials();
    return verifyOne(this.#tokens, tokens);
  }

  close(): void {
    this.#keys?.close();
  }
}

async function verifyOne(verifier: TokenVerifier, tokens: readonly string[]): Promise<Principal> {
  try {
    for (const token of tokens) {
      const principal = await verifier.verify(token);
      if (principal) return principal;
    }
  } catch (error) {
    if (error instanceof TokenKeysError) throw problems.tokensUncheckable();
    throw error;
  }
  throw problems.invalidCredentials();
}

/**
 * The keys or tokens of a request, at most two: from `Authorization`, as `Bearer` (RFC 6750) or as the password
 * of `Basic` (RFC 7617), and from `X-API-Key`.
 */
export function getCredentials(headers: IncomingHttpHeaders): string[] {
  const apiKey = headers["x-api-key"];
  return [parseAuthorization(headers.authorization), typeof apiKey === "string" ? apiKey.trim() : ""].filter(Boolean);
}

function parseAuthorization(header = ""): string {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return "";
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : "";
}
