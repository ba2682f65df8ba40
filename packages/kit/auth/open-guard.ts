import { limits } from "@agent-backends/contract";
import type { z } from "zod";
import type { guardVariables } from "../configuration.ts";
import { ConfigurationError } from "../configuration.ts";
import { Capacity } from "../limits/capacity.ts";
import { RateLimits } from "../limits/rate-limits.ts";
import type { Logger } from "../logger.ts";
import { Authenticator } from "./authenticator.ts";
import { BrowserPolicy, isLoopback } from "./browser-policy.ts";
import { Guard } from "./guard.ts";
import { KeyFileError } from "./key-file.ts";
import { KeyRing } from "./key-ring.ts";
import type { TokenVerifier } from "./token-verifier.ts";

/** Where keys are kept unless `AUTH_KEYS_FILE` says otherwise. On loopback nothing is asked for by this file alone. */
export const defaultKeysFile = "./data/keys.json";

type Variables = z.output<z.ZodObject<typeof guardVariables>> & {
  HOST: string;
  CORS_ORIGINS?: string[] | undefined;
};

/**
 * The guard that a service's variables ask for. Without any, a service on loopback is open to all. One that others can
 * reach is open too, says so loudly, and asks for keys as soon as there are some in the usual file.
 *
 * @throws ConfigurationError
 */
export async function openGuard(variables: Variables, options: { name: string; logger: Logger }): Promise<Guard> {
  const authenticator = new Authenticator({
    tokens: await tokensOf(variables, options.logger),
    keys: await keysOf(variables, options.logger),
  });
  if (!authenticator.isActive && !isLoopback(variables.HOST)) {
    options.logger.warn(
      { host: variables.HOST },
      `HOST ${variables.HOST} can be reached by others and no key is asked for: anyone may use this service, read and change ` +
        "what it stores and spend the credit of its model provider. To mend it, run: " +
        "npm run keys -- add --name my-app --namespace default",
    );
  }
  return new Guard({
    authenticator,
    browserPolicy: new BrowserPolicy({
      host: variables.HOST,
      allowedHosts: variables.ALLOWED_HOSTS,
      corsOrigins: variables.CORS_ORIGINS,
    }),
    rateLimits: await RateLimits.open({ ...options, redisUrl: variables.RATE_LIMIT_URL }),
    rates: {
      perKey: variables.RATE_LIMIT_PER_KEY,
      perAddress: variables.RATE_LIMIT_PER_ADDRESS,
      refusalsPerAddress: limits.refusalsPerMinuteAndAddress,
    },
    capacity: new Capacity({
      stream: { inAll: variables.MAX_STREAMS, perKey: variables.MAX_STREAMS_PER_KEY },
      ingest: { inAll: variables.MAX_INGESTS, perKey: variables.MAX_INGESTS_PER_KEY },
      search: { inAll: variables.MAX_SEARCHES, perKey: variables.MAX_SEARCHES_PER_KEY },
      document: { inAll: limits.documents, perKey: limits.documentsPerKey },
    }),
    trustedProxies: variables.TRUSTED_PROXIES,
  });
}

async function keysOf(variables: Variables, logger: Logger): Promise<KeyRing | undefined> {
  const path = variables.AUTH_KEYS_FILE;
  try {
    if (path !== undefined) return await KeyRing.open(path, { logger });
    if (variables.AUTH_JWKS_URL !== undefined || isLoopback(variables.HOST)) return undefined;
    return await KeyRing.open(defaultKeysFile, { logger, mayBeMissing: true });
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    const file = path === undefined ? `is not set, and ${defaultKeysFile}` : path;
    throw new ConfigurationError([
      `AUTH_KEYS_FILE ${file} ${error.message}: make it with npm run keys -- add --name my-app --namespace default`,
    ]);
  }
}

async function tokensOf(variables: Variables, logger: Logger): Promise<TokenVerifier | undefined> {
  const { AUTH_JWKS_URL: keysUrl, AUTH_JWT_ISSUER: issuer, AUTH_JWT_AUDIENCE: audience } = variables;
  if (keysUrl === undefined) {
    if (issuer === undefined && audience === undefined) return undefined;
    throw new ConfigurationError(["AUTH_JWKS_URL is missing: set it to the address of the issuer's keys"]);
  }
  if (issuer === undefined || audience === undefined) {
    throw new ConfigurationError([
      ...(issuer === undefined ? ["AUTH_JWT_ISSUER is missing: set it to the iss claim of your tokens"] : []),
      ...(audience === undefined ? ["AUTH_JWT_AUDIENCE is missing: set it to the aud claim of your tokens"] : []),
    ]);
  }
  const { tokenVerifier } = await import("./json-web-tokens.ts");
  return tokenVerifier({ keysUrl, issuer, audience, logger });
}
