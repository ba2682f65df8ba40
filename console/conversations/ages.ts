const dayMs = 86_400_000;
const times = new Intl.DateTimeFormat("en", { timeStyle: "short" });
const dates = new Intl.DateTimeFormat("en", { day: "numeric", month: "short" });
const datesOfYears = new Intl.DateTimeFormat("en", { dateStyle: "medium" });

/** Where a moment stands in a list that is ordered by time: under Today, Yesterday, Last 7 days or Older. */
export function ageOf(atMs: number, nowMs: number): string {
  const midnight = new Date(nowMs).setHours(0, 0, 0, 0);
  if (atMs >= midnight) return "Today";
  if (atMs >= new Date(midnight - dayMs / 2).setHours(0, 0, 0, 0)) return "Yesterday";
  return atMs >= midnight - 7 * dayMs ? "Last 7 days" : "Older";
}

/** A moment in few letters: the time of today, else the day. */
export function shortTime(atMs: number, nowMs: number): string {
  if (ageOf(atMs, nowMs) === "Today") return times.format(atMs);
  const isThisYear = new Date(atMs).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? dates : datesOfYears).format(atMs);
}
