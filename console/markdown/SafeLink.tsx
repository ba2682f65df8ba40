import type { ComponentProps } from "react";

const safeSchemes = /^(https?|mailto):/i;

/** A link of a text that nobody vouches for: to the web or to a mailbox, else only its words. */
export function SafeLink({ href, children }: Pick<ComponentProps<"a">, "href" | "children">) {
  if (!href || !safeSchemes.test(href)) return <span>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}
