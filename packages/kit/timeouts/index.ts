export type { SwapRemoveItem } from "./swap-remove-list.ts";
export { SwapRemoveList } from "./swap-remove-list.ts";
export type { Watched } from "./timeout-watch.ts";
export { TimeoutWatch } from "./timeout-watch.ts";
export { withinTime } from "./within-time.ts";
