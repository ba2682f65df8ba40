import { vi } from "vitest";

// The suites are split into two files that run in parallel. Each starts the services and the browser once. The other is chats.test.ts.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
await import("./suites/first-visit.ts");
await import("./suites/library.ts");
await import("./suites/citations.ts");
await import("./suites/addresses.ts");
await import("./suites/status.ts");
await import("./suites/keys.ts");
await import("./suites/api-docs.ts");
