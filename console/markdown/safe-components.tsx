import type { ComponentProps, ReactNode } from "react";
import type { Components } from "react-markdown";

const safeSchemes = /^(https?|mailto):/i;

/** A link in untrusted text. Only web and mail addresses become links; everything else stays plain text. */
export function SafeLink({ href, children }: Pick<ComponentProps<"a">, "href" | "children">) {
  if (!href || !safeSchemes.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A table that scrolls sideways if it is too wide. With a label, it is a landmark. */
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

/** Renders Markdown without loading anything from the network: images become links. By default, HTML stays text. */
export const safeComponents: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <SafeLink href={typeof src === "string" ? src : undefined}>{alt || "image"}</SafeLink>,
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
  input: ({ checked }) => <span>{checked ? "☑" : "☐"} </span>,
};
