import { expect, it } from "vitest";
import { knowledgeVariables } from "./configuration.ts";

const read = (KNOWLEDGE_STORE: string) => knowledgeVariables.safeParse({ LLM_API_KEY: "key", KNOWLEDGE_STORE });

it.each([
  "./data",
  "/var/lib/knowledge",
  "C:\\data",
  "a b/ü",
  "s3://bucket",
  "gs://bucket/a/b",
  "az://container/x/",
  "postgres://user:p%40ss@db:5432/knowledge?sslmode=require",
])("a store may be at %s", (location) => {
  expect(read(location)).toMatchObject({ success: true, data: { KNOWLEDGE_STORE: location } });
});

it.each([
  "s3://",
  "s3:///path",
  "s3:/bucket",
  "s3:bucket",
  "ftp://host/x",
  "https://host/x",
  "file:///x",
  "gs://b?x=1",
])("a store can't be at %s, and the variable's line says what would be right", (location) => {
  const { error } = read(location);
  expect(error?.issues).toMatchObject([
    { path: ["KNOWLEDGE_STORE"], message: expect.stringMatching(/^must be a folder such as .* s3:\/\/bucket/) },
  ]);
});
