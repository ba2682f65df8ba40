import type { IncomingHttpHeaders } from "node:http";
import { problems } from "@agent-backends/contract";
import { credentialsIn } from "./credentials.ts";
import type { KeyRing } from "./key-ring.ts";
import type { Principal } from "./principal.ts";
import type { TokenVerifier } from "./token-verifier.ts";
import { TokenKeysError } from "./token-verifier.ts";

/** Three parts of base64url: it may be a JSON Web Token, and is no key of ours. */
const shapeOfToken = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Finds out who sends a request, by keys, by tokens or by both. */
export class Authenticator {
  readonly #keys: KeyRing | undefined;
  readonly #tokens: TokenVerifier | undefined;

  constructor(means: { keys?: KeyRing | undefined; tokens?: TokenVerifier | undefined }) {
    this.#keys = means.keys;
    this.#tokens = means.tokens;
  }

  /** Whether credentials are asked for. */
  get isActive(): boolean {
    return this.#tokens !== undefined || this.#keys?.isActive === true;
  }

  /**
   * Whom the headers speak for. Of several credentials one that is good is enough.
   *
   * @throws ProblemError `unauthorized`; `unavailable` while tokens can't be checked
   */
  authenticate(headers: IncomingHttpHeaders): Principal | Promise<Principal> {
    const credentials = credentialsIn(headers);
    for (const credential of credentials) {
      const principal = this.#keys?.find(credential);
      if (principal) return principal;
    }
    const tokens = credentials.filter((credential) => shapeOfToken.test(credential));
    if (credentials.length === 0) throw problems.missingCredentials();
    if (!this.#tokens || tokens.length === 0) throw problems.invalidCredentials();
    return verified(this.#tokens, tokens);
  }

  close(): void {
    this.#keys?.close();
  }
}

async function verified(verifier: TokenVerifier, tokens: readonly string[]): Promise<Principal> {
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
