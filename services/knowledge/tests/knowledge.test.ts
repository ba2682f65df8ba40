// One file, so that the service starts once for all suites: that takes longer than many tests.

await import("./suites/search.ts");
await import("./suites/fields.ts");
await import("./suites/librarian.ts");
await import("./suites/stream.ts");
await import("./suites/mcp.ts");
await import("./suites/edges.ts");
await import("./suites/hostile-content.ts");
await import("./suites/sitemap.ts");
await import("./suites/replace.ts");
await import("./suites/refresh.ts");
await import("./suites/transfer.ts");
// Deletes the default namespace.
await import("./suites/openapi.ts");
