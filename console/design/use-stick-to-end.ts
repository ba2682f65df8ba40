import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useState } from "react";

/** So near to the end counts as being there, in pixels. */
const nearPx = 56;

/** What scrolls an element: itself, or the page, where that may be; undefined where it is something else. */
function scrollerOf(element: HTMLElement | null, orPage: boolean): Element | undefined {
  if (element && /auto|scroll/.test(getComputedStyle(element).overflowY)) return element;
  return (orPage && document.scrollingElement) || undefined;
}

/**
 * Keeps the end of what grows in sight, until the user scrolls up; scrolling back to the end takes it up again.
 *
 * @param content what was rendered: each change of it may have moved the end. While it is undefined there is nothing to
 *   follow: the top is shown.
 * @param orPage whether the page is scrolled where the element doesn't scroll by itself
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: unknown, orPage = false) {
  const [sticks, setSticks] = useState(true);
  const isEmpty = content === undefined;
  useEffect(() => {
    const element = isEmpty ? undefined : scrollerOf(scroller.current, orPage);
    if (!element) return;
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
    const element = sticks ? scrollerOf(scroller.current, orPage) : undefined;
    if (element) element.scrollTop = isEmpty ? 0 : element.scrollHeight;
  }, [scroller, sticks, content, orPage]);
  return { sticks, stick: () => setSticks(true) };
}
