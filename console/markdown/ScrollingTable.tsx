import type { ReactNode } from "react";

/** A table that scrolls by itself where the page is too narrow for it. One with a name of its own is a landmark. */
export function ScrollingTable({ children, label }: { children: ReactNode; label?: string }) {
  const frame = { className: "table-frame", tabIndex: 0 };
  const table = <table>{children}</table>;
  if (label !== undefined) {
    return (
      <section {...frame} aria-label={label}>
        {table}
      </section>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div {...frame} role="group" aria-label="Table">
      {table}
    </div>
  );
}
