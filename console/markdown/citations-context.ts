import { createContext } from "react";
import type { NumberedCitation } from "../chat/messages.ts";

/** What an answer's citation marks stand for, and what opens a passage. */
export interface Citations {
  citations: readonly NumberedCitation[];
  onOpen: (citation: NumberedCitation) => void;
}

export const CitationsContext = createContext<Citations>({ citations: [], onOpen: () => undefined });
