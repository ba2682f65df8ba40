import type { IncomingMessage, ServerResponse } from "node:http";
import { ProblemError } from "@agent-backends/contract";
import type { Capacity, Work } from "../limits/capacity.ts";
import { clientAddress } from "../limits/client-address.ts";
import { LargeBodies, rememberLargeBodies } from "../limits/large-bodies.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { recordOf } from "../observability/request-record.ts";
import type { Authenticator } from "./authenticator.ts";
import type { BrowserPolicy } from "./browser-policy.ts";
import { credentialsIn } from "./credentials.ts";
import type { Principal, Scope } from "./principal.ts";
import { anyone, principalOf, rememberPrincipal } from "./principal.ts";

/** What a route asks of a request before anything of its body is read. */
export interface Access {
  /** Undefined: any key will do. */
  scope?: Scope;
  /** What the request takes a place for while it runs. */
  takes?: Work;
}

/** Requests per minute; 0: as many as come. */
export interface Rates {
  /** Of a key that has no rate of its own. */
  perKey: number;
  perAddress: number;
  /** Refused for their credentials. */
  refusalsPerAddress: number;
}

/** What readiness says of requests like the one that asks. */
export interface AccessReport {
  asksForKey: boolean;
  key?: "accepted" | "refused";
  /** Why other routes refuse it whatever its key. */
  refusal?: string;
}

/** Stands before the routes of a service: who sends a request, may they, and is there room for it. */
export class Guard {
  readonly #authenticator: Authenticator;
  readonly #browserPolicy: BrowserPolicy;
  readonly #rateLimits: RateLimits;
  readonly #rates: Rates;
  readonly #capacity: Capacity;
  readonly #trustedProxies: number;
  readonly #largeBodies = new LargeBodies();

  constructor(parts: {
    authenticator: Authenticator;
    browserPolicy: BrowserPolicy;
    rateLimits: RateLimits;
    rates: Rates;
    capacity: Capacity;
    trustedProxies: number;
  }) {
    this.#authenticator = parts.authenticator;
    this.#browserPolicy = parts.browserPolicy;
    this.#rateLimits = parts.rateLimits;
    this.#rates = parts.rates;
    this.#capacity = parts.capacity;
    this.#trustedProxies = parts.trustedProxies;
  }

  /** Whether requests need credentials. */
  get asksForKeys(): boolean {
    return this.#authenticator.isActive;
  }

  /**
   * Lets a request in. Where neither keys nor rates are asked for, at once and without a promise.
   *
   * @throws ProblemError `unauthorized`, `forbidden`, `too-many-requests` or `unavailable`, also as a rejection
   */
  admit(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> | undefined {
    this.#browserPolicy.check(request.headers, {
      isKeyless: !this.asksForKeys,
      changesState: access.scope === "write",
    });
    if (this.asksForKeys) return this.#admitByKey(request, response, access);
    if (this.#rates.perAddress > 0) return this.#admitByAddress(request, response, access);
    this.#enter(request, response, anyone, access);
    return undefined;
  }

  /**
   * What a request may know that needs no key: whether others need one, whether the one that it carries would do, and why others
   * would be refused for where they come from.
   */
  async describeAccess(request: IncomingMessage): Promise<AccessReport> {
    const asksForKey = this.asksForKeys;
    const refusal = this.#refusalOf(request);
    if (refusal !== undefined) return { asksForKey, refusal };
    if (!asksForKey || credentialsIn(request.headers).length === 0) return { asksForKey };
    try {
      await this.#authenticate(request);
      return { asksForKey, key: "accepted" };
    } catch (error) {
      if (error instanceof ProblemError && error.code === "unauthorized") return { asksForKey, key: "refused" };
      throw error;
    }
  }

  /**
   * Holds a key to its share of what goes on after its request was answered.
   *
   * @throws ProblemError `too-many-requests`
   */
  requireShare(request: IncomingMessage, work: Work, runningOf: (keyId: string) => number): void {
    const principal = principalOf(request);
    if (principal !== anyone) this.#capacity.requireShare(work, runningOf(principal.id));
  }

  /** Names the client that sends a request, between whom work is shared fairly: its key or, where none is asked for, its address. */
  getClient(request: IncomingMessage): string {
    const principal = principalOf(request);
    return principal === anyone ? `address ${clientAddress(request, this.#trustedProxies)}` : principal.id;
  }

  close(): void {
    this.#authenticator.close();
    this.#rateLimits.close();
  }

  #refusalOf({ headers }: IncomingMessage): string | undefined {
    try {
      this.#browserPolicy.check(headers, { isKeyless: !this.asksForKeys, changesState: false });
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError) return error.message;
      throw error;
    }
  }

  async #admitByKey(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> {
    const principal = await this.#authenticate(request);
    const perMinute = principal.rate ?? this.#rates.perKey;
    if (perMinute > 0) await this.#rateLimits.count("key", principal.id, perMinute);
    if (this.#rates.perAddress > 0) await this.#countAddress(request);
    this.#enter(request, response, principal, access);
  }

  async #admitByAddress(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> {
    await this.#countAddress(request);
    this.#enter(request, response, anyone, access);
  }

  async #authenticate(request: IncomingMessage): Promise<Principal> {
    try {
      return await this.#authenticator.authenticate(request.headers);
    } catch (error) {
      const isRefusal = error instanceof ProblemError && error.code === "unauthorized";
      const perMinute = this.#rates.refusalsPerAddress;
      if (isRefusal && perMinute > 0) {
        await this.#rateLimits.count("refusals", clientAddress(request, this.#trustedProxies), perMinute);
      }
      throw error;
    }
  }

  #countAddress(request: IncomingMessage): Promise<void> {
    const address = clientAddress(request, this.#trustedProxies);
    return this.#rateLimits.count("address", address, this.#rates.perAddress);
  }

  #enter(request: IncomingMessage, response: ServerResponse, principal: Principal, { scope, takes }: Access): void {
    rememberPrincipal(request, principal);
    rememberLargeBodies(request, (bytes) => this.#largeBodies.enter(this.getClient(request), bytes, response));
    if (principal !== anyone) {
      const record = recordOf(request);
      if (record) record.keyName = principal.name;
    }
    if (scope !== undefined) principal.requireScope(scope);
    if (takes !== undefined) this.#capacity.take(takes, principal === anyone ? undefined : principal.id, response);
  }
}
