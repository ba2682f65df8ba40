import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { exportLog, toCurl } from "./export.ts";
import { groupEntries, WireLog } from "./wire-log.ts";

const request = { url: "http://h/agent", headers: { Authorization: "Bearer secret" }, body: { text: "Hello" } };

test("the log measures from the request: gaps, first token, tokens per second", () => {
  let now = 1_000;
  const log = new WireLog(request, () => now);
  now += 40;
  log.add("event", "start", "{}");
  for (let token = 0; token < 11; token++) {
    now += 10;
    log.add("event", "delta", "{}", "word");
  }
  expect(log.snapshot().stats).toEqual({ events: 12, totalMs: 150, firstTokenMs: 50, tokensPerSecond: 100 });
  expect(log.snapshot().entries[0]).toMatchObject({ atMs: 40, gapMs: 40 });
});

test("text events that were read at once have no rate", () => {
  let now = 0;
  const log = new WireLog(request, () => now);
  for (let token = 0; token < 65; token++) {
    now += 0.01;
    log.add("event", "delta", "{}", "word");
  }
  expect(log.snapshot().stats.tokensPerSecond).toBeUndefined();
});

test("the log keeps a limited number of entries and counts the dropped ones", () => {
  const log = new WireLog(request, () => 0);
  for (let index = 0; index < 25_000; index++) log.add("event", "delta", "{}");
  const { entries, droppedCount } = log.snapshot();
  expect(entries.length).toBeLessThanOrEqual(10_000);
  expect(entries.length + droppedCount).toBe(25_000);
  expect(entries.at(-1)?.id).toBe(24_999);
});

test("consecutive text events form a group, other events don't", () => {
  const log = new WireLog(request, () => 0);
  log.add("response", "200", "text/event-stream");
  for (const word of ["Hel", "lo"]) log.add("event", "delta", JSON.stringify({ word }), word);
  log.add("event", "end", "{}");
  log.add("event", "delta", "{}", "!");
  const groups = groupEntries(log.snapshot().entries);
  expect(groups.map(({ label, words, entries }) => [label, words, entries.length])).toEqual([
    ...[
      ["200", undefined, 1],
      ["delta", "Hello", 2],
      ["end", undefined, 1],
      ["delta", "!", 1],
    ],
  ]);
});

test("the log is exported as NDJSON, beginning with the request without its key", () => {
  const log = new WireLog(request, () => 0);
  log.add("event", "delta", '{"word":"Hello"}', "Hello");
  log.add("event", "[DONE]", "[DONE]");
  const lines = exportLog(log.snapshot()).content.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { kind: "request", url: "http://h/agent", headers: { Authorization: "…" }, body: { text: "Hello" } },
    { kind: "event", at_ms: 0, label: "delta", data: { word: "Hello" } },
    { kind: "event", at_ms: 0, label: "[DONE]", data: "[DONE]" },
  ]);
});

test("a request is copied as a shell command with a variable for its key", () => {
  const body = { text: `it's "quoted" $HOME \`x\` \\ ü\n` };
  const line = toCurl({ url: "http://h/agent?a=1&b=2", headers: { Authorization: "Bearer secret" }, body });
  expect(line).not.toContain("secret");
  const words = execFileSync("sh", ["-c", `API_KEY=mine; curl() { printf '%s\\0' "$@"; }; ${line}`], {
    encoding: "utf8",
  });
  expect(words.split("\0").slice(0, -1)).toEqual([
    ...["-N", "http://h/agent?a=1&b=2"],
    ...["-H", "Content-Type: application/json", "-H", "Authorization: Bearer mine"],
    ...["-d", JSON.stringify(body)],
  ]);
});
