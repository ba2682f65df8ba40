import { answer } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth } from "../support/harness.ts";

const tokens = 200;
type Fields = (token: number) => object;
const none: Fields = () => ({});

const chunk = (token: number, delta: object, more: Fields, choice: Fields) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "m",
  choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...choice(token) }],
  ...more(token),
});

const logprobs: Fields = (n) => ({
  logprobs: { content: [{ token: `w${n}`, logprob: -n / 7, bytes: [n % 256], top_logprobs: [] }], refusal: null },
});
const everything: Fields = (n) => ({
  id: `chatcmpl-${n * 7919}`,
  created: 1_700_000_000 + n,
  system_fingerprint: n % 2 ? "fp_1" : null,
  service_tier: n % 3 ? "default" : "flex",
  obfuscation: "x".repeat(n % 9),
  usage: { prompt_tokens: 9, completion_tokens: n, total_tokens: 9 + n },
});

describeBoth("a long answer is relayed without parsing each of its events", (bench) => {
  test.each<[string, Fields, Fields]>([
    ["as OpenAI sends it", (n) => ({ usage: null, obfuscation: "x".repeat(n % 9), service_tier: "default" }), none],
    ["with logprobs", none, logprobs],
    [
      "with the usage so far",
      (n) => ({ usage: { prompt_tokens: 9, completion_tokens: n, total_tokens: n + 9 } }),
      none,
    ],
    ["with a fingerprint now and then", (n) => ({ system_fingerprint: n % 2 ? "fp_1" : null }), none],
    ["with another id and time in each", (n) => ({ id: `c-${n * 7919}`, created: 1_700_000_000 + n }), none],
    ["with all of that", everything, logprobs],
  ])("%s", async (_what, more, choice) => {
    const texts = Array.from({ length: tokens }, (_, n) => chunk(n, { content: ` word${n}` }, more, choice));
    const finish = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
    bench.provider.script(
      answer.chunks([chunk(0, { role: "assistant", content: "" }, more, choice), ...texts, finish]),
    );
    for (const fields of [{}, { protocolVersion: "1.0" }]) {
      const { frames } = bench.relay.relay;
      const before = { ...frames };
      const events = await bench.run(fields);
      expect(events.flatMap(({ delta }) => delta ?? []).join("")).toBe(texts.map((_, n) => ` word${n}`).join(""));
      expect(frames.parsed - before.parsed).toBeLessThan(10);
      expect(frames.recognised - before.recognised).toBeGreaterThan(tokens - 10);
      const { usage } = more(1) as { usage?: object | null };
      if (usage && "protocolVersion" in fields) {
        expect(events.at(-1)?.usage).toEqual([
          { model: "m", inputTokens: 9, outputTokens: tokens - 1, totalTokens: tokens + 8 },
        ]);
      }
    }
  });
});
