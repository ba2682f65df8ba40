import { expect, test } from "vitest";
import {
  buildConnections,
  buildKeyHeaders,
  buildQuery,
  findKeySharers,
  findUntrusted,
  parseBaseUrl,
} from "./connections.ts";

test("a base URL is http or https, without a slash at its end", () => {
  expect(parseBaseUrl(" https://a.example/base/ ")).toBe("https://a.example/base");
  for (const bad of ["", "a.example", "javascript:alert(1)", "ftp://a", "https://user:pass@a.example"]) {
    expect(parseBaseUrl(bad)).toBeUndefined();
  }
});

test("addresses in the page's query override the given ones, and are written back to it", () => {
  const addresses = { knowledge: "http://127.0.0.1:9001" };
  const search = "?listing=https%3A%2F%2Fl.example&relay=javascript:1";
  const connections = buildConnections(addresses, search);
  expect([connections.knowledge.baseUrl, connections.listing.baseUrl, connections.relay.baseUrl]).toEqual([
    ...["http://127.0.0.1:9001", "https://l.example", "http://127.0.0.1:8000"],
  ]);
  expect(buildQuery(connections, addresses)).toBe("?listing=https%3A%2F%2Fl.example");
  expect(buildQuery(buildConnections(addresses, ""), addresses)).toBe("");
});

test("a link that leads to another host needs to be confirmed", () => {
  const addresses = { knowledge: "https://agents.example" };
  const foreign = (search: string, confirmed: string[] = []) =>
    findUntrusted(buildConnections(addresses, search), { pageHost: "console.example", addresses, confirmed });
  for (const own of [
    "",
    "http://localhost:1",
    "http://127.0.0.1:2",
    "https://agents.example:3",
    "https://console.example",
  ]) {
    expect(foreign(`?listing=${own}`)).toEqual([]);
  }
  expect(foreign("?knowledge=https://evil.example&relay=http://10.0.0.7")).toEqual(["knowledge", "relay"]);
  expect(foreign("?knowledge=https://a.example", ["https://a.example"])).toEqual([]);
  expect(foreign("?knowledge=https://a.example.evil.example", ["https://a.example"])).toEqual(["knowledge"]);
});

test("a key may be for the services of the same host that the page's server names", () => {
  const host = "https://agents.example";
  const addresses = {
    knowledge: `${host}/k`,
    listing: `${host}/l`,
    relay: "https://other.example",
    relayNest: `${host}/n`,
  };
  const own = buildConnections(addresses, "?relayNest=https://agents.example:8443");
  expect(findKeySharers("knowledge", `${host}/k`, own, addresses)).toEqual(["listing"]);
  expect(findKeySharers("relayNest", own.relayNest.baseUrl, own, addresses)).toEqual([]);
  const keyed = { ...own, listing: { ...own.listing, key: "another" } };
  expect(findKeySharers("knowledge", `${host}/k`, keyed, addresses)).toEqual([]);
});

test("a key is sent in the selected header", () => {
  const baseUrl = "https://a.example";
  expect(buildKeyHeaders({ baseUrl, key: "k", keyHeader: "Authorization: Basic" })).toEqual({
    Authorization: "Basic k",
  });
  expect(buildKeyHeaders({ baseUrl, key: "k", keyHeader: "X-API-Key" })).toEqual({ "X-API-Key": "k" });
  expect(buildKeyHeaders({ baseUrl, key: "", keyHeader: "X-API-Key" })).toEqual({});
});
