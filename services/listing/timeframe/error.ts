/** Why a timeframe or its timezone was refused. */
export type TimeframeErrorCode = "invalid_timeframe" | "invalid_date" | "inverted_range" | "invalid_timezone";

/** A timeframe or timezone that can't be resolved. `message` is one sentence that a user can act on. */
export class TimeframeError extends Error {
  readonly code: TimeframeErrorCode;

  constructor(code: TimeframeErrorCode, message: string) {
    super(message);
    this.name = "TimeframeError";
    this.code = code;
  }
}

const maxQuoteCharacters = 60;

/** Puts `text` in quotes, truncated to fit into a sentence. */
export function quoted(text: string): string {
  const characters = [...text.trim()];
  const short =
    characters.length > maxQuoteCharacters
      ? `${characters.slice(0, maxQuoteCharacters).join("")}…`
      : characters.join("");
  return `"${short}"`;
}
