/** A form field or a note on a page, in pdf.js's format. */
export interface Annotation {
  subtype?: unknown;
  fieldType?: unknown;
  /** The typed text, or the export values of the chosen `options`. */
  fieldValue?: unknown;
  options?: { exportValue: unknown; displayValue: unknown }[];
  /** The label that readers see. */
  alternativeText?: unknown;
  contentsObj?: { str: string };
  hidden?: boolean;
  password?: boolean;
}

/** The form entries of a page, each with its label, and the page's free text annotations. */
export function readEntries(annotations: readonly Annotation[]): string[] {
  return annotations.filter(({ hidden, password }) => !hidden && !password).flatMap(readEntry);
}

function readEntry(annotation: Annotation): string[] {
  const { subtype, fieldType, alternativeText, contentsObj } = annotation;
  if (subtype === "FreeText") return [contentsObj?.str ?? ""];
  if (subtype !== "Widget" || (fieldType !== "Tx" && fieldType !== "Ch")) return [];
  const value = formatValue(annotation);
  const label = typeof alternativeText === "string" ? alternativeText.trim() : "";
  return [value.trim() === "" || label === "" ? value : `${label}: ${value}`];
}

function formatValue({ fieldValue, options = [] }: Annotation): string {
  const values = [fieldValue].flat().filter((value) => typeof value === "string");
  const shown = new Map(options.map(({ exportValue, displayValue }) => [exportValue, displayValue]));
  return values.map((value) => shown.get(value) ?? value).join(", ");
}
