import type { RelayProfile } from "@agent-backends/contract";
import { answer, parseSseEvents } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth } from "./support/harness.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

const version = { protocolVersion: "1.0" };

describeBoth("the profile of a run", (bench) => {
  /** Detects the profile: each ends a run with a tool call differently. */
  async function findProfile(fields: Record<string, unknown>, query = ""): Promise<RelayProfile> {
    bench.provider.script(answer.toolCalls([{ name: "f", args: {} }]));
    const response = await postAgent(bench.relay.url, runInput(fields), {}, query);
    const events = parseSseEvents(await response.text());
    const [ended, finished] = [events.some(({ type }) => type === "TOOL_CALL_END"), events.at(-1)];
    if (!ended) return "contract";
    return finished?.outcome === undefined ? "ag-ui-0" : "ag-ui";
  }

  test("is the whole protocol for an input that declares a version, the contract's for any other", async () => {
    expect(await findProfile(version)).toBe("ag-ui");
    expect(await findProfile({ protocolVersion: null })).toBe("contract");
    expect(await findProfile({})).toBe("contract");
  });

  test.each([
    ["contract", version],
    ["ag-ui", {}],
    ["ag-ui-0", version],
  ] as const)("is fixed by the option %s, unless the address chooses", async (profile, fields) => {
    await bench.restart({ profile });
    expect(await findProfile(fields)).toBe(profile);
    expect(await findProfile(fields, "?profile=ag-ui")).toBe("ag-ui");
    expect(await findProfile(fields, "?profile=contract")).toBe("contract");
  });

  test.each([
    ["?profile=contract", "contract"],
    ["?profile=ag-ui", "ag-ui"],
    ["?profile=ag-ui-0", "ag-ui-0"],
    ["?customer=7&profile=ag%2Dui-0&tab=", "ag-ui-0"],
    ["?customer=7", "contract"],
    ["?", "contract"],
  ])("is chosen by the address %s, whatever the input declares", async (query, profile) => {
    expect(await findProfile({}, query)).toBe(profile);
    if (query.includes("profile=")) expect(await findProfile(version, query)).toBe(profile);
  });

  test.each(["?profile=ag-ui-2", "?profile=", "?profile=auto", "?profile=AG-UI", "?profile=ag-ui&profile=ag-ui"])(
    "is none of the profiles in %s: that is refused with 422, and says which there are",
    async (query) => {
      const response = await postAgent(bench.relay.url, runInput(), {}, query);
      expect(response.status).toBe(422);
      expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
      expect(await response.json()).toMatchObject({
        detail: expect.stringMatching(/`\/profile`.* contract, ag-ui or ag-ui-0\.$/),
        errors: [{ pointer: "/profile" }],
      });
      expect(bench.provider.requests).toEqual([]);
    },
  );

  test.each([
    ["?profiles=ag-ui", "`/profiles`: isn't a known field; use `profile`."],
    ["?threadId=t", "`/threadId`: belongs in the body, not in the query."],
  ])("is not looked for in %s, which is refused with 422", async (query, detail) => {
    const response = await postAgent(bench.relay.url, runInput(), {}, query);
    expect(await response.json()).toMatchObject({ status: 422, detail: expect.stringContaining(detail) });
  });
});
