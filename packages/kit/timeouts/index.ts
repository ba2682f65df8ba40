export type { SwapRemoveItem } from "./swap-remove-list.ts";
export { SwapRemoveList } from "./swap-remove-list.ts";
export type { ActivityTimeout } from "./timeout-watch.ts";
export { TimeoutWatch } from "./timeout-watch.ts";
export { withinTime } from "./within-time.ts";
