const opening = "<think>";
const closing = "</think>";

/**
 * Leaves out the reasoning that some models write in front of their answer, between `<think>` and `</think>`, when their server doesn't
 * separate it (DeepSeek R1 and Qwen behind a plain llama.cpp, Ollama or vLLM). An answer that mentions the tags later stays as it is.
 */
export class ThoughtFilter {
  #state: "beginning" | "thinking" | "thought" | "answering" = "beginning";
  /** Text that may be part of a tag. At most as long as a tag, beside the delta being read. */
  #held = "";

  /** The part of the answer that a delta adds, possibly empty. */
  read(delta: string): string {
    if (this.#state === "answering") return delta;
    let text = this.#held + delta;
    this.#held = "";
    if (this.#state === "beginning") {
      const begun = text.trimStart();
      if (begun === "") return text;
      if (opening.startsWith(begun)) return this.#hold(text);
      if (!begun.startsWith(opening)) return this.#answer(text);
      this.#state = "thinking";
      text = begun.slice(opening.length);
    }
    if (this.#state === "thinking") {
      const end = text.indexOf(closing);
      if (end < 0) return this.#hold(text.slice(1 - closing.length));
      this.#state = "thought";
      text = text.slice(end + closing.length);
    }
    const answer = text.trimStart();
    return answer === "" ? "" : this.#answer(answer);
  }

  /** The text that was held back when the answer ended. */
  end(): string {
    return this.#state === "beginning" ? this.#held : "";
  }

  #hold(text: string): string {
    this.#held = text;
    return "";
  }

  #answer(text: string): string {
    this.#state = "answering";
    return text;
  }
}
