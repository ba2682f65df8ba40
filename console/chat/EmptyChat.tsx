import type { ReactNode } from "react";
import type { IconName } from "../design/Icon.tsx";
import { Icon } from "../design/Icon.tsx";

/** An empty conversation: what the agent is for, and example questions. */
export function EmptyChat({
  icon,
  title,
  children,
  examples,
  onAsk,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
  examples: string[];
  onAsk: (text: string) => void;
}) {
  return (
    <>
      <Icon name={icon} className="chat-empty-icon" />
      <h2>{title}</h2>
      <div className="muted stack">{children}</div>
      {examples.length > 0 && (
        <ul className="examples" aria-label="Examples">
          {examples.map((example) => (
            <li key={example}>
              <button type="button" className="bare-button example" onClick={() => onAsk(example)}>
                {example}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
