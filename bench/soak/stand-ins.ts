import type { ListingSite, ScriptedAnswer, ScriptedProvider } from "@agent-backends/testing";
import { answer, startListingSite, startScriptedProvider } from "@agent-backends/testing";

/** A message that contains one of these words makes the provider fail in that way. */
export const providerFaults: Record<string, ScriptedAnswer> = {
  "fault-cut": answer.cutAfter("This ", "breaks "),
  "fault-refused": answer.error(401, "Incorrect API key"),
  "fault-page": answer.html(),
  "fault-nonsense": answer.bytes(["data: {nonsense\n\n"]),
};

const words = "An answer of some twenty words, each of which is a delta of its own, as models stream them [1].".split(
  " ",
);
const well: ScriptedAnswer = answer.text(...words.map((word) => `${word} `));

/** A provider that answers normally unless it is asked to fail, and a listing site with some posts. */
export async function startStandIns(): Promise<{ provider: ScriptedProvider; site: ListingSite }> {
  const [provider, site] = await Promise.all([startScriptedProvider(), startListingSite()]);
  provider.script(({ body }) => {
    // Drop old requests: a long soak test would otherwise accumulate them.
    provider.requests.length = 0;
    const asked = JSON.stringify(body);
    const fault = Object.keys(providerFaults).find((word) => asked.includes(word));
    return fault === undefined ? well : (providerFaults[fault] ?? well);
  });
  site.posts = Array.from({ length: 40 }, (_, index) => ({
    id: `p${index}`,
    votesCount: index,
    featuredAt: new Date(Date.now() - index * 3_600_000).toISOString(),
  }));
  return { provider, site };
}
