import type { Dependency, Readiness } from "@agent-backends/client";
import { InvalidResponseError, ProblemError } from "@agent-backends/client";
import { services } from "@agent-backends/contract/services";
import { relayAt } from "../connections/clients.ts";
import type { Connection, ServiceName } from "../connections/connections.ts";

export type ServiceState =
  | "ready"
  | "degraded"
  | "not-ready"
  | "key-needed"
  | "key-refused"
  | "blocked"
  | "wrong-service"
  | "foreign"
  | "down";

/** A problem that prevents a service from being used, or from working well. */
export interface ServiceProblem {
  text: string;
  /** Where the problem has to be fixed. */
  place?: Dependency["fault"] | "address" | "service" | undefined;
  /** Lines to copy that fix the problem. */
  fix?: string | undefined;
}

interface Finding {
  state: ServiceState;
  problems: ServiceProblem[];
}

export interface ServiceCheck extends Finding {
  /** The checked connection. The result isn't valid for another address or key. */
  connection: Connection;
  /** The service's own report. Absent if it didn't answer. */
  readiness?: Readiness;
  latencyMs?: number;
}

const timeoutMs = 5_000;

/** The name with which each service answers. Both relays have the same one. */
const serviceKinds: Record<ServiceName, Readiness["service"]> = {
  knowledge: "knowledge",
  listing: "listing",
  relay: "relay",
  relayNest: "relay",
};

const found = (state: ServiceState, ...problems: ServiceProblem[]): Finding => ({ state, problems });

/** Checks a service by its public route `/ready`: whether it answers, what its dependencies are, and whether it accepts the key. */
export async function checkService(
  name: ServiceName,
  connection: Connection,
  page: { origin: string; protocol: string },
): Promise<ServiceCheck> {
  const startedAt = performance.now();
  let readiness: Readiness;
  try {
    // The route is the same for all services.
    readiness = await relayAt(connection).ready({ signal: AbortSignal.timeout(timeoutMs) });
  } catch (error) {
    const latencyMs = performance.now() - startedAt;
    if (error instanceof ProblemError) {
      return { connection, latencyMs, ...explainRefusal(name, connection, error) };
    }
    if (error instanceof InvalidResponseError) return { connection, latencyMs, ...foreign(connection, 200) };
    return { connection, ...(await explainSilence(error, connection, page)) };
  }
  const latencyMs = performance.now() - startedAt;
  if (readiness.status !== "ready") return { connection, latencyMs, ...foreign(connection, 200) };
  if (readiness.service === serviceKinds[name]) {
    return { connection, latencyMs, readiness, ...explainReadiness(connection, readiness) };
  }
  const words = `This is the address of the ${readiness.service} service: change it to that of ${services[name].title}.`;
  return { connection, latencyMs, ...found("wrong-service", { text: words, place: "address" }) };
}

function explainReadiness({ key }: Connection, readiness: Readiness): Finding {
  const { provider, site, warnings = [], refusal, asksForKey } = readiness;
  const degraded = [provider, ...(provider?.fallbacks ?? []), site].flatMap((dependency): ServiceProblem[] => {
    if (dependency?.status !== "degraded" || !dependency.detail) return [];
    return [{ text: dependency.detail, place: dependency.fault ?? "configuration", fix: dependency.fix }];
  });
  const others = [...degraded, ...warnings.map((text) => ({ text }))];
  if (refusal) return found("blocked", { text: refusal, place: "configuration" }, ...others);
  if (asksForKey && key === "") {
    return found("key-needed", { text: "This service asks for a key: enter one under “Change”." }, ...others);
  }
  if (readiness.key === "refused") {
    return found("key-refused", { text: "This service doesn't accept the key: check it under “Change”." }, ...others);
  }
  return found(degraded.length > 0 ? "degraded" : "ready", ...others);
}

/** The finding for an error response. */
function explainRefusal(name: ServiceName, connection: Connection, problem: ProblemError): Finding {
  const { baseUrl } = connection;
  const path = services[name].streamingPath;
  if (baseUrl.endsWith(path)) {
    return found("foreign", {
      text: `This is a deployment URL. Enter the base URL, without ${path}:`,
      place: "address",
      fix: baseUrl.slice(0, -path.length),
    });
  }
  if (problem.code === "not-found") {
    return found("foreign", {
      text: "A service of this project answers, but not at this path: the base URL is most likely",
      place: "address",
      fix: new URL(baseUrl).origin,
    });
  }
  if (problem.code) return found("not-ready", { text: problem.message });
  return foreign(connection, problem.status);
}

const foreign = ({ baseUrl }: Connection, status: number): Finding =>
  found("foreign", {
    text: `The server at ${baseUrl} is not a service of this project (status ${status}): check host, port and path.`,
    place: "address",
  });

/** The finding if no response arrived that the page may read. */
async function explainSilence(
  error: unknown,
  { baseUrl }: Connection,
  page: { origin: string; protocol: string },
): Promise<Finding> {
  const { origin, protocol } = new URL(baseUrl);
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const text = `${origin} did not answer within ${timeoutMs / 1_000} s. It is overloaded, or a firewall drops the connection.`;
    return found("down", { text, place: "network" });
  }
  if (page.protocol === "https:" && protocol === "http:") {
    const text = `A page served over HTTPS can't call ${origin}: put a TLS proxy in front of the service.`;
    return found("blocked", { text, place: "configuration" });
  }
  if (await answersAtAll(baseUrl)) {
    return found("blocked", {
      text: `Something answers at ${origin}, but pages of ${page.origin} aren't allowed to read it. If it is the service, allow this origin and restart it:`,
      place: "configuration",
      fix: `CORS_ORIGINS=${page.origin}`,
    });
  }
  return found("down", {
    text: `Nothing answers at ${origin}: the service has stopped, or it has another address. To start everything:`,
    place: "service",
    fix: "npm start",
  });
}

/** With `no-cors`, the page can't read the response, but learns that there is one. */
function answersAtAll(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/health`, { mode: "no-cors", signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  );
}
