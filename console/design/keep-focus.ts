const focusable = "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";

const findFocusable = (within: ParentNode): HTMLElement[] =>
  [...within.querySelectorAll<HTMLElement>(focusable)].filter((element) => element.checkVisibility());

/**
 * When the focused element is removed, such as with the row of a list, moves the focus to its neighbour: the same control of the next
 * row, else of the previous one, else the nearest ancestor that has something to focus. Browsers would move it to the body, from where
 * the user of a keyboard has to start again.
 */
export function keepFocus(root: HTMLElement): void {
  let focused: HTMLElement | undefined;
  addEventListener("focusin", ({ target }) => {
    focused = target as HTMLElement;
  });
  addEventListener("focusout", ({ target }) => {
    // Some browsers also send this event for a removed element, which is disconnected once the page's script has run.
    queueMicrotask(() => {
      if (target === focused && focused?.isConnected) focused = undefined;
    });
  });
  new MutationObserver((records) => {
    if (!focused || focused.isConnected || document.activeElement !== document.body) return;
    for (const { removedNodes, nextSibling, previousSibling, target } of records) {
      const removed = [...removedNodes].find((node) => node.contains(focused ?? null));
      if (!(removed instanceof Element)) continue;
      const position = [...removed.querySelectorAll(focusable)].indexOf(focused);
      for (const sibling of [nextSibling, previousSibling]) {
        if (!(sibling instanceof HTMLElement) || !sibling.isConnected) continue;
        const inside = sibling.matches(focusable) ? [sibling] : findFocusable(sibling);
        if (inside.length > 0) return (inside[position] ?? inside.at(-1))?.focus({ preventScroll: true });
      }
      let ancestor: Node | null = target;
      while (ancestor instanceof HTMLElement && root.contains(ancestor)) {
        const main: HTMLElement | null = ancestor.querySelector("main");
        const found = main ?? (ancestor.matches(focusable) ? ancestor : findFocusable(ancestor)[0]);
        if (found) return found.focus({ preventScroll: true });
        ancestor = ancestor.parentNode;
      }
    }
  }).observe(root, { childList: true, subtree: true });
}
