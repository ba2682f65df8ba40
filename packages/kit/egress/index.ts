export { directEgress, type Egress, type FindCertificate, openEgress } from "./egress.ts";
export { type FindProxy, ForwardProxy, ProxyError } from "./forward-proxy.ts";
export { openTunnel } from "./open-tunnel.ts";
