import { Temporal } from "temporal-polyfill";
import { quoted, TimeframeError } from "./error.ts";

// Offsets ("+05:00") are not zones, and ICU's own "SystemV/…" entries are not in the IANA database.
const zoneName = /^(?!systemv\/)[a-z][a-z0-9_+-]*(?:\/[a-z0-9_+-]+){0,3}$/i;
const epoch = new Temporal.Instant(0n);

/** Whether {@link parseTimezone} accepts a name. */
export function isTimezone(text: string): boolean {
  try {
    parseTimezone(text);
    return true;
  } catch (error) {
    if (error instanceof TimeframeError) return false;
    throw error;
  }
}

/** Display name of a timezone: "UTC+9" for "Etc/GMT-9", whose sign is inverted in the IANA database. */
export function displayTimezone(name: string): string {
  return name.replace(/^Etc\/GMT([+-])(?=\d)/, (_match, sign) => (sign === "-" ? "UTC+" : "UTC-"));
}

/**
 * Parses a timezone to its IANA name in the usual spelling: "europe/berlin" gives "Europe/Berlin". Links such as "Asia/Calcutta" and
 * "US/Pacific" are kept. Offsets ("UTC+5", "+05:00") are refused.
 *
 * @throws {TimeframeError} `invalid_timezone`
 */
export function parseTimezone(text: string): string {
  const name = text.trim();
  if (zoneName.test(name)) {
    try {
      return epoch.toZonedDateTimeISO(name).timeZoneId;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new TimeframeError(
    "invalid_timezone",
    `The timezone ${quoted(text)} is unknown: use a name of the IANA database such as "America/Los_Angeles", "Europe/Berlin" or "UTC".`,
  );
}
