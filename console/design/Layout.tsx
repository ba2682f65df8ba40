import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./Icon.tsx";

/** A view other than a chat: a title, the purpose of the view, an action next to it, and the content. */
export function Page({
  title,
  about,
  action,
  children,
}: {
  title: string;
  about: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="page">
      <div className="page-inner">
        <div className="page-head">
          <div className="stack">
            <h1>{title}</h1>
            <p>{about}</p>
          </div>
          {action}
        </div>
        {children}
      </div>
    </div>
  );
}

/** A collapsed section that opens with its summary. */
export function Fold({
  summary,
  className = "",
  children,
  ...rest
}: Omit<ComponentProps<"details">, "summary"> & { summary: ReactNode }) {
  return (
    <details className={`fold ${className}`} {...rest}>
      <summary>
        {summary}
        <Icon name="chevron" className="chevron" />
      </summary>
      {children}
    </details>
  );
}

/** Preformatted text. It scrolls on its own, so it can be focused. */
export function Code({ children }: { children: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <pre className="code" tabIndex={0}>
      {children}
    </pre>
  );
}
