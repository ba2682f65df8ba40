import { useState } from "react";

/** From this width on the panel has a place beside the conversation. */
const wide = "(min-width: 1180px)";

const key = "wire";

/** Whether the wire panel is open: as the user left it in this tab, at first where the window is wide. */
export function useWireOpen(): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setIsOpen] = useState(() => {
    const isWide = matchMedia(wide).matches;
    return isWide && sessionStorage.getItem(key) !== "closed";
  });
  return [
    isOpen,
    (next) => {
      sessionStorage.setItem(key, next ? "open" : "closed");
      setIsOpen(next);
    },
  ];
}
