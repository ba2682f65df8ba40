import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { setImmediate } from "node:timers/promises";
import type { Caller } from "@agent-backends/kit";
import { FairQueue } from "@agent-backends/kit";
import { detectFormat } from "../extract/detect.ts";
import { extractNow } from "../extract/extract-now.ts";
import type { ExtractionLimits } from "../extract/formats.ts";
import { formatByName } from "../extract/formats.ts";
import { markdownDocument, plainTextDocument } from "../extract/index.ts";
import type { PreparedDocument } from "../prepare.ts";
import { prepareDocument } from "../prepare.ts";
import type { DocumentInput } from "./document-input.ts";
import { sizeOf } from "./document-input.ts";
import { runInWorker } from "./run-in-worker.ts";

/** Text up to this size is read on this thread, which takes some milliseconds: 20 for 4,000 headings. */
const maxBytesOnThisThread = 16 * 1024;

/** Each takes a turn of the event loop, so that requests are answered in between. */
const shortTexts = new FairQueue({ concurrency: 1 });

/**
 * Reads a document, hashes it and cuts it into chunks. Everything but short text is read in a thread of its own with a
 * deadline and a memory limit, some at a time, so that nothing a client sends holds up other requests.
 * A document whose text is in a file has to be closed. Rejects with ExtractionError, whose message may be shown to the
 * document's owner, or with the signal's reason once it aborts.
 */
export async function readDocument(
  input: DocumentInput,
  limits: ExtractionLimits,
  caller: Caller = { client: "" },
): Promise<PreparedDocument> {
  caller.signal?.throwIfAborted();
  const readShort = await shortTextReader(input, limits);
  if (readShort === undefined) return runInWorker({ input, limits }, caller);
  const readInTurn = async () => {
    await setImmediate();
    return readShort();
  };
  return shortTexts.add(caller.client, readInTurn, caller.signal);
}

/** Reads a document on this thread; undefined when that may take long. */
async function shortTextReader(
  { content, ...about }: DocumentInput,
  limits: ExtractionLimits,
): Promise<(() => PreparedDocument | Promise<PreparedDocument>) | undefined> {
  if (sizeOf(content) > maxBytesOnThisThread) return undefined;
  if ("text" in content) {
    const read = content.format === "markdown" ? markdownDocument : plainTextDocument;
    return () => prepareDocument(read(content.text));
  }
  if ("path" in content && content.format !== undefined) return undefined;
  const bytes = "bytes" in content ? content.bytes : await readFile(content.path);
  // To guess an encoding takes a hundred times as long as to read UTF-8.
  if (!isUtf8(bytes)) return undefined;
  const file = { ...about, bytes };
  const format = detectFormat(file);
  // A small page or office file can still be built to take for ever.
  const isPlain = formatByName(format).isText && format !== "html";
  return isPlain ? async () => prepareDocument(await extractNow(format, file, limits)) : undefined;
}
