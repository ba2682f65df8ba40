import type { ComponentType } from "react";
import { useSyncExternalStore } from "react";
import type { NumberedCitation } from "../conversations/messages.ts";
import { Skeleton } from "../design/Notice.tsx";
import type { OpenCitation } from "./MarkdownAnswer.tsx";

/** An agent's answer as Markdown; as it was written where what shows Markdown can't be loaded. */
export function AnswerText(props: AnswerTextProps) {
  const Markdown = useMarkdown();
  if (!Markdown) return <Skeleton />;
  if (Markdown === "failed") return <div className="answer-text plain-text">{props.text}</div>;
  return <Markdown {...props} />;
}

export interface AnswerTextProps {
  text: string;
  citations?: readonly NumberedCitation[];
  onCitation?: OpenCitation;
}

/** What shows Markdown, which takes a third of all the page's code: only answers need it. */
type Loaded = ComponentType<AnswerTextProps> | "failed" | undefined;

const listeners = new Set<() => void>();
let loaded: Loaded;
let isAsked = false;

/** Begins to load what shows Markdown, so that it is there before an answer is. */
export function loadMarkdown(): void {
  if (isAsked) return;
  isAsked = true;
  const settle = (result: Loaded) => {
    loaded = result;
    for (const listener of listeners) listener();
  };
  import("./MarkdownAnswer.tsx").then(
    ({ MarkdownAnswer }) => settle(MarkdownAnswer),
    () => settle("failed"),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What shows Markdown; undefined until it is there, and `"failed"` where it could not be loaded. */
export const useMarkdown = (): Loaded => useSyncExternalStore(subscribe, () => loaded);
