import { relayOperations } from "@agent-backends/contract/openapi";
import { OpenApiValidator, sendExamples } from "@agent-backends/testing/openapi";
import { describe, expect, it } from "vitest";
import { describeBoth } from "./support/harness.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];

describeBoth("the OpenAPI document", (bench) => {
  describe.each([
    ["runs that are kept", "memory:"],
    ["runs that aren't", ""],
  ])("with %s", (_case, runsUrl) => {
    it("has exactly the methods of each address", async () => {
      await bench.restart({ runsUrl });
      const { paths } = (await (await fetch(`${bench.relay.url}/openapi.json`)).json()) as { paths: object };
      expect(Object.keys(paths).sort()).toEqual(
        [...new Set(Object.keys(relayOperations(runsUrl !== "")).map((route) => route.split(" ")[1]))].sort(),
      );
      for (const [path, operations] of Object.entries(paths)) {
        const isAllowed = async (method: string) => {
          const response = await fetch(bench.relay.url + path.replace("{runId}", "run-1"), { method });
          return response.status !== 405;
        };
        const allowed = await Promise.all(methods.map(isAllowed));
        expect([path, ...methods.filter((_, index) => allowed[index])]).toEqual([
          path,
          ...methods.filter((method) => method.toLowerCase() in operations),
        ]);
      }
    });
  });

  it("has examples that every route accepts", async () => {
    await bench.restart({ runsUrl: "memory:" });
    const judge = await OpenApiValidator.of(relayOperations(true));
    const statuses = await sendExamples(judge, {
      baseUrl: bench.relay.url,
      address: (route) =>
        route === "GET /agent" ? "/agent?runId=run-1" : (route.split(" ")[1] ?? "").replace("{runId}", "run-1"),
    });
    expect(statuses).toMatchObject({ "POST /agent message": 200, "GET /agent/runs/{runId}": 200 });
  });

  it("describes every route of the framework", async () => {
    const described = Object.keys(relayOperations(true)).map((route) =>
      route.split(" ")[1]?.replace(/\{(\w+)\}/g, ":$1"),
    );
    expect(bench.relay.paths).toContain("/agent/capabilities");
    const missing = bench.relay.paths.filter((path) => !described.includes(path));
    expect(missing, "add an entry for each to packages/contract/openapi/relay.ts").toEqual([]);
  });
});
