import { documentsResponseSchema, namespacesResponseSchema, searchResponseSchema } from "@agent-backends/contract";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";
import { answer } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { readAnswer } from "../knowledge-process.ts";
import { provider, service } from "./service.ts";

const refunds = "# Refunds\n\nCustomers get their money back within 30 days. 😀 Send us the receipt.";
const shipping = "# Shipping\n\nParcels to Zürich take a week. 東京には二週間かかります。";
const staff = "# Staff\n\nEverybody has 28 days of vacation in a year.";

const sources = [refunds, shipping, staff].map((value) => ({ type: "markdown", value }));
await service.ingest({ namespace: "market", sources });

const values = (count: number) => Array.from({ length: count }, (_, index) => `value ${index}`);
const fields = (count: number) => Object.fromEntries(values(count).map((name) => [name, 1]));
const search = (body: unknown) => service.search(body);
const get = async (path: string) => {
  return readAnswer(await fetch(service.baseUrl + path));
};
const remove = async (path: string) => (await fetch(service.baseUrl + path, { method: "DELETE" })).status;

describe("a search", () => {
  it("gives the chunks of its namespace, best first, each with its place in the document", async () => {
    const { status, body } = await search({ namespace: "market", query: "When do I get my money back?" });
    expect(status).toBe(200);
    expect(searchResponseSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ namespace: "market", query: "When do I get my money back?" });
    expect(body.results[0]).toMatchObject({ title: "Refunds", metadata: { source: "markdown:0", heading: "Refunds" } });
    const scores = body.results.map((result: { score: number }) => result.score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
    for (const { content, metadata } of body.results) {
      const document = await get(`/api/namespaces/market/documents/${metadata.document_id}`);
      expect(document.body.text.slice(metadata.start, metadata.end)).toBe(content);
    }
  });

  it("finds the rows of a long table by its header, and shows it beside them", async () => {
    const rows = Array.from({ length: 100 }, (_, row) => `| item ${row} | ${row * 7} |`);
    const value = ["| Article | Warehouse stock |", "| --- | --- |", ...rows].join("\n");
    await service.ingest({ namespace: "stock", sources: [{ type: "markdown", value }] });
    const { body } = await search({ namespace: "stock", query: "warehouse stock of item 97" });
    expect(searchResponseSchema.parse(body)).toEqual(body);
    expect(body.results[0].content).toContain("| item 97 | 679 |");
    expect(body.results[0].content).not.toContain("Warehouse");
    expect(body.results[0].metadata.table_header).toBe("| Article | Warehouse stock |");
  });

  it.each([
    ["in other forms of the words", "customer receipts", "Refunds"],
    ["without accents", "parcel zurich", "Shipping"],
    ["in a script without spaces", "東京", "Shipping"],
    ["with signs of query languages in it", `"vacation" AND (days OR *:*) -foo'; --`, "Staff"],
  ])("finds words %s", async (_how, query, title) => {
    expect((await search({ namespace: "market", query })).body.results[0].title).toBe(title);
  });

  it("finds what was ingested just before", async () => {
    for (const animal of ["aardvark", "badger", "capybara"]) {
      await service.ingest({ namespace: "zoo", sources: [`The ${animal} sleeps here.`] });
      const { body } = await search({ namespace: "zoo", query: `Where does the ${animal} sleep?`, max_results: 1 });
      expect(body.results.map(({ content }: { content: string }) => content)).toEqual([`The ${animal} sleeps here.`]);
    }
  });

  it("gives at most max_results, and six without", async () => {
    const long = Array.from({ length: 6_000 }, (_, index) => `Sentence ${index} is of the same kind.`).join(" ");
    await service.ingest({ namespace: "many", sources: [long] });
    const found = async (max_results?: number | null) =>
      (await search({ namespace: "many", query: "same kind", max_results })).body.results.length;
    expect([await found(), await found(null), await found(1), await found(50)]).toEqual([6, 6, 1, 50]);
  });

  it("looks only at documents that fit its filter", async () => {
    const item = (value: string, team: string) => ({ type: "text", value, metadata: { team, year: 2026 } });
    const sources = [item("Tea for legal.", "legal"), item("Tea for sales.", "sales' OR '1'='1")];
    await service.ingest({ namespace: "teams", sources });
    const found = async (filter: unknown) =>
      (await search({ namespace: "teams", query: "tea", filter })).body.results.map(
        ({ content }: { content: string }) => content,
      );
    expect(await found({ team: "legal" })).toEqual(["Tea for legal."]);
    expect(await found({ team: "sales' OR '1'='1", year: 2026 })).toEqual(["Tea for sales."]);
    expect(await found({ team: ["legal", "nobody"], source: "text:0" })).toEqual(["Tea for legal."]);
    expect(await found({ team: "' OR '1'='1" })).toEqual([]);
    expect(await found(null)).toHaveLength(2);
  });

  it("finds a document by any of its tags", async () => {
    const item = (value: string, tags: unknown[]) => ({ type: "text", value, metadata: { tags } });
    const sources = [item("Tea, hot.", ["hot", "new"]), item("Tea, cold.", ["cold"]), item("Tea, none.", [])];
    await service.ingest({ namespace: "tagged", sources });
    const found = async (tags: unknown) => {
      const { body } = await search({ namespace: "tagged", query: "tea", filter: { tags } });
      return body.results.map(({ content }: { content: string }) => content).sort();
    };
    expect(await found("new")).toEqual(["Tea, hot."]);
    expect(await found(["cold", "hot"])).toEqual(["Tea, cold.", "Tea, hot."]);
    expect(await found("ne")).toEqual([]);
  });

  it("looks in several namespaces, and says which one each result is from", async () => {
    for (const namespace of ["east", "west", "south"]) {
      const sources = [
        "Tea for everybody.",
        { type: "text", value: `Tea of the ${namespace}.`, metadata: { namespace_of: namespace } },
      ];
      await service.ingest({ namespace, sources });
    }
    const { status, body } = await search({ namespaces: ["east", "west", "east", "unknown"], query: "tea" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ namespace: "east", namespaces: ["east", "west", "unknown"] });
    const found = body.results
      .map(({ namespace, content }: Record<string, string>) => `${namespace}: ${content}`)
      .sort();
    const common = ["east: Tea for everybody.", "west: Tea for everybody."];
    expect(found).toEqual([common[0], "east: Tea of the east.", common[1], "west: Tea of the west."]);
    const scores = body.results.map(({ score }: { score: number }) => score);
    expect(scores).toEqual(scores.toSorted((one: number, other: number) => other - one));
    const query = { query: "tea", namespaces: ["east", "west"] };
    expect((await search({ ...query, max_results: 1 })).body.results).toHaveLength(1);
    const filtered = await search({ ...query, filter: { namespace_of: ["west", "south"] } });
    expect(filtered.body.results).toMatchObject([{ namespace: "west", content: "Tea of the west." }]);
  });

  it("takes as many fields and values as a filter may have", async () => {
    const filter = Object.fromEntries(Object.keys(fields(15)).map((name) => [name, values(16)]));
    const { status, body } = await search({ namespace: "teams", query: "tea", filter: { ...filter, year: [2026] } });
    expect([status, body.results]).toEqual([200, []]);
  });

  it("of an unknown namespace has no results, and costs no embedding", async () => {
    const asked = provider.embeddingRequests.length;
    const { status, body } = await search({ namespace: "Market", query: "money" });
    expect([status, body]).toEqual([200, { namespace: "Market", query: "money", results: [] }]);
    expect(provider.embeddingRequests).toHaveLength(asked);
  });

  it.each([
    ["a blank query", { query: " " }, "/query"],
    ["no query", {}, "/query"],
    ["no results", { query: "x", max_results: 0 }, "/max_results"],
    ["51 results", { query: "x", max_results: 51 }, "/max_results"],
    ["half a result", { query: "x", max_results: 1.5 }, "/max_results"],
    ["a filter that is no object", { query: "x", filter: "team" }, "/filter"],
    ["a filter by what it can't be filtered by", { query: "x", filter: { chunk: 1 } }, "/filter/chunk"],
    ["a filter by too many fields", { query: "x", filter: fields(17) }, "/filter"],
    ["a filter by too many values", { query: "x", filter: { team: values(65) } }, "/filter/team"],
    [
      "a filter by too many values together",
      { query: "x", filter: { a: values(64), b: values(64), c: values(64), d: values(65).slice(1), e: 1 } },
      "/filter",
    ],
    [
      "a filter by values too long together",
      { query: "x", filter: { team: values(11).map((value) => value.padEnd(1_900)) } },
      "/filter",
    ],
    ["a filter by a long value", { query: "x", filter: { team: "x".repeat(2_001) } }, "/filter/team"],
    ["a filter by a list with a long value", { query: "x", filter: { team: ["x".repeat(2_001)] } }, "/filter/team/0"],
    ["a filter by a long name", { query: "x", filter: { ["x".repeat(65)]: 1 } }, `/filter/${"x".repeat(65)}`],
    ["a filter by an object", { query: "x", filter: { team: { $ne: 1 } } }, "/filter/team"],
    ["a namespace and a list of them", { query: "x", namespace: "a", namespaces: ["b"] }, "/namespaces"],
    ["an empty list of namespaces", { query: "x", namespaces: [] }, "/namespaces"],
    ["too many namespaces", { query: "x", namespaces: [..."abcdefghi"] }, "/namespaces"],
    ["a blank namespace in a list", { query: "x", namespaces: ["a", " "] }, "/namespaces/1"],
    ["the namespace .", { query: "x", namespace: "." }, "/namespace"],
    ["half a character as namespace", { query: "x", namespace: "\ud800" }, "/namespace"],
  ])("for %s is refused", async (_what, body, pointer) => {
    expect(await search(body)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });

  it("says so when the provider fails, without the provider's words", async () => {
    provider.scriptEmbeddings(answer.error(401, "Incorrect API key provided: sk-test-secret at 10.0.0.1"));
    const { status, body } = await search({ namespace: "market", query: "money" });
    provider.scriptEmbeddings({ respond: respondWithLexicalEmbeddings });
    expect(status).toBe(502);
    expect(JSON.stringify(body)).not.toMatch(/sk-test|10\.0\.0\.1/);
  });
});

describe("namespaces and documents", () => {
  const names = ["a/b", "a b", "ü", "u\u0308", "A", "a", "%2e", "東京"];

  it("are kept apart and reached by percent-encoded names", async () => {
    for (const name of names) {
      const sources = [{ type: "text", value: `Only for ${JSON.stringify(name)}`, title: name }];
      await service.ingest({ namespace: name, sources });
    }
    for (const name of names) {
      const { body } = await get(`/api/namespaces/${encodeURIComponent(name)}/documents`);
      expect(documentsResponseSchema.parse(body)).toEqual(body);
      expect(body.documents.map(({ title }: { title: string }) => title)).toEqual([name.normalize("NFC")]);
      const hits = (await search({ namespace: name, query: "Only for", max_results: 50 })).body.results;
      expect(hits).toHaveLength(1);
    }
    const { body } = await get("/api/namespaces?limit=1000");
    expect(namespacesResponseSchema.parse(body)).toEqual(body);
    const listed = body.namespaces.map(({ namespace }: { namespace: string }) => namespace);
    expect(listed).toEqual(expect.arrayContaining(names));
    for (const name of names) expect(await remove(`/api/namespaces/${encodeURIComponent(name)}`)).toBe(204);
    const left = (await get("/api/namespaces")).body.namespaces.map(
      ({ namespace }: { namespace: string }) => namespace,
    );
    expect(left).not.toEqual(expect.arrayContaining([expect.toBeOneOf(names)]));
  });

  it("are listed in pages", async () => {
    const sources = ["one", "two", "three", "four", "five"].map((value) => ({ type: "text", value, title: value }));
    for (const source of sources) await service.ingest({ namespace: "pages", sources: [source] });
    const pages: string[][] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { body }: Awaited<ReturnType<typeof get>> = await get(
        `/api/namespaces/pages/documents?limit=2${cursor && `&cursor=${cursor}`}`,
      );
      pages.push(body.documents.map(({ title }: { title: string }) => title));
      cursor = body.next_cursor;
    }
    expect(pages).toEqual([["one", "two"], ["three", "four"], ["five"]]);
    const first = await get("/api/namespaces?limit=1");
    const second = await get(`/api/namespaces?limit=1&cursor=${first.body.next_cursor}`);
    expect(first.body.namespaces[0].namespace < second.body.namespaces[0].namespace).toBe(true);
    for (const wrong of ["limit=0", "limit=101", "limit=x", "cursor=nonsense"]) {
      expect((await get(`/api/namespaces/pages/documents?${wrong}`)).status).toBe(422);
    }
  });
});
