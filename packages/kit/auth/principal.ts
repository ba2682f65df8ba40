import type { IncomingMessage } from "node:http";
import { problems } from "@agent-backends/contract";

/** Permissions of a key: ask the model, read documents and listings, change documents. `admin` includes all of them. */
export const scopes = ["ask", "read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];
export const defaultScopes: readonly Scope[] = ["ask", "read", "write"];

/** The sender of a request, with its scopes and namespaces. */
export class Principal {
  /** Unique for each key, and reveals nothing about the key itself. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Names, or patterns with `*`. */
  readonly namespaces: readonly string[];
  /** Requests per minute. Undefined: the service's default rate. */
  readonly rate: number | undefined;
  /** Undefined: no limit. */
  readonly tokensPerMinute: number | undefined;
  readonly tokensPerDay: number | undefined;

  constructor(
    about: Pick<Principal, "id" | "name" | "scopes" | "namespaces"> &
      Partial<Pick<Principal, "rate" | "tokensPerMinute" | "tokensPerDay">>,
  ) {
    this.id = about.id;
    this.name = about.name;
    this.scopes = about.scopes;
    this.namespaces = about.namespaces;
    this.rate = about.rate;
    this.tokensPerMinute = about.tokensPerMinute;
    this.tokensPerDay = about.tokensPerDay;
  }

  hasScope(scope: Scope): boolean {
    return this.scopes.includes(scope) || this.scopes.includes("admin");
  }

  canAccess(namespace: string): boolean {
    return matchesNamespace(this.namespaces, namespace);
  }

  /** @throws ProblemError `forbidden` */
  requireScope(scope: Scope): void {
    if (this.hasScope(scope)) return;
    throw problems.missingScope(scope);
  }

  /** @throws ProblemError `forbidden`, whether or not the namespace exists */
  requireNamespace(namespace: string): void {
    if (this.canAccess(namespace)) return;
    throw problems.namespaceForbidden(namespace);
  }
}

/** Every client, if the service requires no keys. */
export const anonymousPrincipal = new Principal({ id: "anyone", name: "anyone", scopes: ["admin"], namespaces: ["*"] });

const principalKey = Symbol("principal");
type Admitted = IncomingMessage & { [principalKey]?: Principal };

export function rememberPrincipal(request: IncomingMessage, principal: Principal): void {
  (request as Admitted)[principalKey] = principal;
}

/**
 * The sender of a request that a guard has admitted.
 *
 * @throws Error if the route has no guard, so that a missing guard never opens a route
 */
export function getPrincipal(request: IncomingMessage): Principal {
  const principal = (request as Admitted)[principalKey];
  if (!principal) throw new Error("A route without a guard asked who sends its request.");
  return principal;
}

/** Matches any number of characters, including none. All other characters of a pattern match themselves. */
const wildcard = "*";

/**
 * Whether one of the patterns matches a name. Names are compared exactly: case, white space and the Unicode form of accents matter. Takes
 * time proportional to the lengths of pattern and name.
 */
export function matchesNamespace(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesPattern(pattern, name));
}

function matchesPattern(pattern: string, name: string): boolean {
  const [head = "", ...others] = pattern.split(wildcard);
  const tail = others.pop();
  if (tail === undefined) return pattern === name;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let place = head.length;
  for (const part of others) {
    const found = name.indexOf(part, place);
    if (found < 0 || found + part.length > end) return false;
    place = found + part.length;
  }
  return true;
}
