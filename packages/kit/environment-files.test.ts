import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { loadEnvironmentFiles } from "./environment-files.ts";

let folder: string;
let before: NodeJS.ProcessEnv;

beforeEach(async () => {
  folder = await createTemporaryFolder(onTestFinished);
  before = { ...process.env };
});

afterEach(() => {
  process.env = before;
});

/** The variables that a `.env` with these bytes adds. */
function load(content: string | Buffer): NodeJS.ProcessEnv {
  writeFileSync(join(folder, ".env"), content);
  process.env = {};
  loadEnvironmentFiles(folder);
  return process.env;
}

test.each([
  ["from Windows, with a mark and its line ends", Buffer.from("\ufeffLLM_API_KEY=sk-1\r\nMODEL='m'\r\n")],
  ["from PowerShell, in UTF-16", Buffer.from("\ufeffLLM_API_KEY=sk-1\r\nMODEL=m\r\n", "utf16le")],
  ["for a shell", "export LLM_API_KEY=sk-1 # mine\nexport MODEL=`m`\n"],
])("a file written %s is read", (_, content) => {
  expect(load(content)).toEqual({ LLM_API_KEY: "sk-1", MODEL: "m" });
});

test("what is set already wins over files, and earlier folders over later ones", async () => {
  const later = await createTemporaryFolder(onTestFinished);
  writeFileSync(join(folder, ".env"), "A=file\nB=file\n");
  writeFileSync(join(later, ".env"), "B=later\nC=later\n");
  vi.stubEnv("A", "set");
  loadEnvironmentFiles(folder, later);
  expect(process.env).toMatchObject({ A: "set", B: "file", C: "later" });
});

test.each([
  ['LLM_API_KEY="sk-abc\n', "LLM_API_KEY", '"'],
  ['A="one\nB="two"\n', "A", '"'],
  ["A=1\nexport B='two\n", "B", "'"],
])("a quote that isn't closed is named with its variable: %j", (content, variable, quote) => {
  expect(() => load(content)).toThrow(
    `${variable} in ${join(folder, ".env")} begins with ${quote}, which isn't closed: write ${variable}=${quote}…${quote}`,
  );
});

test.each([
  ["LLM_API_KEY sk-1\n", 1],
  ['# Keys\r\n\r\nA="one\ntwo\n"\r\n  export LLM_API_KEY\r\n', 6],
])("a line that sets nothing is named with its file: %j", (content, line) => {
  expect(() => load(content)).toThrow(
    `line ${line} of ${join(folder, ".env")} has no =: write NAME=value, or # in front of a line that sets nothing`,
  );
});

test("a .env that can't be read is named, and what it must be", () => {
  const path = join(folder, ".env");
  mkdirSync(path);
  expect(() => loadEnvironmentFiles(folder)).toThrow(
    `${path} can't be read (EISDIR): it must be a file that the user of this process may read, or not be there`,
  );
});

test("values of several lines, other quotes inside and comments are fine", () => {
  expect(load('A="one"\nB=\'t"w"o\'\nC=three\n# D="\nPEM="-----BEGIN\nabc=\n-----END"\n')).toEqual({
    A: "one",
    B: 't"w"o',
    C: "three",
    PEM: "-----BEGIN\nabc=\n-----END",
  });
});
