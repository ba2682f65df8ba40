import type { Connection, ExchangeHandler } from "../byte-stream/http1/connection.ts";
import { ReusedBytes } from "./reused-bytes.ts";

/** The body of a request for the vectors of some texts, to be sent, again if need be. */
export class RequestBody {
  readonly #memory = new ReusedBytes();
  #texts = 0;
  #writing = 0;

  /** Vectors are asked for in base64, which takes about half the bytes of decimal digits. */
  constructor(model: string) {
    this.#memory.addText(`{"model":${JSON.stringify(model)},"encoding_format":"base64","input":[`);
  }

  add(text: string): void {
    if (this.#texts > 0) this.#memory.addText(",");
    this.#memory.addText(JSON.stringify(text));
    this.#texts += 1;
  }

  end(): void {
    this.#memory.addText("]}");
  }

  /** In bytes. */
  get length(): number {
    return this.#memory.length;
  }

  sendOn(connection: Connection, head: string, handler: ExchangeHandler): void {
    this.#writing += 1;
    const onWritten = () => {
      this.#writing -= 1;
    };
    connection.send(head, handler, { bytes: this.#memory.bytes(), onWritten });
  }

  /** Gives the memory back, unless some of it is still to be written. */
  release(): void {
    if (this.#writing === 0) this.#memory.release();
  }
}
