/** The meaning of a cell's number, according to its number format. */
export type DateKind = "date" | "time" | "date and time" | "duration";

const dayMs = 86_400_000;

/** Day 0 of each date system, in days since 1970 (ECMA-376 part 1, 18.17.4.1). */
const epochDays = { 1900: -25_569, 1904: -24_107 };

/** 9999-12-31 in the 1900 system, the last valid day. */
const maxSerial = 2_958_465;

/** Number formats that a workbook doesn't need to define (ECMA-376 part 1, 18.8.30), including those of East Asian languages. */
const builtIn: Readonly<Record<number, DateKind>> = {
  ...Object.fromEntries([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, "date"])),
  ...Object.fromEntries([18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56].map((id) => [id, "time"])),
  22: "date and time",
  46: "duration",
};

/** Maximum length of a format code in Excel. The limit is needed because the patterns below take quadratic time. */
const maxCodeCharacters = 255;

/** The kind of date that a format shows, if any. `code` is the workbook's own definition of `id`, if there is one. */
export function parseDateKind(id: number, code: string | undefined): DateKind | undefined {
  if (code === undefined) return builtIn[id];
  // Drop literals, colours, conditions and locales. Only the first section matters; the others are for negatives, zero and text.
  const bare = code
    .slice(0, maxCodeCharacters)
    .replace(/"[^"]*"|\\.|_.|\*./g, "")
    .replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, "");
  const letters = (bare.split(";")[0] ?? "").toLowerCase().replace(/am\/pm|a\/p/g, "h");
  if (/\[[hms]+\]/.test(letters)) return "duration";
  if (/general/.test(letters) || /[0#?]/.test(letters.replace(/s[.,]0+/g, "s"))) return undefined;
  const hasTime = /[hs]/.test(letters);
  const hasDate = /[yd]/.test(letters) || (/m/.test(letters) && !hasTime);
  if (hasDate) return hasTime ? "date and time" : "date";
  return hasTime ? "time" : undefined;
}

/**
 * Formats a serial number in ISO 8601: `2024-03-01`, `2024-03-01 13:30:00`, `13:30:00`, and a duration in hours, `30:15:00`. Returns
 * undefined for an invalid date.
 */
export function formatDate(serial: number, kind: DateKind, system: 1900 | 1904): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial > maxSerial) return undefined;
  const seconds = Math.round(serial * 86_400);
  if (kind === "duration") return clock(seconds);
  const time = clock(seconds % 86_400);
  if (kind === "time" && serial < 1) return time;
  // The 1900 system has a 29 February 1900, which didn't exist.
  const days = Math.floor(seconds / 86_400) + (system === 1900 && serial < 60 ? 1 : 0);
  const date = new Date((days + epochDays[system]) * dayMs).toISOString().slice(0, 10);
  if (kind === "time") return `${date} ${time}`;
  return kind === "date" || seconds % 86_400 === 0 ? date : `${date} ${time}`;
}

function clock(seconds: number): string {
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, "0")).join(":");
}
