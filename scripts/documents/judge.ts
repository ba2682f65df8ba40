import type { IngestResponse, SearchResponse } from "@agent-backends/contract";
import type { DocumentRow, Fragment } from "./manifest.ts";

/** What the service made of a file. */
export interface Outcome {
  response: IngestResponse;
  /** The stored text, when it was saved. */
  text?: string;
  /** The chunks found for a fragment. */
  chunksFor(fragment: string): Promise<SearchResponse["results"]>;
}

/** Fragments and texts are compared in this form: compatibility forms, case and white space don't count. */
const comparable = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

const withoutSpaces = (text: string): string => comparable(text).replaceAll(" ", "");

/** What is wrong with an outcome; nothing when the row's expectation is met. */
export async function faultsOf({ expect }: DocumentRow, outcome: Outcome): Promise<string[]> {
  const { errors } = outcome.response;
  const faults: string[] = [];
  const code = errors[0]?.code;
  const isSaved = outcome.text !== undefined;
  const { outcome: wanted, reason } = expect;
  if (wanted === "text" && !isSaved) faults.push(`not saved: ${code} ${errors[0]?.error}`);
  if (["no_text", "empty", "error"].includes(wanted) && isSaved) faults.push("was saved");
  if (wanted === "no_text" || wanted === "empty") {
    if (code !== "no_text" && code !== "empty") faults.push(`code ${code}`);
  }
  if (wanted === "error" && reason === "encrypted" && code !== "encrypted") faults.push(`code ${code}`);
  if (!isSaved && (code === "not_stored" || code === "provider_failed")) faults.push(`code ${code}`);
  const text = comparable(outcome.text ?? "");
  if (isSaved) {
    for (const fragment of expect.must_contain) faults.push(...(await faultsOfFragment(fragment, text, outcome)));
  }
  for (const unwanted of expect.must_not_contain) {
    if (text.includes(comparable(unwanted))) faults.push(`holds ${JSON.stringify(unwanted)}`);
  }
  return faults;
}

async function faultsOfFragment(fragment: Fragment, text: string, outcome: Outcome): Promise<string[]> {
  const { text: words, ...place } = fragment;
  if (!text.includes(comparable(words))) return [`lacks ${JSON.stringify(words)}`];
  if (Object.keys(place).length === 0) return [];
  const chunks = await outcome.chunksFor(words);
  const there = chunks.filter(({ metadata }) =>
    Object.entries(place).every(([name, value]) => metadata[name as keyof typeof metadata] === value),
  );
  // A fragment may reach over the end of a chunk.
  const joined = there.sort((one, other) => one.metadata.chunk - other.metadata.chunk).map(({ content }) => content);
  if (withoutSpaces(joined.join("")).includes(withoutSpaces(words))) return [];
  return [`lacks ${JSON.stringify(words)} at ${JSON.stringify(place)}`];
}
