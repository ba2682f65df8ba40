import { useEffect } from "react";
import type { ChatSession } from "./chat-session.ts";

/** Escape stops the answer, unless something that is open takes it. */
export function useStopOnEscape(running: boolean, session: ChatSession): void {
  useEffect(() => {
    if (!running) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isTaken = event.defaultPrevented || document.querySelector("dialog[open], :popover-open");
      if (event.key === "Escape" && !isTaken) session.stop();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [running, session]);
}
