// Stores two parts of a large document, and then waits to be killed.
import { createLogger } from "@agent-backends/kit";
import { LanceStore } from "../../../store/lance/lance-store.ts";
import { buildDocument } from "../documents.ts";

const [folder = "", word = ""] = process.argv.slice(2);
const store = new LanceStore({ folder }, { logger: createLogger("test", "silent") });
const pieces = Array.from({ length: 6 }, (_, number) => `${word} ${number}`);
const beforePart = (part: number) => (part === 2 ? new Promise<void>(() => {}) : Promise.resolve());
setInterval(() => {}, 1_000);
await store.add("zoo", buildDocument("", { pieces, partSize: 2, beforePart }));
