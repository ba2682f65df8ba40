import { createContext } from "react";
import type { NumberedCitation } from "../conversations/messages.ts";

/** Opens a citation's chunk; `claim` is what the answer says with the mark that was used. */
export type OpenCitation = (citation: NumberedCitation, claim?: string) => void;

/** What an answer's citation marks stand for, and what opens a chunk. */
export interface Citations {
  citations: readonly NumberedCitation[];
  onOpen: OpenCitation;
}

export const CitationsContext = createContext<Citations>({ citations: [], onOpen: () => undefined });
