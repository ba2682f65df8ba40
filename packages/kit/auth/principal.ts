import type { IncomingMessage } from "node:http";
import { problems } from "@agent-backends/contract";
import { coversNamespace } from "./namespace-patterns.ts";

/**
 * What a key may do: ask the model, read what is stored and listed, change what is stored; `admin` stands for all of them.
 */
export const scopes = ["ask", "read", "write", "admin"] as const;
export type Scope = (typeof scopes)[number];
export const defaultScopes: readonly Scope[] = ["ask", "read", "write"];

/** Who sends a request, and how far that reaches. */
export class Principal {
  /** Tells keys apart; nothing of the key itself can be learned from it. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Names, or patterns with `*`. */
  readonly namespaces: readonly string[];
  /** Requests per minute; undefined: what the service allows every key. */
  readonly rate: number | undefined;

  constructor(about: Pick<Principal, "id" | "name" | "scopes" | "namespaces"> & { rate?: number | undefined }) {
    this.id = about.id;
    this.name = about.name;
    this.scopes = about.scopes;
    this.namespaces = about.namespaces;
    this.rate = about.rate;
  }

  has(scope: Scope): boolean {
    return this.scopes.includes(scope) || this.scopes.includes("admin");
  }

  reaches(namespace: string): boolean {
    return coversNamespace(this.namespaces, namespace);
  }

  /** @throws ProblemError `forbidden` */
  requireScope(scope: Scope): void {
    if (this.has(scope)) return;
    throw problems.missingScope(scope);
  }

  /** @throws ProblemError `forbidden`, whether or not there is such a namespace */
  requireNamespace(namespace: string): void {
    if (this.reaches(namespace)) return;
    throw problems.namespaceForbidden(namespace);
  }
}

/** Everybody, where no keys are asked for. */
export const anyone = new Principal({ id: "anyone", name: "anyone", scopes: ["admin"], namespaces: ["*"] });

const sender = Symbol("principal");
type Admitted = IncomingMessage & { [sender]?: Principal };

export function rememberPrincipal(request: IncomingMessage, principal: Principal): void {
  (request as Admitted)[sender] = principal;
}

/**
 * Who sends a request that a guard has admitted.
 *
 * @throws Error where no guard stands before the route: it stays shut
 */
export function principalOf(request: IncomingMessage): Principal {
  const principal = (request as Admitted)[sender];
  if (!principal) throw new Error("A route without a guard asked who sends its request.");
  return principal;
}
