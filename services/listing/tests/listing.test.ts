import { describe } from "vitest";
// Imported first, so that the service ends after all suites.
import "./suites/service.ts";

// One file, so that the service starts once for all suites: that takes longer than many tests. Each suite has hooks of its own.

describe("the agent", async () => void (await import("./suites/agent.ts")));
describe("MCP", async () => void (await import("./suites/mcp.ts")));
describe("hostile content", async () => void (await import("./suites/hostile-content.ts")));
describe("faults of the site", async () => void (await import("./suites/site-faults.ts")));
describe("a provider that picks actions", async () => void (await import("./suites/provider-routing.ts")));
describe("OpenAPI", async () => void (await import("./suites/openapi.ts")));
