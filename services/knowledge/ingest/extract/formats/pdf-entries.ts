/** What pdf.js tells of a form's field or of a note on a page. */
interface Annotation {
  subtype?: unknown;
  fieldType?: unknown;
  /** Text, or the chosen ones of `options`. */
  fieldValue?: unknown;
  options?: { exportValue: unknown; displayValue: unknown }[];
  /** What a form calls the field to its reader. */
  alternativeText?: unknown;
  contentsObj?: { str: string };
  hidden?: boolean;
  password?: boolean;
}

/** The text that was typed or chosen in a page's form, each with what it was asked for, and that was written on the page. */
export function entriesOf(annotations: readonly Annotation[]): string[] {
  return annotations.filter(({ hidden, password }) => !hidden && !password).flatMap(entryOf);
}

function entryOf(annotation: Annotation): string[] {
  const { subtype, fieldType, alternativeText, contentsObj } = annotation;
  if (subtype === "FreeText") return [contentsObj?.str ?? ""];
  if (subtype !== "Widget" || (fieldType !== "Tx" && fieldType !== "Ch")) return [];
  const value = shownValue(annotation);
  const label = typeof alternativeText === "string" ? alternativeText.trim() : "";
  return [value.trim() === "" || label === "" ? value : `${label}: ${value}`];
}

function shownValue({ fieldValue, options = [] }: Annotation): string {
  const values = [fieldValue].flat().filter((value) => typeof value === "string");
  const shown = new Map(options.map(({ exportValue, displayValue }) => [exportValue, displayValue]));
  return values.map((value) => shown.get(value) ?? value).join(", ");
}
