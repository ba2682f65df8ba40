export { ownTurn } from "./own-turn.ts";
export { largeBodyTurns, streamInTurn } from "./paced-turns.ts";
