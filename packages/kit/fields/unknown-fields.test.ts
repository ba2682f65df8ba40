import * as contract from "@agent-backends/contract";
import { otherFieldNames, unrelatedFieldNames } from "@agent-backends/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInput } from "../problem.ts";
import type { KnownFields } from "./known-fields.ts";
import { getKnownFields } from "./known-fields.ts";
import { findUnknownFields } from "./unknown-fields.ts";

/** The schemas of all requests and queries. */
const schemas = Object.entries<unknown>(contract).filter(
  (entry): entry is [string, z.ZodType] =>
    entry[1] instanceof z.ZodType && /Request|Query|Change|runInput/.test(entry[0]),
);

interface Place {
  path: string[];
  name: string;
  siblings: string[];
}

/** Every field of a schema, those of nested objects and of elements of lists included. */
function listPlaces({ names, elements }: KnownFields, path: string[] = []): Place[] {
  const own = [...(names ?? [])].flatMap(([name, inner]) => [
    { path, name, siblings: [...(names?.keys() ?? [])] },
    ...(inner ? listPlaces(inner, [...path, name]) : []),
  ]);
  return [...own, ...(elements ? listPlaces(elements, [...path, "0"]) : [])];
}

/** A value in which only the named field is set. */
function wrap(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => (key === "0" ? [inner] : { [key]: inner }), value);
}

const letters = [..."abcdefghijklmnopqrstuvwxyz"];
const cut = (name: string, index: number, added = "", removed = 0) =>
  name.slice(0, index) + added + name.slice(index + removed);

const nearMisses = new Map<string, string[]>();

/** Names with one typing error, or in another case or number. */
function listNearMisses(name: string): string[] {
  const known = nearMisses.get(name);
  if (known) return known;
  const positions = [...name].map((_, index) => index);
  const misses = [
    name.toUpperCase(),
    name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    name.replaceAll("_", "-"),
    name.endsWith("s") ? name.slice(0, -1) : `${name}s`,
    ...positions.map((index) => cut(name, index, name[index])),
    ...positions.map((index) => cut(name, index, (name[index + 1] ?? "") + (name[index] ?? ""), 2)),
    ...(name.length > 2 ? positions.map((index) => cut(name, index, "", 1)) : []),
    ...(name.length > 4
      ? [...positions, name.length].flatMap((index) =>
          letters.flatMap((letter) => [cut(name, index, letter), cut(name, index, letter, 1)]),
        )
      : []),
  ];
  const listed = [...new Set(misses)].filter((miss) => miss !== name);
  nearMisses.set(name, listed);
  return listed;
}

function isNearMiss(miss: string, name: string): boolean {
  const [sent, known] = [miss, name].map((text) => text.toLowerCase().replaceAll(/[_-]/g, ""));
  return sent === known || listNearMisses(known ?? "").includes(sent ?? "");
}

describe.each(schemas)("%s", (_name, schema) => {
  const places = listPlaces(getKnownFields(schema) ?? {});

  it("refuses every near miss of every field, and names the right one", () => {
    expect(places).not.toEqual([]);
    // Collected, because an expectation for each of them takes longer than finding it.
    const missed: object[] = [];
    for (const { path, name, siblings } of places) {
      for (const miss of listNearMisses(name)) {
        if (siblings.includes(miss) || unrelatedFieldNames.includes(miss)) continue;
        // A known field in the wrong place is told its place: `namespaces` in `tool_params`.
        const isMisplaced = path.length === 1 && places.some((place) => place.path.length === 0 && place.name === miss);
        const { refused, ignored } = findUnknownFields(schema, wrap([...path, miss], "x"));
        const found = [...refused, ...ignored].map(({ pointer }) => pointer).join();
        if (refused.length !== 1 || found !== ["", ...path, miss].join("/")) missed.push({ miss, refused, ignored });
        if (isMisplaced) {
          expect(refused[0]?.detail).toMatch(/^belongs /);
          continue;
        }
        const named = /use `(.*)`/.exec(refused[0]?.detail ?? "")?.[1] ?? "";
        // Some names are as near to another known one: `toolCallI` to `toolCalls`, `ns` to `n` and `namespace`.
        if (named !== name)
          expect(
            siblings.filter((sibling) => isNearMiss(miss, sibling) || otherFieldNames[sibling]?.includes(miss)),
            miss,
          ).toContain(named);
      }
    }
    expect(missed).toEqual([]);
  });

  it("has no field that stands for another one", () => {
    for (const { path, name } of places) {
      expect(findUnknownFields(schema, wrap([...path, name], "x"))).toEqual({ refused: [], meant: [], ignored: [] });
    }
  });
});

