import type { Principal } from "./principal.ts";

/** The issuer's keys can't be fetched, so that no token can be judged. */
export class TokenKeysError extends Error {
  override readonly name = "TokenKeysError";
}

/** Stands apart from what verifies, which loads a library that few processes need. */
export interface TokenVerifier {
  /** Whom a token stands for; undefined when it is none of the issuer's for this audience, or no longer valid. @throws TokenKeysError */
  verify(token: string): Promise<Principal | undefined>;
}
