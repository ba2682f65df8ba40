import type { TextItem } from "./reading-order.ts";

/** The edges of a page, in points: left, bottom, right, top. */
type Edges = readonly number[];

/** Text items whose lines go to the right, and the lower and upper edge of their page. */
interface UprightText {
  items: TextItem[];
  bottom: number;
  top: number;
}

/**
 * Turns a page on which most letters don't stand upright, such as a wide table on a page that its program turned. The page's own
 * rotation doesn't matter: it may turn such text upright, or upright text sideways.
 */
export function turnUpright(items: TextItem[], [left = 0, bottom = 0, right = 0, top = 0]: Edges): UprightText {
  const lengths = [0, 0, 0, 0];
  for (const { str, transform } of items) {
    const quarter = countQuarters(transform);
    lengths[quarter] = (lengths[quarter] ?? 0) + str.trim().length;
  }
  const quarters = lengths.indexOf(Math.max(...lengths));
  if (quarters === 0) return { items, bottom, top };
  const turned = items.map((item) => ({ ...item, transform: turn(item.transform, quarters) }));
  const corners = [
    [1, 0, 0, 1, left, bottom],
    [1, 0, 0, 1, right, top],
  ];
  const heights = corners.map((corner) => turn(corner, quarters)[5] ?? 0);
  return { items: turned, bottom: Math.min(...heights), top: Math.max(...heights) };
}

/** How often the text's direction is turned by 90° counterclockwise. */
const countQuarters = ([a = 0, b = 0]: readonly number[]): number =>
  Math.abs(a) >= Math.abs(b) ? (a < 0 ? 2 : 0) : b > 0 ? 1 : 3;

/** Turns a position and its axes clockwise. */
function turn(transform: readonly number[], quarters: number): number[] {
  let turned = [...transform];
  for (let count = 0; count < quarters; count++) {
    const [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0] = turned;
    turned = [b, -a, d, -c, y, -x];
  }
  return turned;
}
