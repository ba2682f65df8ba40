import type { ServiceName } from "@agent-backends/testing";
import { ask, askAndLeave } from "./client.ts";
import { providerFaults } from "./stand-ins.ts";

/** One operation of a client. Resolves with a description of anything unexpected in the response, or undefined. */
type Operation = (baseUrl: string) => Promise<string | undefined>;

const faults = Object.keys(providerFaults);
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
const namespaces = Array.from({ length: 8 }, (_, index) => `soak-${index}`);
let texts = 0;

async function expectAnswer(answering: ReturnType<typeof ask>, status: number, ends?: RegExp) {
  const answer = await answering;
  if (answer.status !== status) return `status ${answer.status} in place of ${status}: ${answer.text.slice(0, 200)}`;
  return ends === undefined || ends.test(answer.text) ? undefined : `ends with ${answer.text.slice(-200)}`;
}

const stream =
  (path: string, toBody: (content: string) => object, well: RegExp, failed: RegExp): Operation =>
  async (baseUrl) => {
    const fate = Math.random();
    const url = baseUrl + path;
    if (fate < 0.1) {
      await askAndLeave(url, toBody("Tell me much."));
      return undefined;
    }
    if (fate < 0.25) return expectAnswer(ask("POST", url, toBody(pick(faults))), 200, failed);
    return expectAnswer(ask("POST", url, toBody("Tell me something.")), 200, well);
  };

const malformed =
  (path: string): Operation =>
  (baseUrl) =>
    expectAnswer(ask("POST", baseUrl + path, pick(["{", '{"messages":7}', '{"messages":[]}', "[]"])), 400).then(
      (unexpected) => (unexpected?.startsWith("status 422") ? undefined : unexpected),
    );

const run = (content: string) => ({ threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content }] });
const conversation = (content: string) => ({ messages: [{ role: "user", content }] });

const relay: Operation[] = [
  stream("/agent", run, /RUN_FINISHED.*\n\n$/, /RUN_ERROR.*\n\n$/),
  stream(
    "/agent",
    (content) => ({ ...run(content), protocolVersion: "1.0" }),
    /RUN_FINISHED.*\n\n$/,
    /RUN_ERROR.*\n\n$/,
  ),
  malformed("/agent"),
];

/** The operations of each service's clients, which are all equally frequent. */
export const operations: Record<ServiceName, readonly Operation[]> = {
  "relay-express": relay,
  "relay-nest": relay,
  knowledge: [
    stream(
      "/stream",
      (content) => ({ thread_id: "t", run_id: "r", ...conversation(content), namespace: pick(namespaces) }),
      /"type":"done".*\n$/,
      /"type":"error".*\n$/,
    ),
    async (baseUrl) => {
      texts += 1;
      const sources = [{ type: "text", value: `Text ${texts} of the soak, about refunds and parcels.` }];
      const body = { namespace: pick(namespaces), sources };
      return expectAnswer(ask("POST", `${baseUrl}/api/tools/ingest`, body), 200, /"saved":\[\{/);
    },
    (baseUrl) =>
      expectAnswer(
        ask("POST", `${baseUrl}/api/tools/searchDocs`, { namespace: pick(namespaces), query: "refunds" }),
        200,
      ),
    async (baseUrl) => {
      // Namespaces are emptied at the rate at which they are filled, so that the store doesn't grow.
      const answer = await ask("DELETE", `${baseUrl}/api/namespaces/${pick(namespaces)}`);
      return [204, 404].includes(answer.status) ? undefined : `status ${answer.status}: ${answer.text}`;
    },
    (baseUrl) => expectAnswer(ask("GET", `${baseUrl}/api/namespaces`), 200),
    malformed("/stream"),
  ],
  listing: [
    stream("/agent", conversation, /\[DONE\]\n\n$/, /"error".*\[DONE\]\n\n$/s),
    (baseUrl) =>
      expectAnswer(ask("POST", `${baseUrl}/agent`, conversation("top 3 launches today")), 200, /\[DONE\]\n\n$/),
    (baseUrl) => expectAnswer(ask("POST", `${baseUrl}/tools/top`, { limit: 3 }), 200, /"posts":\[/),
    (baseUrl) => expectAnswer(ask("POST", `${baseUrl}/tools/search`, { query: pick(["a", "b"]) }), 200, /"hits":\[/),
    malformed("/agent"),
  ],
};
