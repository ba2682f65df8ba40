import { createHash } from "node:crypto";
import type { Fence } from "./chunk/blocks.ts";
import type { ChunkOptions, MarkedText } from "./chunk.ts";
import { chunkText } from "./chunk.ts";
import type { ExtractedDocument, Mark } from "./extract/document.ts";
import { ExtractionError } from "./extract/document.ts";
import type { DocumentStream } from "./extract/text-stream.ts";
import { piecesOfText } from "./normalise.ts";
import type { TextFile } from "./text-file.ts";

/** A document of more passages is refused: 50 MB of text are some 33 000. */
const maxPassages = 100_000;

/** Length of what is kept at hand of a document's beginning, in UTF-16 code units. */
const beginningCharacters = 1_000;

/** A place in a document: where a passage's text comes from. */
export type Place = Omit<Mark, "start">;

/** What a document is, besides its text. */
export interface PreparedAbout extends Omit<ExtractedDocument, "marks" | "text"> {
  /** SHA-256 of the text, in hex. */
  hash: string;
  /** The first characters of the text. */
  beginning: string;
  passages: PassageTable;
}

/** A document ready to be embedded. Where its text is in a file, that has to be closed at the end. */
export interface PreparedDocument extends PreparedAbout {
  text: string | TextFile;
}

/**
 * Passages as numbers, and their places as JSON, so that handing them from one thread to another costs nothing however many
 * they are.
 */
interface PassageTable {
  /** Of each passage: start and end, the end in bytes of UTF-8, and the number of its place. */
  numbers: Int32Array<ArrayBuffer>;
  /** One place after the other. */
  places: Uint8Array<ArrayBuffer>;
  /** The offset at which each of them ends. */
  placeEnds: Int32Array<ArrayBuffer>;
}

const numbersOfPassage = 4;

/** A passage with its text and its place. */
export interface PreparedPassage extends Place {
  index: number;
  start: number;
  end: number;
  text: string;
  /** The document's text from the end of the passage before to the end of this one, or the document's if it is the last. */
  documentText: string;
}

/** Hashes a document and cuts it into passages: work that grows with its text. @throws ExtractionError for too many passages */
export function prepareDocument(document: ExtractedDocument, options?: ChunkOptions): PreparedDocument {
  const { text, marks: _, ...about } = document;
  const { passages, hash, beginning } = prepareStretches([document], () => undefined, options);
  return { ...about, hash, beginning, passages, text };
}

/** The same for a document that comes in stretches. `keep` is told its text, a piece at a time. */
export function prepareStream(document: DocumentStream, keep: (text: string) => void): PreparedAbout {
  const prepared = prepareStretches(document.stretches, keep);
  return { ...document.about(), ...prepared };
}

function prepareStretches(
  stretches: Iterable<MarkedText>,
  keep: (text: string) => void,
  options?: ChunkOptions,
): Pick<PreparedAbout, "hash" | "beginning" | "passages"> {
  const hash = createHash("sha256");
  const numbers: number[] = [];
  const places: Buffer[] = [];
  const numberOfPlace = new Map<string, number>();
  const fence: Fence = {};
  let beginning = "";
  let length = 0;
  let bytes = 0;
  for (const stretch of stretches) {
    const { text } = stretch;
    let counted = 0;
    for (const { start, end, text: _, index, ...place } of chunkText(stretch, options, fence)) {
      if (numbers.length >= maxPassages * numbersOfPassage) throw tooManyPassages();
      const key = JSON.stringify(place);
      const number = numberOfPlace.get(key) ?? places.push(Buffer.from(key)) - 1;
      numberOfPlace.set(key, number);
      bytes += Buffer.byteLength(text.slice(counted, end));
      counted = end;
      numbers.push(length + start, length + end, bytes, number);
    }
    bytes += Buffer.byteLength(text.slice(counted));
    length += text.length;
    if (beginning === "") beginning = text.slice(0, beginningCharacters);
    for (const piece of piecesOfText(text)) {
      hash.update(piece, "utf8");
      keep(piece);
    }
  }
  const passages = {
    numbers: Int32Array.from(numbers),
    places: new Uint8Array(Buffer.concat(places)),
    placeEnds: Int32Array.from(endsOf(places)),
  };
  return { hash: hash.digest("hex"), beginning, passages };
}

export const passageCount = ({ passages }: PreparedDocument): number => passages.numbers.length / numbersOfPassage;

/** The passages of a prepared document from one to before another, in order. */
export async function passagesOf(document: PreparedDocument, from: number, to: number): Promise<PreparedPassage[]> {
  const { text, passages } = document;
  const isToEnd = to === passageCount(document);
  const [, textStart = 0, byteStart = 0] = numbersOf(passages, from - 1);
  const [, textEnd, byteEnd] = isToEnd ? [] : numbersOf(passages, to - 1);
  const part = typeof text === "string" ? text.slice(textStart, textEnd) : await text.read(byteStart, byteEnd);
  let taken = 0;
  return Array.from({ length: to - from }, (_, position) => {
    const index = from + position;
    const [start = 0, end = 0, , place = 0] = numbersOf(passages, index);
    const takenTo = isToEnd && index === to - 1 ? part.length : end - textStart;
    const documentText = part.slice(taken, takenTo);
    taken = takenTo;
    const passage = { index, start, end, text: part.slice(start - textStart, end - textStart), documentText };
    return { ...passage, ...placeOf(passages, place) };
  });
}

/** Of the passage before the first one there are none. */
const numbersOf = ({ numbers }: PassageTable, index: number): Int32Array =>
  numbers.subarray(numbersOfPassage * Math.max(0, index), numbersOfPassage * (index + 1));

function placeOf({ places, placeEnds }: PassageTable, number: number): Place {
  const json = places.subarray(placeEnds[number - 1] ?? 0, placeEnds[number]);
  return JSON.parse(Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()) as Place;
}

function* endsOf(buffers: readonly Uint8Array[]): Generator<number, void, undefined> {
  let end = 0;
  for (const { byteLength } of buffers) {
    end += byteLength;
    yield end;
  }
}

function tooManyPassages(): ExtractionError {
  return new ExtractionError(
    "too_large",
    `The document falls into more than ${maxPassages} passages; split it and send the parts.`,
  );
}
