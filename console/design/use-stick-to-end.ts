import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useState } from "react";

/** Scroll positions this close to the end count as the end, in pixels. */
const endTolerancePx = 56;

/** The element itself if it scrolls, else the page if `orPage` allows it. */
function findScroller(element: HTMLElement | null, orPage: boolean): Element | undefined {
  if (element && /auto|scroll/.test(getComputedStyle(element).overflowY)) return element;
  return (orPage && document.scrollingElement) || undefined;
}

/**
 * Keeps the end of growing content visible until the user scrolls up, and again once they scroll back to the end.
 *
 * @param content the rendered content; each change may have moved the end. Undefined means empty, and shows the top.
 * @param orPage scroll the page if the element itself doesn't scroll
 */
export function useStickToEnd(scroller: RefObject<HTMLElement | null>, content: unknown, orPage = false) {
  const [sticks, setSticks] = useState(true);
  const isEmpty = content === undefined;
  useEffect(() => {
    const element = isEmpty ? undefined : findScroller(scroller.current, orPage);
    if (!element) return;
    const target = element === document.scrollingElement ? document : element;
    let lastTop = element.scrollTop;
    const onScroll = () => {
      const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < endTolerancePx;
      const movedUp = element.scrollTop < lastTop - 1;
      lastTop = element.scrollTop;
      if (isAtEnd) setSticks(true);
      else if (movedUp) setSticks(false);
    };
    target.addEventListener("scroll", onScroll, { passive: true });
    return () => target.removeEventListener("scroll", onScroll);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the content moves the end
  useLayoutEffect(() => {
    const element = sticks ? findScroller(scroller.current, orPage) : undefined;
    if (element) element.scrollTop = isEmpty ? 0 : element.scrollHeight;
  }, [scroller, sticks, content, orPage]);
  return { sticks, stick: () => setSticks(true) };
}
