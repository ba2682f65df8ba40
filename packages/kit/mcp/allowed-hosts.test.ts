import { expect, test } from "vitest";
import { z } from "zod";
import { readConfiguration } from "../configuration.ts";
import { ConfigurationError } from "../environment-files.ts";
import { findRefusal, mcpVariables } from "./allowed-hosts.ts";

test.each([
  ["localhost:8002", undefined],
  ["127.0.0.1:8002", "http://localhost:5173"],
  ["[::1]:8002", "http://[::1]:5173"],
  ["mcp.example.com", "https://mcp.example.com"],
  ["MCP.example.com:443", undefined],
])("host %s with origin %s may use MCP", (host, origin) => {
  expect(findRefusal({ host, ...(origin && { origin }) }, ["mcp.example.com"])).toBeUndefined();
});

test.each([
  ["evil.example:8002", undefined],
  ["evil.example:8002", "http://evil.example:8002"],
  ["localhost:8002", "http://evil.example"],
  ["localhost:8002", "null"],
  ["localhost.evil.example", undefined],
  ["user@evil.example", undefined],
  ["", undefined],
])("host %j with origin %j may not", (host, origin) => {
  expect(findRefusal({ host, ...(origin && { origin }) }, ["mcp.example.com"])).toMatch(/MCP_ALLOWED_HOSTS/);
});

test("all may where * is allowed", () => {
  expect(findRefusal({ host: "anything", origin: "null" }, ["*"])).toBeUndefined();
});

test("the variable is a list of host names", () => {
  const read = (MCP_ALLOWED_HOSTS: string) => readConfiguration(z.object(mcpVariables), { MCP_ALLOWED_HOSTS });
  expect(read("").MCP_ALLOWED_HOSTS).toEqual([]);
  expect(read("MCP.example.com, 10.0.0.7,[fd00::1]").MCP_ALLOWED_HOSTS).toEqual([
    "mcp.example.com",
    "10.0.0.7",
    "[fd00::1]",
  ]);
  for (const wrong of ["https://mcp.example.com", "mcp.example.com:443", "a b", ","]) {
    expect(() => read(wrong)).toThrow(ConfigurationError);
  }
});
