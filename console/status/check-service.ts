import { services } from "@agent-backends/contract/services";
import type { Connection, ServiceName } from "../connections/connections.ts";
import { keyHeadersOf } from "../connections/connections.ts";
import type { Fault, Readiness } from "./readiness.ts";
import { parseProblem, parseReadiness, serviceKinds } from "./readiness.ts";

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

/** Something that keeps a service from being used, or from working well. */
export interface ServiceProblem {
  text: string;
  /** Where it is to be mended. */
  place?: Fault | "address" | "key" | "service" | undefined;
  /** Lines to copy that mend it. */
  fix?: string | undefined;
}

/** What a service answered about itself. */
export interface ServiceCheck {
  state: ServiceState;
  /** What was checked: an answer says nothing of another address or key. */
  connection: Connection;
  problems: ServiceProblem[];
  /** What it says of itself; absent where it could not be asked. */
  readiness?: Readiness;
  /** How long its answer took, in milliseconds. */
  latencyMs?: number;
}

const timeoutMs = 5_000;

/** Asks a service by its public route whether it lives, what it works with, and whom it lets in. */
export async function checkService(
  name: ServiceName,
  connection: Connection,
  page: { origin: string; protocol: string },
): Promise<ServiceCheck> {
  const check = (state: ServiceState, ...problems: ServiceProblem[]): ServiceCheck => ({ state, connection, problems });
  const startedAt = performance.now();
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${connection.baseUrl}/ready`, {
      headers: keyHeadersOf(connection),
      signal: AbortSignal.timeout(timeoutMs),
    });
    text = await response.text();
  } catch (error) {
    return withoutAnswer(error, connection, page, check);
  }
  const latencyMs = performance.now() - startedAt;
  const readiness = response.ok ? parseReadiness(text) : undefined;
  if (readiness && readiness.service !== serviceKinds[name]) {
    const words = `This is the address of the ${readiness.service} service: change it to that of ${services[name].title}.`;
    return { ...check("wrong-service", { text: words, place: "address" }), latencyMs };
  }
  if (readiness) return { ...judge(connection, readiness, check), readiness, latencyMs };
  return { ...refused(name, connection, response.status, text, check), latencyMs };
}

type MakeCheck = (state: ServiceState, ...problems: ServiceProblem[]) => ServiceCheck;

function judge(connection: Connection, readiness: Readiness, check: MakeCheck): ServiceCheck {
  const { origin } = new URL(connection.baseUrl);
  const { provider, site, warnings = [] } = readiness;
  const problems = [provider, site]
    .filter((dependency) => dependency?.status === "degraded" && dependency.detail)
    .map((dependency) => ({
      text: dependency?.detail ?? "",
      place: dependency?.fault ?? "configuration",
      fix: dependency?.fix,
    }));
  const warned = warnings.map((text) => ({ text }));
  if (readiness.refusal) {
    return check("blocked", { text: readiness.refusal, place: "configuration" }, ...problems, ...warned);
  }
  if (readiness.asksForKey && connection.key === "") {
    const text = `${origin} asks for a key: give one under Change.`;
    return check("key-needed", { text, place: "key" }, ...problems, ...warned);
  }
  if (readiness.key === "refused") {
    const text = `${origin} does not know the key that was given: check it under Change.`;
    return check("key-refused", { text, place: "key" }, ...problems, ...warned);
  }
  return check(problems.length > 0 ? "degraded" : "ready", ...problems, ...warned);
}

/** Something answered, but not with a readiness of ours. */
function refused(
  name: ServiceName,
  { baseUrl }: Connection,
  status: number,
  text: string,
  check: MakeCheck,
): ServiceCheck {
  const withoutRoute = baseUrl.slice(0, -services[name].streamingPath.length);
  if (baseUrl.endsWith(services[name].streamingPath) && status >= 400) {
    return check("foreign", {
      text: `This is a deployment URL. Here the base URL is asked for, without ${services[name].streamingPath}:`,
      place: "address",
      fix: withoutRoute,
    });
  }
  const problem = parseProblem(text);
  if (problem?.name === "unavailable") return check("not-ready", { text: problem.detail });
  if (problem?.name === "not-found") {
    return check("foreign", {
      text: "A service of this project answers, but not at this path: the base URL is most likely",
      place: "address",
      fix: new URL(baseUrl).origin,
    });
  }
  if (problem) return check("not-ready", { text: problem.detail });
  return check("foreign", {
    text: `What answers at ${baseUrl} is no service of this project (status ${status}): check host, port and path.`,
    place: "address",
  });
}

/** No answer came that the page may read. */
async function withoutAnswer(
  error: unknown,
  { baseUrl }: Connection,
  page: { origin: string; protocol: string },
  check: MakeCheck,
): Promise<ServiceCheck> {
  const { origin, protocol } = new URL(baseUrl);
  if (error instanceof DOMException && error.name === "TimeoutError") {
    const text = `${origin} takes connections, or a firewall is in between, but no answer came within ${timeoutMs / 1_000} s.`;
    return check("down", { text, place: "network" });
  }
  if (page.protocol === "https:" && protocol === "http:") {
    const text = `A page that came over HTTPS may not call ${origin}: put a TLS proxy in front of the service.`;
    return check("blocked", { text, place: "configuration" });
  }
  if (await answersWithoutReading(baseUrl)) {
    return check("blocked", {
      text: `Something answers at ${origin}, but lets no page of ${page.origin} read it. If it is the service, let this origin in and restart it:`,
      place: "configuration",
      fix: `CORS_ORIGINS=${page.origin}`,
    });
  }
  return check("down", {
    text: `Nothing answers at ${origin}: the service has stopped, or its address is another one. To start everything:`,
    place: "service",
    fix: "npm start",
  });
}

/** A request whose answer the page may not read still tells that something answers. */
function answersWithoutReading(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/health`, { mode: "no-cors", signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  );
}
