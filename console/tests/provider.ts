import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";

/** A word in the question selects the provider's answer. The default answer cites the first chunk. */
const scripts: [RegExp, Parameters<ScriptedProvider["script"]>[0]][] = [
  [/refuse/, answer.error(401, "The key was refused.")],
  [/hang/, answer.hangAfter("First words")],
  [/weather/, answer.toolCalls([{ name: "get_weather", args: ['{"city":', '"Bern"}'] }])],
  [
    /hostile/,
    answer.text(
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [a](javascript:window.hacked=1) [b](data:text/html,x) ![i](http://127.0.0.1:9/pixel.png) [c](https://example.com/)[^1]\n\n[^1]: A note',
    ),
  ],
  [/Polenta/, answer.text("Polenta costs 8.60 in winter [1][2]. Soup is 4.40 in winter [2].")],
  [/Obere Alp/, answer.text("The Obere Alp has 96 beds [1].")],
  [/twelve/, answer.text("Children pay half [1].")],
  [/checking out/, answer.text("Guests leave before 8:30 [1].")],
  [
    /table/,
    answer.text("| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x = 1;\n```\n\nIt costs $5 and $10, and $x_1^2 * y_1$."),
  ],
  [/long/, answer.text(...Array.from({ length: 400 }, (_, line) => `Line ${line}.\n\n`))],
];

const frame = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** A provider that pauses its answers to "wait …" until `release` is called. */
export type ConsoleProvider = ScriptedProvider & { release: () => void };

/** Starts a provider that answers from the scripts. */
export async function startProvider(): Promise<ConsoleProvider> {
  const provider = await startScriptedProvider();
  let gate = Promise.withResolvers<void>();
  let refused = false;
  provider.script((request) => {
    const { messages } = request.body as { messages: { role: string; content: unknown }[] };
    const question = String(messages.findLast(({ role }) => role === "user")?.content);
    const hasResult =
      messages.at(-1)?.role === "tool" && messages.some(({ content }) => String(content).includes("Sunny"));
    if (hasResult) return answer.text("It is sunny.");
    if (/once/.test(question)) {
      refused = !refused;
      return refused ? answer.error(401, "The key was refused.") : answer.text("Now it was let in.");
    }
    if (/^wait/.test(question)) {
      const halves = [
        frame({ role: "assistant", content: "First half, " }),
        frame({ content: "second half." }, "stop"),
      ];
      return answer.bytes([halves[0] ?? "", gate.promise, `${halves[1]}data: [DONE]\n\n`]);
    }
    if (/silent/.test(question)) return answer.bytes([`${frame({ content: "" }, "stop")}data: [DONE]\n\n`]);
    if (/cut/.test(question)) return answer.bytes([`${frame({ content: "Half" }, "length")}data: [DONE]\n\n`]);
    const script = scripts.find(([words]) => words.test(question))?.[1];
    return (script as ReturnType<typeof answer.text> | undefined) ?? answer.text("Within 5 working days [1].");
  });
  const release = () => {
    gate.resolve();
    gate = Promise.withResolvers();
  };
  return Object.assign(provider, { release });
}
