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
  "postgres://user:p@ss@db",
  "postgres:///knowledge?host=/run/postgresql",
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

it.each([
  "postgres://user:p@ss/word@db:5432/knowledge",
  "postgres://user:pass#word@db:5432/knowledge",
  "postgres://user:pass/word@db:5432/knowledge",
  "postgresql://user:pass?word@db:notaport/knowledge",
])("a password in %s that would end the address is refused, and not repeated", (location) => {
  const { error } = read(location);
  expect(error?.issues.map(({ message }) => message)).toEqual([
    "must be postgres://user:password@host:5432/database, with special characters of the password percent-encoded: %2F for /",
  ]);
});
