export type { Redis } from "ioredis";
export { connectRedis } from "./connect-redis.ts";
