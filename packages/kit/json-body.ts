import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { limits, problems } from "@agent-backends/contract";
import { decode, JsonCounter, parseText } from "./json-values.ts";
import { getBodyAdmission } from "./limits/large-bodies.ts";
import { largeBodyTurns } from "./turns/index.ts";

/**
 * Refuses a compressed body: a few bytes may decompress to more than the available memory.
 *
 * @throws ProblemError `unsupported-media-type`
 */
export function refuseCompressed({ "content-encoding": encoding = "" }: IncomingHttpHeaders): void {
  if (/^\s*(identity)?\s*$/i.test(encoding)) return;
  throw problems.compressedBody();
}

/**
 * Receives a request's JSON body. Refuses a body as soon as it exceeds a limit, and drops the rest, so that the connection can be reused.
 *
 * @param maxValues a lower limit than `limits.jsonValues`
 * @returns the parsed body, or undefined if it is empty
 * @throws ProblemError `unsupported-media-type`, `too-large`, `not-json`, or `bad-request` for a body that ends early
 */
export async function receiveJson(request: IncomingMessage, maxValues?: number): Promise<unknown> {
  try {
    refuseCompressed(request.headers);
    requireJson(request.headers);
    const length = Number(request.headers["content-length"] ?? 0);
    if (length > limits.bodyBytes) throw problems.bodyTooLarge(limits.bodyBytes);
    const isLate = !request.complete;
    const bytes = await receiveCounted(request, new JsonCounter(maxValues === undefined ? {} : { maxValues }));
    // Otherwise many bodies that end at the same time would all be handled in one turn of the event loop.
    const turn = isLate ? getBodyAdmission(request)?.takeTurn() : undefined;
    if (turn) await turn;
    if (bytes.length === 0) return undefined;
    return bytes.length <= limits.largeBodyBytes ? parseText(decode(bytes)) : await parseInTurns(bytes);
  } catch (error) {
    request.resume();
    throw error;
  }
}

/**
 * Parses external JSON, after checking it against the limits.
 *
 * @param what name of the JSON in a problem
 * @throws ProblemError `too-large` or `not-json`
 */
export async function parseJson(bytes: Buffer, what?: string): Promise<unknown> {
  new JsonCounter(what === undefined ? {} : { what }).push(bytes);
  return bytes.length <= limits.largeBodyBytes ? parseText(decode(bytes)) : parseInTurns(bytes);
}

/** Decodes, parses and returns large JSON in separate turns of the event loop: each step may take tens of milliseconds. */
async function parseInTurns(bytes: Buffer): Promise<unknown> {
  await largeBodyTurns.turn();
  const text = decode(bytes);
  await largeBodyTurns.turn();
  const value = parseText(text);
  await largeBodyTurns.turn();
  return value;
}

function requireJson(headers: IncomingHttpHeaders): void {
  const { "content-type": type = "" } = headers;
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? "utf-8";
  const isJson = /^\s*application\/json\s*(?:;|$)/i.test(type) && /^utf-?8$/i.test(charset);
  if (!isJson && hasBody(headers)) throw problems.jsonRequired();
}

/** Whether a request has a body, by its headers. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

// Uses events: iterating over the stream would cost more than all other work for a small body.
function receiveCounted(request: IncomingMessage, counter: JsonCounter): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  if (request.readableEnded) resolve(Buffer.alloc(0));
  const broken = () => reject(problems.incompleteBody());
  if (request.destroyed) broken();
  const chunks: Buffer[] = [];
  const length = Number(request.headers["content-length"] ?? limits.bodyBytes);
  /** Buffer for a large body of known length: concatenating its chunks at the end would take milliseconds and twice the memory. */
  let whole: Buffer | undefined;
  let bytes = 0;
  let isLarge = false;
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    try {
      if (bytes > limits.bodyBytes) throw problems.bodyTooLarge(limits.bodyBytes);
      if (bytes > limits.largeBodyBytes && !isLarge) {
        isLarge = true;
        if ("content-length" in request.headers) whole = Buffer.concat(chunks, length);
        const room = getBodyAdmission(request)?.takeRoom(length);
        if (room !== undefined) {
          request.pause();
          void room.then(() => request.resume());
        }
      }
      counter.push(chunk);
      if (whole) chunk.copy(whole, bytes - chunk.length);
      else chunks.push(chunk);
    } catch (error) {
      request.off("data", take);
      chunks.length = 0;
      whole = undefined;
      reject(error);
    }
  };
  request.on("data", take);
  request.once("end", () => {
    // Otherwise the end of each request would create an unused error, including its stack.
    request.off("close", broken);
    resolve(whole ?? (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  });
  request.once("error", broken);
  request.once("close", broken);
  return promise;
}
