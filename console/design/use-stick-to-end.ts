import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useState } from "react";

/** So near to the end counts as being there, in pixels. */
const nearPx = 56;

/** What scrolls an element: itself, or, where it is as high as its content, the page. */
function scrollerOf(element: HTMLElement): Element {
  const scrollsItself = /auto|scroll/.test(getComputedStyle(element).overflowY);
  return scrollsItself ? element : (document.scrollingElement ?? element);
}

/**
 * Keeps the end of what grows in sight, until the user scrolls up; scrolling back to the end takes it up again.
 *
 * @param content what was rendered: each change of it may have moved the end
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: unknown) {
  const [sticks, setSticks] = useState(true);
  useEffect(() => {
    if (!scroller.current) return;
    const element = scrollerOf(scroller.current);
    const target = element === document.scrollingElement ? document : element;
    let lastTop = element.scrollTop;
    const onScroll = () => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < nearPx;
      const movedUp = element.scrollTop < lastTop - 1;
      lastTop = element.scrollTop;
      if (isAtEnd) setSticks(true);
      else if (movedUp) setSticks(false);
    };
    target.addEventListener("scroll", onScroll, { passive: true });
    return () => target.removeEventListener("scroll", onScroll);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the content is not read, but it moves the end
  useLayoutEffect(() => {
    if (!sticks || !scroller.current) return;
    const element = scrollerOf(scroller.current);
    element.scrollTop = element.scrollHeight;
  }, [scroller, sticks, content]);
  return { sticks, stick: () => setSticks(true) };
}
