import { describe } from "vitest";
import { testChangeLog } from "./change-log.ts";
import { testChanges } from "./changes.ts";
import { testDocuments } from "./documents.ts";
import { testExports } from "./exports.ts";
import { testLargeDocuments } from "./large-documents.ts";
import { testLists } from "./lists.ts";
import { testNamespaces } from "./namespaces.ts";
import { testReembedding } from "./reembedding.ts";
import { testSearch } from "./search.ts";
import { testSources } from "./sources.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

/** Conformance suite for stores. Call it at the top of a test file, next to the hooks that create each test's store. */
export function testConformance(name: string, store: StoreUnderTest): void {
  describe(`a store ${name}`, () => {
    describe("a document", () => testDocuments(store));
    describe("a document of several parts", () => testLargeDocuments(store));
    describe("a document of several sources", () => testSources(store));
    describe("changes", () => testChanges(store));
    describe("the log of changes", () => testChangeLog(store));
    describe("an export", () => testExports(store));
    describe("lists", () => testLists(store));
    describe("a search", () => testSearch(store));
    describe("a namespace", () => testNamespaces(store));
    describe("a change of the embedding model", () => testReembedding(store));
  });
}
