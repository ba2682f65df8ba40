import type { ProviderState, Readiness } from "@agent-backends/client";
import { ConnectionError, KnowledgeClient, ListingClient, ProblemError, RelayClient } from "@agent-backends/client";
import { services } from "@agent-backends/contract/services";
import type { ClientName, Context } from "../command.ts";
import { keyVariable } from "../connect.ts";
import { describeCertificate, doctorHint, toCommandError } from "../failures.ts";
import type { Finding } from "./machine.ts";
import { offlineNote } from "./machine.ts";
import { findOtherProvider } from "./provider.ts";

/** Signed requests and tokens with an expiry are refused beyond roughly this difference. */
const maxClockSkewMs = 30_000;
/** In a shorter answer, buffering can't be detected. */
const minAnswerMs = 400;
/** A buffering proxy delivers the whole answer within this fraction of its duration. */
const bufferedShare = 0.1;
/** Number of answers that have to arrive at once before a proxy is blamed. */
const maxStreamAttempts = 2;

const loopback = /^(localhost|127\.[\d.]+|\[?::1\]?)$/;

interface Options extends Pick<Context, "fetch" | "signal" | "now"> {
  /** Whether to ask the agent a question. */
  asks: boolean;
  namespace: string;
  /** The variables that a service on this machine should have been started with. */
  startedWith?: NodeJS.ProcessEnv | undefined;
}

interface Connection {
  baseUrl: string;
  headers: Record<string, string>;
}

/** Checks a running service through its public routes. */
export async function checkService(service: ClientName, connection: Connection, options: Options): Promise<Finding[]> {
  const { fetch, signal, now } = options;
  const clientOptions = { ...connection, fetch };
  let serverTime = Number.NaN;
  const onResponse = ({ headers }: Response) => {
    serverTime = Date.parse(headers.get("date") ?? "");
  };
  let readiness: Readiness;
  try {
    readiness = await new KnowledgeClient(clientOptions).ready({ signal, onResponse });
  } catch (error) {
    return [describeUnready(service, connection.baseUrl, { error, isRemote: options.startedWith === undefined })];
  }
  const { service: found, provider, site, warnings = [] } = readiness;
  if (found !== service) {
    const detail = `${connection.baseUrl} is ${found ?? "another program"}, not ${service}`;
    return [{ about: service, status: "problem", detail, ...(options.startedWith && { fix: moveLine(service) }) }];
  }
  const findings: Finding[] = [{ about: service, status: "ok", detail: `ready at ${connection.baseUrl}` }];
  const skew = Math.abs(serverTime - now());
  if (skew > maxClockSkewMs) {
    const detail = `its clock differs from this machine's by ${Math.round(skew / 1_000)} s, so tokens may be refused`;
    findings.push({ about: `clock of ${service}`, status: "problem", detail, fix: "sudo timedatectl set-ntp true" });
  }
  for (const [index, state] of provider ? [provider, ...(provider.fallbacks ?? [])].entries() : []) {
    const other = index === 0 && options.startedWith && findOtherProvider(state, options.startedWith);
    const about = `provider of ${service}`;
    if (other) findings.push({ about, status: "problem", detail: `${other}: restart it`, fix: restartLine });
    else findings.push(describeProvider(service, state, index));
  }
  if (site?.status === "degraded") {
    const about = `${service}'s launches`;
    findings.push({ about, status: "problem", detail: site.detail ?? site.source, ...(site.fix && { fix: site.fix }) });
  }
  for (const detail of warnings) findings.push({ about: service, status: "problem", detail });
  const access = describeAccess(service, readiness);
  if (access) return [...findings, access];
  const host = options.startedWith?.HOST?.trim() || new URL(connection.baseUrl).hostname;
  if (!readiness.asksForKey && !loopback.test(host)) {
    const detail = "others can reach it, and it asks for no key";
    findings.push({ about: `key for ${service}`, status: "note", detail, fix: "npm run keys -- add --name my-app" });
  }
  if (options.asks) findings.push(await checkStream(service, clientOptions, options));
  return findings;
}

/** Services read their variables only when they start. */
export const restartLine = "npm start   # after Ctrl-C in its terminal";

/** Moves `npm start`'s service to another port. */
const moveLine = (service: ClientName) =>
  `${services[service].startPortVariable}=${services[service].startPort + 1_000}`;

