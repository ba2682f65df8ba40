import type { IncomingMessage, ServerResponse } from "node:http";
import { ProblemError } from "@agent-backends/contract";
import type { Capacity } from "../limits/capacity.ts";
import { getClientAddress } from "../limits/client-address.ts";
import { LargeBodies, rememberBodyAdmission } from "../limits/large-bodies.ts";
import type { LimitCounts } from "../limits/limit-counts.ts";
import { countRequest } from "../limits/request-counts.ts";
import { RequestStarts } from "../limits/request-starts.ts";
import type { Work } from "../limits/slots.ts";
import { rememberBudgets } from "../limits/tokens/reserve-tokens.ts";
import type { TokenBudgets } from "../limits/tokens/token-budgets.ts";
import { getRecord } from "../observability/request-record.ts";
import type { Authenticator } from "./authenticator.ts";
import { getCredentials } from "./authenticator.ts";
import type { BrowserPolicy } from "./browser-policy.ts";
import type { Principal, Scope } from "./principal.ts";
import { anonymousPrincipal, getPrincipal, rememberPrincipal } from "./principal.ts";

/** Access requirements of a route, checked before the body is read. */
export interface Access {
  /** Undefined: any valid key is enough. */
  scope?: Scope;
  /** The kind of slot that the request occupies while it runs. */
  takes?: Work;
  /** No key is required. Host and origin are still checked. */
  isOpen?: boolean;
}

/** Requests per minute. 0 means unlimited. */
interface Rates {
  /** For keys without their own rate. */
  perKey: number;
  perAddress: number;
  /** Requests with invalid credentials. */
  refusalsPerAddress: number;
}

/** Access information for a client in `/ready`. */
export interface AccessReport {
  asksForKey: boolean;
  key?: "accepted" | "refused";
  /** Permissions of an accepted key. */
  scopes?: readonly Scope[];
  /** Why other routes refuse this client, whatever its key. */
  refusal?: string;
}

interface GuardParts {
  authenticator: Authenticator;
  browserPolicy: BrowserPolicy;
  rates: Rates;
  tokenBudgets: TokenBudgets;
  capacity: Capacity;
  trustedProxies: number;
  /** The guard closes it. */
  counts: LimitCounts;
}

/** Checks requests before a service's routes: who sends a request, whether they may, and whether a slot is free for it. */
export class Guard {
  readonly #parts: GuardParts;
  readonly #largeBodies = new LargeBodies();
  readonly #starts = new RequestStarts();

  constructor(parts: GuardParts) {
    this.#parts = parts;
  }

  get asksForKeys(): boolean {
    return this.#parts.authenticator.isActive;
  }

  /**
   * Admits a request. Returns undefined instead of a promise when neither keys nor rates need to be checked.
   *
   * @throws ProblemError `unauthorized`, `forbidden`, `too-many-requests` or `unavailable`; a promise rejects with it
   */
  admit(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> | undefined {
    this.#parts.browserPolicy.check(request.headers, {
      isKeyless: !this.asksForKeys,
      changesState: access.scope === "write",
    });
    if (this.asksForKeys && !access.isOpen) return this.#admitByKey(request, response, access);
    if (access.isOpen || this.#parts.rates.perAddress > 0) return this.#admitByAddress(request, response, access);
    return this.#enter(request, response, anonymousPrincipal, access);
  }

  /**
   * Spaces out bursts of requests that need no key, such as health and readiness checks, by client address. They are never refused.
   *
   * @returns undefined when the request may start at once
   */
  admitOpen(request: IncomingMessage): Promise<void> | undefined {
    if (!this.asksForKeys) return undefined;
    const address = getClientAddress(request, this.#parts.trustedProxies);
    return this.#starts.enter(`address ${address}`, Number.POSITIVE_INFINITY);
  }

  /**
   * Checks the access requirements of a part of an admitted request, and occupies its slot until the response ends.
   *
   * @throws ProblemError `forbidden`, `too-many-requests` or `unavailable`; a promise rejects with it
   */
  admitPart(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> | undefined {
    this.#parts.browserPolicy.check(request.headers, {
      isKeyless: !this.asksForKeys,
      changesState: access.scope === "write",
    });
    return this.#require(getPrincipal(request), response, access);
  }

