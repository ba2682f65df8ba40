import { use } from "react";
import { CitationChip } from "./CitationChip.tsx";
import { CitationsContext } from "./citations-context.ts";

/** A citation mark in a text. */
export function CitationMark({ number, claim }: { number?: number | string; claim?: string }) {
  const { citations, onOpen } = use(CitationsContext);
  const citation = citations.find(({ n }) => n === Number(number));
  return citation && <CitationChip citation={citation} onOpen={() => onOpen(citation, claim)} />;
}
