import type { ChunkOptions } from "./chunk.ts";
import { chunkText } from "./chunk.ts";
import type { ExtractedDocument, Mark } from "./extract/document.ts";
import { ExtractionError } from "./extract/document.ts";
import { hashText } from "./normalise.ts";

/** A document of more passages is refused: 50 MB of text are some 33 000. */
const maxPassages = 100_000;

/** A place in a document: where a passage's text comes from. */
export type Place = Omit<Mark, "start">;

/**
 * A document ready to be embedded. Its passages are offsets, three numbers each, so that handing them from one thread to
 * another costs nothing: start, end and the position of the place in `places`.
 */
export interface PreparedDocument extends Omit<ExtractedDocument, "marks"> {
  /** SHA-256 of the text, in hex. */
  hash: string;
  places: Place[];
  passages: Int32Array<ArrayBuffer>;
}

/** Hashes a document and cuts it into passages: work that grows with its text. @throws ExtractionError for too many passages */
export function prepareDocument(document: ExtractedDocument, options?: ChunkOptions): PreparedDocument {
  const { marks: _, ...rest } = document;
  const places: Place[] = [];
  const numberOfPlace = new Map<string, number>();
  const numbers: number[] = [];
  for (const { start, end, text: _text, index, ...place } of chunkText(document, options)) {
    if (index >= maxPassages) {
      throw new ExtractionError(
        "too_large",
        `The document falls into more than ${maxPassages} passages; split it and send the parts.`,
      );
    }
    const key = JSON.stringify(place);
    const number = numberOfPlace.get(key) ?? places.push(place) - 1;
    numberOfPlace.set(key, number);
    numbers.push(start, end, number);
  }
  return { ...rest, hash: hashText(document.text), places, passages: Int32Array.from(numbers) };
}

/** A passage with its text and its place. */
export interface PreparedPassage extends Place {
  index: number;
  start: number;
  end: number;
  text: string;
}

export const passageCount = ({ passages }: PreparedDocument): number => passages.length / 3;

/** The passages of a prepared document from one to before another, in order. */
export function passagesOf({ text, passages, places }: PreparedDocument, from: number, to: number): PreparedPassage[] {
  return Array.from({ length: to - from }, (_, position) => {
    const index = from + position;
    const [start = 0, end = 0, place = 0] = passages.subarray(3 * index, 3 * index + 3);
    return { index, start, end, text: text.slice(start, end), ...places[place] };
  });
}
