/** What the relay is injected by. */
export const RELAY = Symbol("relay");
