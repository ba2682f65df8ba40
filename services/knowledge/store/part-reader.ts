import type { DocumentPart, NewDocument } from "./document.ts";

/** The parts of a document. The first part can be examined before iterating. */
export class PartReader implements AsyncIterable<DocumentPart> {
  readonly #parts: AsyncGenerator<DocumentPart, void, undefined>;
  #first: Promise<IteratorResult<DocumentPart, void>> | undefined;

  constructor(document: NewDocument) {
    this.#parts = readParts(document);
  }

  async first(): Promise<DocumentPart> {
    this.#first ??= this.#parts.next();
    const { value } = await this.#first;
    if (!value) throw new Error("A document has no parts.");
    return value;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<DocumentPart, void, undefined> {
    yield await this.first();
    yield* this.#parts;
  }

  async close(): Promise<void> {
    await this.#parts.return();
  }
}

async function* readParts(document: NewDocument): AsyncGenerator<DocumentPart, void, undefined> {
  yield* document.parts();
}