  /**
   * Information for a request without a key: whether other routes need a key, whether the key it carries is valid, and why other routes
   * would refuse its origin or host.
   */
  async describeAccess(request: IncomingMessage): Promise<AccessReport> {
    const asksForKey = this.asksForKeys;
    const refusal = this.#findRefusal(request);
    if (refusal !== undefined) return { asksForKey, refusal };
    if (!asksForKey || getCredentials(request.headers).length === 0) return { asksForKey };
    try {
      const { scopes } = await this.#authenticate(request);
      return { asksForKey, key: "accepted", scopes };
    } catch (error) {
      if (error instanceof ProblemError && error.code === "unauthorized") return { asksForKey, key: "refused" };
      throw error;
    }
  }

  /**
   * Limits the amount of a key's work that continues after its requests were answered.
   *
   * @throws ProblemError `too-many-requests`
   */
  requireShare(request: IncomingMessage, work: Work, countRunning: (keyId: string) => number): void {
    const principal = getPrincipal(request);
    if (principal !== anonymousPrincipal) this.#parts.capacity.requireShare(work, countRunning(principal.id));
  }

  /** The client of a request, for fair sharing: its key or, if the service requires none, its address. */
  getClient(request: IncomingMessage): string {
    const principal = getPrincipal(request);
    return principal === anonymousPrincipal
      ? `address ${getClientAddress(request, this.#parts.trustedProxies)}`
      : principal.id;
  }

  close(): void {
    this.#parts.authenticator.close();
    this.#parts.counts.close();
  }

  #findRefusal({ headers }: IncomingMessage): string | undefined {
    try {
      this.#parts.browserPolicy.check(headers, { isKeyless: !this.asksForKeys, changesState: false });
      return undefined;
    } catch (error) {
      if (error instanceof ProblemError) return error.message;
      throw error;
    }
  }

  async #admitByKey(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> {
    const principal = await this.#authenticate(request);
    const record = getRecord(request);
    if (record) record.keyName = principal.name;
    const { perKey, perAddress } = this.#parts.rates;
    const perMinute = principal.rate ?? perKey;
    if (perMinute > 0) await countRequest(this.#parts.counts.requests, "key", principal.id, perMinute);
    if (perAddress > 0) await this.#countAddress(request, "address", perAddress);
    // Wait before a possible refusal: a refusal is work too, and a burst may cause hundreds of them.
    await this.#starts.enter(principal.id);
    await this.#enter(request, response, principal, access);
  }

  async #admitByAddress(request: IncomingMessage, response: ServerResponse, access: Access): Promise<void> {
    const { perAddress } = this.#parts.rates;
    if (perAddress > 0) await this.#countAddress(request, "address", perAddress);
    if (access.isOpen) await this.admitOpen(request);
    await this.#enter(request, response, anonymousPrincipal, access);
  }

  async #authenticate(request: IncomingMessage): Promise<Principal> {
    try {
      return await this.#parts.authenticator.authenticate(request.headers);
    } catch (error) {
      const isRefusal = error instanceof ProblemError && error.code === "unauthorized";
      const perMinute = this.#parts.rates.refusalsPerAddress;
      if (isRefusal && perMinute > 0) {
        await this.#countAddress(request, "refusals", perMinute);
      }
      throw error;
    }
  }

  #countAddress(request: IncomingMessage, counted: "address" | "refusals", perMinute: number): Promise<void> {
    const address = getClientAddress(request, this.#parts.trustedProxies);
    return countRequest(this.#parts.counts.requests, counted, address, perMinute);
  }

  #enter(
    request: IncomingMessage,
    response: ServerResponse,
    principal: Principal,
    access: Access,
  ): Promise<void> | undefined {
    rememberPrincipal(request, principal);
    rememberBodyAdmission(request, {
      takeRoom: (bytes) => this.#largeBodies.enter(this.getClient(request), bytes, response),
      takeTurn: () =>
        principal === anonymousPrincipal ? undefined : this.#starts.enter(principal.id, Number.POSITIVE_INFINITY),
    });
    if (principal !== anonymousPrincipal) rememberBudgets(request, this.#parts.tokenBudgets, principal);
    return this.#require(principal, response, access);
  }

  #require(principal: Principal, response: ServerResponse, { scope, takes }: Access): Promise<void> | undefined {
    if (scope !== undefined) principal.requireScope(scope);
    if (takes === undefined) return undefined;
    return this.#parts.capacity.take(takes, principal === anonymousPrincipal ? undefined : principal.id, response);
  }
}
