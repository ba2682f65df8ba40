export type { Access } from "./guard.ts";
export { Guard } from "./guard.ts";
export type { KeyEntry } from "./key-file.ts";
export { digestOf, KeyFileError, parseKeyFile } from "./key-file.ts";
export { defaultKeysFile, openGuard } from "./open-guard.ts";
export type { Scope } from "./principal.ts";
export { defaultScopes, Principal, principalOf, scopes } from "./principal.ts";
