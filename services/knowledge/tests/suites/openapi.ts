import { createServer } from "node:http";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { listen } from "@agent-backends/kit";
import { answer } from "@agent-backends/testing";
import { OpenApiValidator, sendExamples } from "@agent-backends/testing/openapi";
import { afterAll, expect, test } from "vitest";
import { postJson } from "../knowledge-process.ts";
import { provider, service } from "./service.ts";

const sitemap = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/xml");
  response.end("<urlset><url><loc>https://shop.example/returns</loc></url></urlset>");
});
const sitemapUrl = `${await listen(sitemap, { host: "127.0.0.1", port: 0 })}/sitemap.xml`;
afterAll(() => void sitemap.close());

test("every route is described, and accepts its examples", async () => {
  provider.script(answer.text("Within 30 days [1]."));
  const judge = await OpenApiValidator.of(knowledgeOperations);
  const document = async () => {
    const { body } = await service.search({ query: "return a product" });
    return body.results[0].metadata.document_id as string;
  };
  const { body: job } = await postJson(`${service.baseUrl}/api/tools/ingest?async=true`, { sources: ["Some text."] });
  const statuses = await sendExamples(judge, {
    baseUrl: service.baseUrl,
    async address(route) {
      const [, path = ""] = route.split(" ");
      const documents = path.replace("{namespace}", "default").replace("{model}", "knowledge");
      if (route === "DELETE /api/namespaces/{namespace}/documents") return `${documents}?source=text:none`;
      if (documents.includes("/documents/{id}")) return documents.replace("{id}", await document());
      return documents.replace("{id}", job.job_id);
    },
    bodies: {
      "POST /api/tools/readSitemap": async () => ({ url: sitemapUrl }),
      "POST /api/namespaces/{namespace}/import": async () =>
        (await fetch(`${service.baseUrl}/api/namespaces/default/export`)).text(),
    },
    headers: { "POST /mcp": { Accept: "application/json, text/event-stream" } },
  });
  const served = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as { paths: object };
  expect(served.paths).toEqual(judge.document.paths);
  expect(statuses).toMatchObject({ "POST /stream question": 200, "DELETE /api/namespaces/{namespace}": 204 });
});
