import { listingOperations } from "@agent-backends/contract/openapi";
import { OpenApiValidator, sendExamples } from "@agent-backends/testing/openapi";
import { expect, test } from "vitest";
import { service } from "./service.ts";

test("every route is described, and accepts its examples", async () => {
  const judge = await OpenApiValidator.of(listingOperations);
  const statuses = await sendExamples(judge, {
    baseUrl: service.baseUrl,
    address: (route) => route.split(" ")[1] ?? "",
    headers: { "POST /mcp": { Accept: "application/json, text/event-stream" } },
  });
  const served = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as { paths: object };
  expect(served.paths).toEqual(judge.document.paths);
  expect(statuses).toMatchObject({ "POST /agent message": 200, "POST /tools/confetti colours": 200 });
});
