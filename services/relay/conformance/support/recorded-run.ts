import { answer } from "@agent-backends/testing";
import { Gates } from "./replicas.ts";

const delta = (fields: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", model: "gpt-4o", choices: [{ index: 0, delta: fields, finish_reason }] })}\n\n`;
const call = (index: number, fields: object) => delta({ tool_calls: [{ index, ...fields }] });

/** A provider's response with reasoning, text and two tools. */
const frames = [
  delta({ role: "assistant", reasoning_content: "Let me " }),
  delta({ reasoning_content: "think: “é”." }),
  delta({ content: "Hello" }),
  delta({ content: ", wörld 🎈\n\nid: 3\ndata: {}\n\n" }),
  call(0, { id: "call_a", function: { name: "weather", arguments: "" } }),
  call(0, { function: { arguments: '{"city":' } }),
  call(0, { function: { arguments: '"Bern"}' } }),
  call(1, { id: "call_b", function: { name: "time", arguments: "{}" } }),
  delta({}, "tool_calls"),
  "data: [DONE]\n\n",
];

/** The response, with a gate before each of the provider's frames. */
export function gatedRun() {
  const gates = new Gates();
  return { gates, answer: answer.bytes(gates.around(frames)) };
}

/** The same response without gates. */
export const recordedRun = answer.bytes(frames);

/** Splits a stream with event ids into its events. */
export function splitEvents(stream: string): string[] {
  return stream.match(/id: \d+\ndata: [^\n]*\n\n/g) ?? [];
}

/** Reads the first events of a response, then breaks the connection. */
export async function readEvents(response: Response, count: number): Promise<string[]> {
  let text = "";
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  while (reader && splitEvents(text).length < count) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return splitEvents(text).slice(0, count);
}

/**
 * A `fetch` whose responses break off after this many events, and whose requests go to the replicas in turn. Its caller has to resume after
 * each cut.
 */
export function cuttingFetch(urls: readonly string[], eventsPerConnection: number) {
  const asked: { url: string; status: number }[] = [];
  const fetchCut = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const { pathname, search } = new URL(url);
    const response = await fetch(`${urls[asked.length % urls.length]}${pathname}${search}`, init);
    asked.push({ url: String(url), status: response.status });
    if (!response.body || response.status !== 200) return response;
    let events = 0;
    const cut = new TransformStream<string, string>({
      transform(piece, controller) {
        for (const event of splitEvents(piece)) {
          // Otherwise EventSource would wait for seconds before it reconnects.
          controller.enqueue(events === 0 ? `retry: 1\n${event}` : event);
          events += 1;
          if (events === eventsPerConnection && !/RUN_(FINISHED|ERROR)/.test(event)) {
            controller.error(new TypeError("The connection broke."));
            return;
          }
        }
      },
    });
    const body = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(cut)
      .pipeThrough(new TextEncoderStream());
    return new Response(body, { status: 200, headers: response.headers });
  };
  return { fetch: fetchCut as typeof fetch, asked };
}
