import { vi } from "vitest";

// Two files, so that they run side by side; each shares one set of services and one browser among its tests. Chats are in the other.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
await import("./suites/first-visit.ts");
await import("./suites/library.ts");
await import("./suites/citations.ts");
await import("./suites/addresses.ts");
await import("./suites/status.ts");
await import("./suites/keys.ts");
