/** Finds click targets smaller than 36 px, except links within text. Runs in the page. */
export function findSmallTargets(): string[] {
  const minPx = 36;
  const reach = minPx / 2 - 1;
  const interactive = "a[href], button, input, select, textarea, summary, [role=option], [role=switch]";
  const scope = document.querySelector("dialog[open]") ?? document;
  return [...scope.querySelectorAll<HTMLElement>(interactive)].flatMap((element) => {
    const isInText = element.matches("a") && getComputedStyle(element).display === "inline";
    const target = (element.matches("input") && element.closest("label")) || element;
    if (isInText || !target.checkVisibility({ visibilityProperty: true })) return [];
    target.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = target.getBoundingClientRect();
    // The target is hidden until it has the focus.
    if (width <= 1 || getComputedStyle(target).clipPath !== "none") return [];
    const [x, y] = [left + width / 2, top + height / 2];
    const hits = (dx: number, dy: number) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return hit !== null && (target.contains(hit) || hit.closest("label") === target);
    };
    const isWide = width >= minPx || (hits(-reach, 0) && hits(reach, 0));
    const isHigh = height >= minPx || (hits(0, -reach) && hits(0, reach));
    const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40);
    return isWide && isHigh ? [] : [`${element.tagName} "${name}": ${Math.round(width)} × ${Math.round(height)}`];
  });
}
