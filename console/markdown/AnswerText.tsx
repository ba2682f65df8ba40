import type { ComponentType } from "react";
import { Skeleton } from "../design/Notice.tsx";
import { Store, useStore } from "../store.ts";
import type { AnswerTextProps } from "./MarkdownAnswer.tsx";

type Loaded = ComponentType<AnswerTextProps> | "failed" | undefined;

/** Loads the Markdown renderer on demand, because it is a third of the page's code and only answers need it. */
class MarkdownLoader extends Store<Loaded> {
  #loaded: Loaded;
  #isStarted = false;

  protected buildSnapshot(): Loaded {
    return this.#loaded;
  }

  load(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const settle = (loaded: Loaded) => {
      this.#loaded = loaded;
      this.publish();
    };
    import("./MarkdownAnswer.tsx").then(
      ({ MarkdownAnswer }) => settle(MarkdownAnswer),
      () => settle("failed"),
    );
  }
}

const loader = new MarkdownLoader();

/** Starts loading the renderer, so that it is ready before the answer arrives. */
export const loadMarkdown = (): void => loader.load();

/** The renderer, `"failed"`, or undefined while it is loading. */
export const useMarkdown = (): Loaded => useStore(loader);

/** An answer as Markdown, or as plain text if the renderer can't be loaded. */
export function AnswerText(props: AnswerTextProps) {
  const Markdown = useMarkdown();
  if (!Markdown) return <Skeleton />;
  if (Markdown === "failed")
    return (
      <div className="stack answer-text plain-text" dir="auto">
        {props.text}
      </div>
    );
  return <Markdown {...props} />;
}
