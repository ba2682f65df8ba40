/** English month and weekday names, in order. Weeks start on Monday. */
export const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;
export const weekdayNames = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

const minNameLength = 3;
const otherShortForms: Readonly<Record<string, string>> = {
  sept: "september",
  tues: "tuesday",
  weds: "wednesday",
  thur: "thursday",
  thurs: "thursday",
};

/** The number, starting at 1, of a name or its short form ("nov", "november"). Case doesn't matter. */
export function findNameNumber(names: readonly string[], text: string): number | undefined {
  const name = otherShortForms[text.toLowerCase()] ?? text.toLowerCase();
  const index = names.findIndex(
    (full) => full.toLowerCase() === name || full.slice(0, minNameLength).toLowerCase() === name,
  );
  return index < 0 ? undefined : index + 1;
}
