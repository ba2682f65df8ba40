import { vi } from "vitest";

// The second of two files, see console.test.ts.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
await import("./suites/chats.ts");
await import("./suites/composer.ts");
await import("./suites/attachments.ts");
await import("./suites/conversations.ts");
await import("./suites/appearance.ts");
await import("./suites/adaptation.ts");
await import("./suites/keyboard.ts");
