import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import { z } from "zod";
import type { Logger } from "../logger.ts";
import type { TokenVerifier } from "./authenticator.ts";
import { TokenKeysError } from "./authenticator.ts";
import { hashKey } from "./key-file.ts";
import { Principal, scopes } from "./principal.ts";

/** Asymmetric algorithms only: the service must not be able to sign tokens itself. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const clockToleranceSeconds = 30;
const fetchTimeoutMs = 5_000;
/** While the keys can't be fetched every token fails. Log one line per interval. */
const failureLogIntervalMs = 60_000;

const wordListSchema = z.union([z.string().transform((text) => text.split(/\s+/)), z.array(z.string())]).catch([]);
const claimsSchema = z.object({ sub: z.string().min(1).max(256), scope: wordListSchema, namespaces: wordListSchema });

/**
 * Verifies JSON Web Tokens (RFC 7519) with the keys at `keysUrl` (RFC 7517), which are fetched when first needed. `iss`, `aud`,
 * `exp` and `sub` are required. `scope` holds scopes and `namespaces` holds names or patterns, each as a list or separated by
 * spaces. A token without them may do nothing.
 */
export function createTokenVerifier(options: {
  keysUrl: string;
  issuer: string;
  audience: string;
  logger: Logger;
  fetch: typeof fetch;
}): TokenVerifier {
  const keys = createRemoteJWKSet(new URL(options.keysUrl), {
    timeoutDuration: fetchTimeoutMs,
    [customFetch]: options.fetch,
  });
  const rules = {
    issuer: options.issuer,
    audience: options.audience,
    algorithms,
    requiredClaims: ["exp", "sub"],
    clockTolerance: clockToleranceSeconds,
  };
  let lastLoggedAtMs = Number.NEGATIVE_INFINITY;
  function logFailure(error: unknown): void {
    const nowMs = performance.now();
    if (nowMs - lastLoggedAtMs < failureLogIntervalMs) return;
    lastLoggedAtMs = nowMs;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    options.logger.error({ reason }, "the keys of AUTH_JWKS_URL can't be fetched: tokens get 503 meanwhile");
  }
  return {
    async verify(token) {
      try {
        const { payload } = await jwtVerify(token, keys, rules);
        const { sub, scope, namespaces } = claimsSchema.parse(payload);
        return new Principal({
          id: hashKey(sub).toString("hex").slice(0, 16),
          name: sub,
          scopes: scopes.filter((known) => scope.includes(known)),
          namespaces: namespaces.filter(Boolean),
        });
      } catch (error) {
        if (error instanceof z.ZodError || isAboutTheToken(error)) return undefined;
        logFailure(error);
        throw new TokenKeysError("The keys that verify tokens can't be fetched.", { cause: error });
      }
    },
  };
}

function isAboutTheToken(error: unknown): boolean {
  if (!(error instanceof errors.JOSEError)) return false;
  // jose throws these when the URL doesn't return a key set: its general error, a timeout, an invalid set.
  return ![errors.JOSEError.code, errors.JWKSTimeout.code, errors.JWKSInvalid.code].includes(error.code);
}
