import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";
import { WireLog } from "./wire-log.ts";

test("the log counts from the request: gaps, first token, tokens per second", () => {
  let now = 1_000;
  const log = new WireLog(() => now);
  log.add("request", "POST", "/agent");
  now += 40;
  log.add("event", "start", "{}");
  for (let token = 0; token < 11; token++) {
    now += 10;
    log.add("event", "delta", "{}", { isText: true });
  }
  expect(log.stats).toEqual({ events: 12, totalMs: 150, firstTokenMs: 50, tokensPerSecond: 100 });
  expect(log.entries.kept[1]).toMatchObject({ atMs: 40, gapMs: 40 });
});

test("words that were all read at once have no pace", () => {
  let now = 0;
  const log = new WireLog(() => now);
  for (let token = 0; token < 65; token++) {
    now += 0.01;
    log.add("event", "delta", "{}", { isText: true });
  }
  expect(log.stats.tokensPerSecond).toBeUndefined();
});

test("the log keeps a bounded number of entries and says how many it left out", () => {
  const log = new WireLog(() => 0);
  for (let index = 0; index < 5_000; index++) log.add("event", "delta", "{}");
  const { kept, leftOut } = log.entries;
  expect(kept.length).toBeLessThanOrEqual(1_000);
  expect(kept.length + leftOut).toBe(5_000);
  expect(kept.at(-1)?.id).toBe(4_999);
});

test("a request is copied as a line that a shell reads back word for word, its key left to a variable", () => {
  const body = { text: `it's "quoted" $HOME \`x\` \\ ü\n` };
  const line = curlOf({ url: "http://h/agent?a=1&b=2", headers: { Authorization: "Bearer secret" }, body });
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
