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
 * @param offlineProvider whether the offline provider answers; `undefined` where that is not known
 */
export function productionFindings(
  baseUrl: string,
  check: ServiceCheck | undefined,
  { pageOrigin, offlineProvider }: { pageOrigin: string; offlineProvider: boolean | undefined },
): ProductionFinding[] {
  const { protocol, hostname, origin } = new URL(baseUrl);
  const isPublic = !privateHost.test(hostname);
  const isReachable = check !== undefined && check.state !== "down";
  const findings: ProductionFinding[] = [
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
  ];
  if (offlineProvider !== undefined) {
    findings.push(
      offlineProvider
        ? {
            about: "Provider",
            state: "missing",
            text: "The offline provider answers: set LLM_API_KEY for a real model.",
          }
        : { about: "Provider", state: "good", text: "A real provider is configured." },
    );
  }
  return findings;
}

function keyFinding(check: ServiceCheck | undefined): ProductionFinding {
  if (check?.asksForKey === undefined) {
    return { about: "Key", state: "unknown", text: "Whether it asks for a key could not be told." };
  }
  return check.asksForKey
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
