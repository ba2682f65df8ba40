import { Skeleton } from "../design/Skeleton.tsx";
import type { AnswerTextProps } from "./markdown-loader.ts";
import { useMarkdown } from "./markdown-loader.ts";

/** An agent's answer as Markdown; as it was written where what shows Markdown can't be loaded. */
export function AnswerText(props: AnswerTextProps) {
  const Markdown = useMarkdown();
  if (!Markdown) return <Skeleton />;
  if (Markdown === "failed") return <div className="answer-text plain-text">{props.text}</div>;
  return <Markdown {...props} />;
}
