import type { LimitCounts } from "../limits/limit-counts.ts";
import type { Slot } from "../limits/slots.ts";
import type { Settlement, TokenClaim } from "../limits/tokens/token-counts.ts";
import type { LimitCall, PrimaryMessage, WorkerMessage } from "./messages.ts";

type CountMessage = Extract<WorkerMessage, LimitCall | { releaseSlot: unknown } | { settleTokens: unknown }>;

/** Keeps counts for one worker, and releases its slots and claims when it ends. */
export class WorkerCounts {
  readonly #counts: LimitCounts;
  readonly #slots = new Map<string, Slot>();
  readonly #claims = new Map<string, Settlement>();
  #isClosed = false;

  constructor(counts: LimitCounts) {
    this.#counts = counts;
  }

  async receive(message: CountMessage, reply: (answer: PrimaryMessage) => void): Promise<void> {
    if ("releaseSlot" in message) this.#releaseSlot(message.releaseSlot);
    else if ("settleTokens" in message) await this.#settleTokens(message.settleTokens);
    else reply({ answer: message.id, value: await this.#answer(message) });
  }

  close(): void {
    this.#isClosed = true;
    for (const slot of this.#slots.values()) this.#releaseSlot(slot);
    for (const claim of this.#claims.values()) void this.#settleTokens(claim);
  }

  async #answer(message: LimitCall) {
    if (message.call === "countRequest") return this.#counts.requests.count(...message.args);
    if (message.call === "takeSlot") return this.#takeSlot(...message.args);
    return this.#claimTokens(...message.args);
  }

  async #takeSlot(...given: Parameters<LimitCounts["slots"]["take"]>): Promise<boolean> {
    const [slot] = given;
    this.#slots.set(slot.id, slot);
    const isTaken = await this.#counts.slots.take(...given);
    if (!isTaken) this.#slots.delete(slot.id);
    // The worker ended, or gave up waiting and released the slot, while Redis was being asked.
    else if (this.#isClosed || !this.#slots.has(slot.id)) this.#counts.slots.release(slot);
    return isTaken;
  }

  #releaseSlot(slot: Slot): void {
    if (this.#slots.delete(slot.id)) this.#counts.slots.release(slot);
  }

  async #claimTokens(claim: TokenClaim) {
    const state = await this.#counts.tokens.claim(claim);
    if (state.isAdmitted) {
      this.#claims.set(claim.id, { ...claim, tokens: state.tokens, nowSeconds: state.nowSeconds, spent: 0 });
      if (this.#isClosed) this.close();
    }
    return state;
  }

  async #settleTokens(settlement: Settlement): Promise<void> {
    this.#claims.delete(settlement.id);
    // While Redis is down, the claim stays until its lease ends.
    await this.#counts.tokens.settle(settlement).catch(() => undefined);
  }
}
