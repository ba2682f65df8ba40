import type { Components } from "react-markdown";
import { SafeLink } from "./SafeLink.tsx";
import { ScrollingTable } from "./ScrollingTable.tsx";

/** HTML in a text is shown as text, images as links: nothing is loaded that the user did not ask for. */
export const safeComponents: Components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <SafeLink href={typeof src === "string" ? src : undefined}>{alt || "image"}</SafeLink>,
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
  input: ({ checked }) => <span>{checked ? "☑" : "☐"} </span>,
};
