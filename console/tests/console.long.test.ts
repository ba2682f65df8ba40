import { vi } from "vitest";

// One file, so that the services and the browser start once for all suites: that takes longer than many tests.

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
await import("./suites/first-visit.ts");
await import("./suites/citations.ts");
await import("./suites/chats.ts");
await import("./suites/composer.ts");
await import("./suites/keyboard.ts");
// `npm run test:console`
if (process.env.CONSOLE_SUITES === "all") {
  await import("./suites/library.ts");
  await import("./suites/addresses.ts");
  await import("./suites/status.ts");
  await import("./suites/keys.ts");
  await import("./suites/api-docs.ts");
  await import("./suites/attachments.ts");
  await import("./suites/conversations.ts");
  await import("./suites/appearance.ts");
  await import("./suites/adaptation.ts");
}
