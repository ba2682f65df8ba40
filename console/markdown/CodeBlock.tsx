import type { ReactNode } from "react";
import { useRef } from "react";
import { CopyButton } from "../design/CopyButton.tsx";

/** A block of code, which scrolls by itself and can be copied. */
export function CodeBlock({ children }: { children?: ReactNode }) {
  const code = useRef<HTMLPreElement>(null);
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre ref={code} tabIndex={0}>
        {children}
      </pre>
      <CopyButton iconOnly label="Copy the code" text={() => code.current?.textContent ?? ""} />
    </div>
  );
}
