import type { ServiceCheck } from "./check-service.ts";

/** Something to check before sharing a service with a chat platform. */
export interface ProductionFinding {
  about: "HTTPS" | "Address" | "Key" | "CORS origins" | "Provider";
  state: "good" | "missing" | "unknown";
  text: string;
}

type Finding = Omit<ProductionFinding, "about">;

const good = (text: string): Finding => ({ state: "good", text });
const missing = (text: string): Finding => ({ state: "missing", text });
const unknown = (text: string): Finding => ({ state: "unknown", text });

const privateHost =
  /^(localhost|.*\.local|.*\.internal|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cd].*)$/i;

/** What is missing before a deployment URL can be shared, as far as a page can tell. @param pageOrigin the origin of this page */
export function findProductionGaps(
  baseUrl: string,
  check: ServiceCheck | undefined,
  pageOrigin: string,
): ProductionFinding[] {
  const { protocol, hostname, origin } = new URL(baseUrl);
  return [
    { about: "HTTPS", ...checkProtocol(protocol) },
    { about: "Address", ...checkHost(hostname) },
    { about: "Key", ...checkKey(check?.readiness?.asksForKey) },
    { about: "CORS origins", ...checkOrigins(check, origin, pageOrigin) },
    { about: "Provider", ...checkProvider(check?.readiness?.provider) },
  ];
}

function checkProtocol(protocol: string): Finding {
  if (protocol === "https:") return good("The address is HTTPS.");
  return missing("Put a TLS proxy in front: chat platforms call HTTPS addresses only.");
}

function checkHost(hostname: string): Finding {
  if (!privateHost.test(hostname)) return good("The host looks public.");
  return missing(`${hostname} is known only on this machine or network: use a public host name.`);
}

function checkKey(asksForKey: boolean | undefined): Finding {
  if (asksForKey === undefined) return unknown("It isn't known yet whether the service requires a key.");
  if (asksForKey) return good("Requests without a key are refused.");
  return missing("It answers without a key: anyone who finds the address can use it. Configure keys.");
}

function checkOrigins(check: ServiceCheck | undefined, origin: string, pageOrigin: string): Finding {
  const isBlocked = check?.state === "blocked";
  const hasAnswered = check?.readiness !== undefined || isBlocked;
  if (!hasAnswered || origin === pageOrigin) return unknown("This page can't tell which origins may call it.");
  if (isBlocked) return good(`Not every origin may call it: ${pageOrigin} may not.`);
  return missing(
    `Pages of ${pageOrigin} may call it. Allow only your platform's origin, unless any origin should be able to.`,
  );
}

function checkProvider(provider: NonNullable<ServiceCheck["readiness"]>["provider"]): Finding {
  if (!provider || provider.status === "checking")
    return unknown("It isn't known yet which provider the service uses.");
  const { offline, status, host, detail = `${host} fails.` } = provider;
  if (offline) return missing("The offline provider answers: set LLM_API_KEY for a real model.");
  if (status === "ok") return good(`${host} accepts the key.`);
  return status === "degraded" ? missing(detail) : unknown(detail);
}
