import { resolve } from "node:path";

/** The project's folder, seen from `cli/dist`. */
export const root = resolve(import.meta.dirname, "../..");
