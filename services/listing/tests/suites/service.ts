import { startUnderTest } from "../under-test.ts";

/** The service of all suites, with its site and provider. */
export const underTest = await startUnderTest({ MCP_ALLOWED_HOSTS: "mcp.example.com" });
export const { site, provider, service } = underTest;
