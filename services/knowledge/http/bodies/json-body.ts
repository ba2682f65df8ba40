import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { problems } from "@agent-backends/contract";
import { ClientGoneError, FairQueue, parseJson, waitForTurn } from "@agent-backends/kit";
import { temporaryPath } from "../../store/temporary-files.ts";
import { LongStrings } from "./long-strings.ts";
import type { ReceivedForm } from "./multipart-form.ts";

/**
 * Bodies are scanned a chunk at a time, at most two in one turn of the event loop. Otherwise each turn would scan a chunk of
 * every body that arrives, and a small request takes several turns.
 */
const scanQueue = new FairQueue({ concurrency: 2 });

interface BodyOptions {
  /** The client that sent the body. Scanning is shared fairly between clients. */
  client: string;
  maxBytes: number;
  maxRestBytes: number;
  folder?: string | undefined;
}

/**
 * Receives a JSON body without holding its long strings in memory: they are written to files in `folder` or a new one, and placeholders
 * replace them in the fields.
 *
 * @throws ProblemError `not-json`; `too-large` for more than `maxBytes`, or more than `maxRestBytes` without long strings
 */
export async function receiveBody(stream: Readable, options: BodyOptions): Promise<ReceivedForm> {
  const folder = options.folder ?? temporaryPath();
  const strings = new LongStrings(folder);
  const discard = async () => {
    if (options.folder !== undefined || strings.found.size > 0) await rm(folder, { recursive: true, force: true });
  };
  try {
    await receive(stream, strings, options);
    const { rest } = strings;
    return {
      fields: isBlank(rest) ? undefined : await parseJson(rest),
      files: [],
      longStrings: strings.found,
      discard,
    };
  } catch (error) {
    // Drain the rest of the body: the connection's next request follows it.
    stream.resume();
    await rm(folder, { recursive: true, force: true });
    if (!(error instanceof SyntaxError)) throw error;
    throw problems.notJson(error);
  }
}

/** Whether the bytes are only a byte order mark and white space. */
const isBlank = (bytes: Buffer) => bytes.every((byte) => [0xef, 0xbb, 0xbf, 0x20, 0x09, 0x0a, 0x0d].includes(byte));

async function receive(
  stream: Readable,
  strings: LongStrings,
  { client, maxBytes, maxRestBytes }: BodyOptions,
): Promise<void> {
  let bytes = 0;
  try {
    // Keep the connection open, so that a client whose body is refused still gets the response.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw problems.bodyTooLarge(maxBytes, "KNOWLEDGE_MAX_FILE_BYTES");
      await scanQueue.add(client, async () => {
        await strings.push(chunk);
        await waitForTurn();
      });
      if (strings.restBytes > maxRestBytes) throw problems.bodyRestTooLarge(maxRestBytes);
    }
  } catch (error) {
    throw (error as { code?: string }).code === "ECONNRESET" ? new ClientGoneError() : error;
  } finally {
    await strings.close();
  }
}
