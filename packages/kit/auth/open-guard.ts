import { limits } from "@agent-backends/contract";
import type { z } from "zod";
import type { guardVariables } from "../configuration.ts";
import { ConfigurationError } from "../environment-files.ts";
import { Capacity } from "../limits/capacity.ts";
import type { LimitCounts } from "../limits/limit-counts.ts";
import { TokenBudgets } from "../limits/tokens/token-budgets.ts";
import type { Logger } from "../logger.ts";
import type { TokenVerifier } from "./authenticator.ts";
import { Authenticator } from "./authenticator.ts";
import { BrowserPolicy, isLoopback } from "./browser-policy.ts";
import { Guard } from "./guard.ts";
import { KeyFileError } from "./key-file.ts";
import { KeyRing } from "./key-ring.ts";

/** Default of `AUTH_KEYS_FILE`. A service on loopback doesn't require keys just because this file exists. */
export const defaultKeysFile = "./data/keys.json";

type Variables = z.output<z.ZodObject<typeof guardVariables>> & {
  HOST: string;
  WORKERS: number;
  CORS_ORIGINS?: string[] | undefined;
};

/**
 * Opens the guard that a service's variables configure. Without keys, a service on loopback is open to everyone. A service that others can
 * reach is open too, but warns, and requires keys as soon as the default key file has some.
 *
 * @param options.counts closed with the guard
 * @param options.keysFile read if AUTH_KEYS_FILE is unset and others can reach the service
 * @throws ConfigurationError
 */
export async function openGuard(
  variables: Variables,
  options: { counts: LimitCounts; logger: Logger; fetch: typeof fetch; keysFile?: string },
): Promise<Guard> {
  const authenticator = new Authenticator({
    tokens: await openTokenVerifier(variables, options),
    keys: await openKeyRing(variables, options),
  });
  if (!authenticator.isActive && !isLoopback(variables.HOST)) {
    options.logger.warn(
      { host: variables.HOST },
      `HOST ${variables.HOST} can be reached by others and no key is asked for: anyone may use this service, read and change ` +
        "what it stores and spend the credit of its model provider. To mend it, run: " +
        "npm run keys -- add --name my-app --namespace default",
    );
  }
  const { counts, logger } = options;
  return new Guard({
    authenticator,
    counts,
    tokenBudgets: new TokenBudgets({ counts: counts.tokens, isShared: counts.isShared, logger }),
    browserPolicy: new BrowserPolicy({
      host: variables.HOST,
      allowedHosts: variables.ALLOWED_HOSTS,
      corsOrigins: variables.CORS_ORIGINS,
    }),
    rates: {
      perKey: variables.RATE_LIMIT_PER_KEY,
      perAddress: variables.RATE_LIMIT_PER_ADDRESS,
      refusalsPerAddress: limits.refusalsPerMinuteAndAddress,
    },
    capacity: new Capacity(
      {
        stream: { total: variables.MAX_STREAMS, perKey: variables.MAX_STREAMS_PER_KEY },
        ingest: { total: variables.MAX_INGESTS, perKey: variables.MAX_INGESTS_PER_KEY },
        search: { total: variables.MAX_SEARCHES, perKey: variables.MAX_SEARCHES_PER_KEY },
        document: { total: limits.documents, perKey: limits.documentsPerKey },
      },
      { slots: counts.slots, workers: variables.WORKERS },
    ),
    trustedProxies: variables.TRUSTED_PROXIES,
  });
}

/** @throws ConfigurationError */
export async function openKeyRing(
  variables: Variables,
  { logger, keysFile = defaultKeysFile }: { logger: Logger; keysFile?: string },
): Promise<KeyRing | undefined> {
  const path = variables.AUTH_KEYS_FILE;
  try {
    if (path !== undefined) return await KeyRing.open(path, { logger });
    if (variables.AUTH_JWKS_URL !== undefined || isLoopback(variables.HOST)) return undefined;
    return await KeyRing.open(keysFile, { logger, mayBeMissing: true });
  } catch (error) {
    if (!(error instanceof KeyFileError)) throw error;
    const file = path === undefined ? `is not set, and ${keysFile}` : path;
    throw new ConfigurationError([`AUTH_KEYS_FILE ${file} ${error.message}: ${describeFix(error)}`]);
  }
}

function describeFix({ cause }: KeyFileError): string {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  if (code === "EACCES") {
    return `give it to the user that the service runs as (chown ${process.geteuid?.()}), or let that user read it`;
  }
  const command = "npm run keys -- add --name my-app --namespace default";
  // The command doesn't change a file that it can't parse.
  return code === "ENOENT" ? `make it with ${command}` : `correct it, or move it away and make it anew with ${command}`;
}

async function openTokenVerifier(
  variables: Variables,
  { logger, fetch }: { logger: Logger; fetch: typeof globalThis.fetch },
): Promise<TokenVerifier | undefined> {
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
  const { createTokenVerifier } = await import("./json-web-tokens.ts");
  return createTokenVerifier({ keysUrl, issuer, audience, logger, fetch });
}
