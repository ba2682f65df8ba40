import type { ReactNode } from "react";

/** A table that scrolls by itself where the page is too narrow for it. */
export function ScrollingTable({ children, label = "Table" }: { children: ReactNode; label?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="table-frame" aria-label={label} tabIndex={0}>
      <table>{children}</table>
    </section>
  );
}