describe("a request", () => {
  const {
    searchRequestSchema: search,
    streamRequestSchema: stream,
    runInputSchema: run,
    ingestRequestSchema: ingest,
  } = contract;

  it.each([
    [search, { top_k: 5 }, "/top_k", "max_results"],
    [search, { limit: 5 }, "/limit", "max_results"],
    [search, { filters: {} }, "/filters", "filter"],
    [ingest, { sources: [{ titel: "T" }] }, "/sources/0/titel", "title"],
    [ingest, { sources: ["a text", { type: "url", url: "https://a.example" }] }, "/sources/1/url", "value"],
    [stream, { toolparams: { x: 1 } }, "/toolparams", "tool_params"],
    [stream, { toolParams: { Namespace: "a" } }, "/toolParams/Namespace", "namespace"],
    [run, { messages: [{ role: "user", contents: "Hi" }] }, "/messages/0/contents", "content"],
    [
      run,
      { messages: [{ toolCalls: [{ function: { args: "", argument: "" } }] }] },
      "/messages/0/toolCalls/0/function/argument",
      "arguments",
    ],
    [contract.topRequest, { top_k: 5 }, "/top_k", "limit"],
    [contract.documentsQuerySchema, { offset: "50" }, "/offset", "cursor"],
    [contract.documentsQuerySchema, { srouce: "text:0" }, "/srouce", "source"],
    [search, { text: "cats" }, "/text", "query"],
    [contract.askRequestSchema, { input: "cats?" }, "/input", "question"],
    [contract.generateRequestSchema, { question: "cats?" }, "/question", "messages"],
    [stream, { messages: null, prompt: "cats?" }, "/prompt", "messages"],
    [contract.listingAgentRequest, { input: "top 3" }, "/input", "messages"],
    [run, { stat: {} }, "/stat", "state"],
    [run, { sate: {} }, "/sate", "state"],
    [run, { fowardedProps: {} }, "/fowardedProps", "forwardedProps"],
    [run, { forwardedProp: {} }, "/forwardedProp", "forwardedProps"],
    [run, { forwarded_props: {} }, "/forwarded_props", "forwardedProps"],
    [run, { parent_run_id: "r" }, "/parent_run_id", "parentRunId"],
  ])("%# with a misnamed field is refused with its right name", (schema, body, pointer, name) => {
    expect(findUnknownFields(schema, body).refused).toEqual([
      { pointer, detail: `isn't a known field; use \`${name}\`` },
    ]);
  });

  it("may hold the content of a message under another name only where it has to have one", () => {
    const body = { messages: [{ role: "user", text: "Hi" }] };
    expect(() => parseInput(contract.generateRequestSchema, body)).toThrow(
      "`/messages/0/text`: isn't a known field; use `content`.",
    );
    const answered = [{ role: "assistant", text: "Hello", content: null }, ...body.messages];
    expect(findUnknownFields(run, { messages: answered }).refused).toEqual([]);
  });

  it("may have other unknown fields, which are named once", () => {
    const messages = Array.from({ length: 1_000 }, () => ({ role: "user", content: "Hi", createdAt: 1 }));
    expect(findUnknownFields(stream, { messages, user: "u" })).toEqual({
      refused: [],
      meant: [],
      ignored: ["/messages/0/createdAt", "/user"].map((pointer) => ({ pointer, detail: expect.any(String) })),
    });
  });

  it("may name any field in its filter", () => {
    expect(findUnknownFields(search, { filter: { namspace: "any" } })).toEqual({ refused: [], meant: [], ignored: [] });
  });

  it("may have a field in two spellings with the same value, or an absent value", () => {
    expect(findUnknownFields(stream, { thread_id: "t", threadId: "t", namspace: null }).refused).toEqual([]);
    expect(findUnknownFields(stream, { thread_id: "t", threadId: "u" }).refused).toHaveLength(1);
  });

  it("reports a bounded number of fields of a bounded length, in little time", () => {
    const fields = Object.fromEntries(Array.from({ length: 25_000 }, (_, index) => [`namespac${index}`, ""]));
    const found = findUnknownFields(search, { ...fields, ["namespace".repeat(100_000)]: 1, namspace: 1 });
    expect(found.refused.length).toBeLessThanOrEqual(contract.limits.invalidFieldsNamed);
    expect(found.ignored.length).toBeLessThanOrEqual(contract.limits.ignoredFieldsNamed);
    expect(JSON.stringify(found).length).toBeLessThan(10_000);
  });

  it("may have other names of a field beside the field where platforms send them", () => {
    const { refused } = findUnknownFields(stream, { messages: [], question: "a", prompt: "b", text: "c", input: {} });
    expect(refused).toEqual([]);
  });

  it.each([
    [stream, { tool_params: { filter: {} } }, "/tool_params/filter", "at the top level, not in `tool_params`"],
    [stream, { toolParams: { namespaces: ["a"] } }, "/toolParams/namespaces", "at the top level, not in `toolParams`"],
    [
      stream,
      { tool_params: { include_tool_events: true } },
      "/tool_params/include_tool_events",
      "at the top level, not in `tool_params`",
    ],
    [
      contract.generateRequestSchema,
      { messages: [], tool_params: { namespace: "feed" } },
      "/tool_params/namespace",
      "at the top level, not in `tool_params`",
    ],
    [search, { toolParams: { max_results: 3 } }, "/toolParams/max_results", "at the top level, not in `toolParams`"],
    [contract.listingAgentRequest, { timeframe: "today" }, "/timeframe", "in `tool_params`, not at the top level"],
    [contract.listingAgentRequest, { tz: "UTC" }, "/tz", "in `tool_params`, not at the top level"],
    [contract.listingAgentRequest, { limit: 5 }, "/limit", "in `tool_params`, not at the top level"],
  ])("%# with a known field in the wrong place is refused with the right place", (schema, body, pointer, place) => {
    expect(findUnknownFields(schema, body)).toMatchObject({ refused: [{ pointer, detail: `belongs ${place}` }] });
  });

  it.each([
    [{ namespace: "a" }, "namespace", "belongs at the top level, not in an item of `sources`: it holds for all items"],
    [
      { namspace: "a" },
      "namspace",
      "isn't a known field; use `namespace` at the top level, where it holds for all items",
    ],
    [{ nameSpace: "a" }, "nameSpace", "use `namespace` at the top level"],
    [{ collection: "a" }, "collection", "use `namespace` at the top level"],
    [{ on_conflict: "replace" }, "on_conflict", "belongs at the top level"],
    [{ overwrite: true }, "overwrite", "use `on_conflict` at the top level"],
    [{ titel: "a" }, "titel", "isn't a known field; use `title`"],
  ])(
    "%# with a field of the request in an item of a list is refused, whatever the request has",
    (item, name, detail) => {
      for (const request of [{}, { namespace: "b", on_conflict: "keep" }]) {
        const { refused } = findUnknownFields(ingest, { ...request, sources: ["text", { type: "text", ...item }] });
        expect(refused).toEqual([{ pointer: `/sources/1/${name}`, detail: expect.stringContaining(detail) }]);
      }
    },
  );

  it("may repeat a field in its items with the same value, or without one", () => {
    const sources = [
      { namespace: "a" },
      { Namespace: "a" },
      { namespace: null },
      { source: "b", files: [], name: "c" },
    ];
    expect(findUnknownFields(ingest, { namespace: "a", sources }).refused).toEqual([]);
  });

  it("has its namespace found in an item however many unknown fields are before it", () => {
    const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`colour ${index}`, ""]));
    const { refused } = findUnknownFields(ingest, { sources: [{ ...fields, namespace: "a" }] });
    expect(refused).toMatchObject([{ pointer: "/sources/0/namespace" }]);
  });

  it.each([
    [stream, { thread_id: "t", tool_params: { threadId: "u", filter: null, limit: 5 } }],
    [contract.generateRequestSchema, { namespace: "a", tool_params: { namespace: "b", tz: "Europe/Paris" } }],
    [contract.listingAgentRequest, { limit: 5, tz: null, toolParams: { limit: 3 } }],
  ])("%# may repeat a field in the wrong place that is also set in the right one", (schema, body) => {
    expect(findUnknownFields(schema, body).refused).toEqual([]);
  });

  it("has its query and its body in their places", () => {
    const rules = { otherPlace: { name: "query", schema: contract.ingestQuerySchema } } as const;
    expect(findUnknownFields(ingest, { async: true, metadata: { async: true } }, rules).refused).toEqual([
      { pointer: "/async", detail: "belongs in the query, not in the body" },
    ]);
  });
});