function describeUnready(
  service: ClientName,
  baseUrl: string,
  { error, isRemote }: { error: unknown; isRemote: boolean },
): Finding {
  if (error instanceof ConnectionError) {
    const about = { about: service, status: "problem" } as const;
    const certificate = describeCertificate(error);
    if (certificate) {
      const fix = certificate.includes("NODE_EXTRA_CA_CERTS") && { fix: "export NODE_EXTRA_CA_CERTS=/path/to/ca.pem" };
      return { ...about, detail: certificate, ...fix };
    }
    const isHere = loopback.test(new URL(baseUrl).hostname);
    const fix = isHere && { fix: `npx --no-install agents serve ${service}` };
    return { ...about, detail: `nothing answers at ${baseUrl}`, ...fix };
  }
  if (error instanceof ProblemError && error.status === 503) {
    return { about: service, status: "problem", detail: `not ready: ${error.message}` };
  }
  // Another program that listens on this port has no such route.
  const failure = toCommandError(error);
  if (!failure) throw error;
  const how = error instanceof ProblemError && error.code === undefined ? `status ${error.status}` : failure.message;
  const detail = `${baseUrl} does not answer like a service of this project: ${how}`;
  return { about: service, status: "problem", detail, ...(!isRemote && { fix: moveLine(service) }) };
}

function describeProvider(service: ClientName, state: ProviderState, index: number): Finding {
  const about = `${index === 0 ? "provider" : `fallback ${index}`} of ${service}`;
  const { status, host, detail, fix, models, offline } = state;
  if (status === "degraded") return { about, status: "problem", detail: detail ?? host, ...(fix && { fix }) };
  if (offline) return offlineNote;
  const names = Object.values(models).join(", ");
  if (status === "ok") return { about, status: "ok", detail: `${host} accepts the key and has ${names}` };
  return { about, status: "note", detail: detail ?? `${host} is still being checked; run this again` };
}

function describeAccess(service: ClientName, { asksForKey, key, refusal }: Readiness): Finding | undefined {
  const about = `key for ${service}`;
  if (refusal !== undefined) return { about, status: "problem", detail: refusal };
  if (!asksForKey || key === "accepted") return undefined;
  const detail = key === "refused" ? "the key is refused" : "the service asks for a key";
  return { about, status: "problem", detail, fix: `export ${keyVariable}=your-key` };
}

const question = "Count from one to ten.";

/** Whether the answer arrives piece by piece. A buffering proxy holds back even the first event until the end. */
async function checkStream(
  service: ClientName,
  clientOptions: ConstructorParameters<typeof KnowledgeClient>[0],
  { signal, namespace }: Options,
): Promise<Finding> {
  const about = `streams of ${service}`;
  const messages = [{ role: "user" as const, content: question }];
  let firstAt = Number.NaN;
  const onFrame = () => {
    if (Number.isNaN(firstAt)) firstAt = performance.now();
  };
  const streams = {
    knowledge: () =>
      new KnowledgeClient(clientOptions).stream(
        { namespace, messages, include_tool_events: true },
        { signal, onFrame },
      ),
    listing: () =>
      new ListingClient(clientOptions).stream(
        { messages: [{ role: "user", content: "Top 3 today" }] },
        { signal, onFrame },
      ),
    relay: () =>
      new RelayClient(clientOptions).stream(
        { messages: messages.map((message) => ({ id: "1", ...message })) },
        { signal, onFrame },
      ),
  };
  let totalMs = Number.NaN;
  // A service or a model that starts slowly looks like a buffering proxy in its first answer only.
  for (let attempt = 0; attempt < maxStreamAttempts; attempt += 1) {
    const startedAt = performance.now();
    firstAt = Number.NaN;
    try {
      for await (const _ of streams[service]()) {
        // Only the arrival times matter.
      }
    } catch (error) {
      const failure = toCommandError(error);
      if (!failure || signal.aborted) throw error;
      const isForbidden = error instanceof ProblemError && error.status === 403;
      const fix = "npx --no-install agents doctor --namespace a-namespace-of-the-key";
      const detail = failure.message.replace(doctorHint, "");
      return { about, status: "problem", detail, ...(isForbidden && { fix }) };
    }
    totalMs = performance.now() - startedAt;
    const isShort = totalMs < minAnswerMs;
    const isBuffered = !isShort && performance.now() - firstAt < totalMs * bufferedShare;
    if (!isBuffered) {
      const how = isShort ? "too quickly to tell whether a proxy buffers" : "piece by piece";
      return { about, status: "ok", detail: `answered in ${Math.round(totalMs)} ms, ${how}` };
    }
  }
  const detail = `the whole answer came at once after ${Math.round(totalMs)} ms: a proxy in between buffers streams`;
  return { about, status: "problem", detail, fix: "proxy_buffering off;   # nginx, in this location" };
}
