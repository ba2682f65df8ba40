export { directEgress, type Egress, openEgress } from "./egress.ts";
export { type FindProxy, ForwardProxy, ProxyError } from "./forward-proxy.ts";
export { isLoopback } from "./no-proxy.ts";
export { openTunnel } from "./open-tunnel.ts";
