export type { HeaderTarget } from "../limits/tokens/reserve-tokens.ts";
export { estimateTokens, reserveTokens, withTokens } from "../limits/tokens/reserve-tokens.ts";
export type { TokenReservation } from "../limits/tokens/token-budgets.ts";
export { Guard } from "./guard.ts";
export type { KeyEntry } from "./key-file.ts";
export { hashKey, KeyFileError, parseKeyFile } from "./key-file.ts";
export { defaultKeysFile } from "./open-guard.ts";
export type { Scope } from "./principal.ts";
export { defaultScopes, getPrincipal, Principal } from "./principal.ts";
