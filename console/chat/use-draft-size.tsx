import type { ClipboardEvent } from "react";
import { useState } from "react";
import { Notice } from "../design/Notice.tsx";
import type { MessageSize } from "./message-size.ts";

/** Describes the size of the text in the composer, and refuses a paste that would make it too long to be sent. */
export function useDraftSize(draft: string, describe: (text: string) => MessageSize | undefined) {
  const [refusedPaste, setRefusedPaste] = useState<string>();
  const size = describe(draft);
  return {
    isTooLong: size?.isTooLong === true,
    /** Call this when the text has changed. */
    clear: () => setRefusedPaste(undefined),
    /** Refuses long texts, which the browser would take minutes to insert. */
    onPaste(event: ClipboardEvent) {
      const pasted = describe(draft + event.clipboardData.getData("text/plain"));
      setRefusedPaste(pasted?.isTooLong ? pasted.note : undefined);
      if (pasted?.isTooLong) event.preventDefault();
    },
    notices: (
      <div className="chat-notices" role="status">
        {refusedPaste && <Notice>Nothing was pasted. {refusedPaste}</Notice>}
        {size && (size.isTooLong ? <Notice>{size.note}</Notice> : <p className="muted small">{size.note}</p>)}
      </div>
    ),
  };
}
