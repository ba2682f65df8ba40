export type { Behaviour } from "./behaviour.ts";
export type { ListingSite, SiteRequest } from "./listing-site.ts";
export { startListingSite } from "./listing-site.ts";
export type { SitePost } from "./posts.ts";
