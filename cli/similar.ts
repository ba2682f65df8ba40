import { getEditDistance } from "@agent-backends/kit/edit-distance";

/** The known name with the fewest edits, if there are few. Short names are all within two edits of each other. */
export function findSimilar(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((other) => ({ name: other, edits: getEditDistance(name, other) }));
  const [nearest] = distances.sort((one, other) => one.edits - other.edits);
  const isNear = nearest && (nearest.edits <= 1 || (nearest.edits === 2 && nearest.name[0] === name[0]));
  return isNear ? nearest.name : undefined;
}
