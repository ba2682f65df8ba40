import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useState } from "react";

/** So near to the end counts as being there, in pixels. */
const nearPx = 56;

/**
 * Keeps the end of what grows in sight, until the user scrolls up; scrolling back to the end takes it up again.
 *
 * @param content what was rendered: each change of it may have moved the end
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: unknown) {
  const [sticks, setSticks] = useState(true);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    let lastTop = element.scrollTop;
    const onScroll = () => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
      const movedUp = element.scrollTop < lastTop - 1;
      lastTop = element.scrollTop;
      if (isAtEnd) setSticks(true);
      else if (movedUp) setSticks(false);
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => element.removeEventListener("scroll", onScroll);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is not read, but it moves the end
  useLayoutEffect(() => {
    const element = scroller.current;
    if (sticks && element) element.scrollTop = element.scrollHeight;
  }, [scroller, sticks, content]);
  return { sticks, stick: () => setSticks(true) };
}
