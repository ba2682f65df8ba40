import { beforeEach } from "vitest";
import { testConformance } from "./conformance/conformance.ts";
import type { StoreMemory } from "./memory-store.ts";
import { MemoryStore } from "./memory-store.ts";

let memory: StoreMemory;
beforeEach(() => {
  memory = new Map();
});

testConformance("in memory", { open: () => new MemoryStore(memory) });
