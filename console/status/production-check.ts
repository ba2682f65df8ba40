import type { ServiceCheck } from "./check-service.ts";

/** One thing that matters before a service is given to a chat platform. */
export interface ProductionFinding {
  about: "HTTPS" | "Address" | "Key" | "CORS origins" | "Provider";
  state: "good" | "missing" | "unknown";
  text: string;
}

const privateHost =
  /^(localhost|.*\.local|.*\.internal|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cd].*)$/i;

/**
 * What is still missing before a deployment URL can be given away, as far as that can be seen from a page.
 *
 * @param pageOrigin where the page comes from
 */
export function productionFindings(
  baseUrl: string,
  check: ServiceCheck | undefined,
  pageOrigin: string,
): ProductionFinding[] {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isPublic = !privateHost.test(hostname);
  const isReachable = check?.readiness !== undefined || check?.state === "blocked";
  return [
    protocol === "https:"
      ? { about: "HTTPS", state: "good", text: "The address is HTTPS." }
      : {
          about: "HTTPS",
          state: "missing",
          text: "Put a TLS proxy in front: chat platforms call HTTPS addresses only.",
        },
    isPublic
      ? { about: "Address", state: "good", text: "The host looks public." }
      : {
          about: "Address",
          state: "missing",
          text: `Only this machine or network knows ${hostname}: give it a public name.`,
        },
    keyFinding(check),
    originsFinding(isReachable, check?.state, origin === pageOrigin, pageOrigin),
    providerFinding(check),
  ];
}

function providerFinding(check: ServiceCheck | undefined): ProductionFinding {
  const provider = check?.readiness?.provider;
  if (!provider || provider.status === "checking") {
    return { about: "Provider", state: "unknown", text: "Which provider answers could not be told." };
  }
  if (provider.offline) {
    return {
      about: "Provider",
      state: "missing",
      text: "The offline provider answers: set LLM_API_KEY for a real model.",
    };
  }
  if (provider.status === "ok") return { about: "Provider", state: "good", text: `${provider.host} takes the key.` };
  const state = provider.status === "degraded" ? "missing" : "unknown";
  return { about: "Provider", state, text: provider.detail ?? `${provider.host} fails.` };
}

function keyFinding(check: ServiceCheck | undefined): ProductionFinding {
  const asksForKey = check?.readiness?.asksForKey;
  if (asksForKey === undefined) {
    return { about: "Key", state: "unknown", text: "Whether it asks for a key could not be told." };
  }
  return asksForKey
    ? { about: "Key", state: "good", text: "Requests without a key are refused." }
    : {
        about: "Key",
        state: "missing",
        text: "It answers without a key: whoever finds the address can use it. Ask for one.",
      };
}

function originsFinding(
  isReachable: boolean,
  state: ServiceCheck["state"] | undefined,
  isSameOrigin: boolean,
  pageOrigin: string,
): ProductionFinding {
  if (!isReachable || isSameOrigin) {
    return { about: "CORS origins", state: "unknown", text: "Which origins may call could not be told." };
  }
  return state === "blocked"
    ? { about: "CORS origins", state: "good", text: `Not every origin may call: ${pageOrigin} may not.` }
    : {
        about: "CORS origins",
        state: "missing",
        text: `Pages of ${pageOrigin} may call. Let only your platform's origin in, unless browsers of any origin should.`,
      };
}
