import { segmenter } from "./words.ts";

/** Offsets into a text, in UTF-16 code units; `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** The smallest meaningful part of a text. */
export interface TextUnit extends Range {
  kind: "heading" | "sentence" | "item" | "header" | "row";
  /** Number of the paragraph, list or table that contains the unit. */
  block: number;
}

interface Line extends Range {
  text: string;
}

const headingLine = /^\s*#{1,6}\s+/;
const tableRow = /^\s*\|/;
const delimiterRow = /^\s*\|?[\s:|-]*-[\s:|-]*$/;
const fenceLine = /^\s*(?:`{3,}|~{3,})/;
const frontMatterBegin = /^---\s*$/;
const frontMatterEnd = /^(?:---|\.\.\.)\s*$/;
const titleOfFrontMatter = /^title:\s*/;
const yamlComment = /^\s*#/;
const yamlLine = /^\s*(?:$|["']?[\w .-]+["']?:(?:\s|$)|- |#)|^\s+\S/;
/** Separators in CSV and TSV. In a sentence, a comma or semicolon is followed by a space. */
const separators = [/;(?!\s|$)|;(?=\s*;)|(?<=;.*);$/g, /\t/g, /,(?!\s)/g];
const minSeparators = 2;
/**
 * Minimum number of lines for records with a single separator. All lines of the last paragraph must be such records. In prose the separator
 * is a decimal comma.
 */
const minLinesOfTwoColumns = 3;
/** A record of separated values with line breaks inside a quoted value, up to the end of the line. */
const brokenRecord =
  /(?:(?:"(?:[^"\n]|""){0,1000}"|[^"\n;,\t]{0,1000})[;,\t]){0,100}"(?:[^"\n]|""){0,1000}\n(?:[^"]|""){0,1000}"[;,\t][^\n]*/y;
const quoteMarker = /^\s*(?:>\s?)+/;
/** For example a question in a list of questions and answers. */
const sentenceEnd = /[.!?…]\s*$/;
const beginsBold = /^\s*(?:\*\*|__)\S/;
const listMarker = /^\s*(?:[-*+•▪◦‣–＊●○■]|\(?(?:\d{1,3}|[a-z])[.)])\s+/;

/** The rest of references such as "[15]", "[3][b]" or "[^1]" after a sentence. Intl.Segmenter splits after the bracket. */
const cutReference = /^(?:\d{1,3}|[a-z]|\^[\w-]{1,30})\](?:\[(?:\d{1,3}|[a-z]|\^[\w-]{1,30})\])*/;
const maxReferenceCharacters = 40;

/** A line shorter than this fraction of a full line was ended by its author, not by the typesetter. */
const minFullLinePart = 0.5;
/** Shorter lines are rows of a form rather than wrapped prose. */
const minTypesetLength = 45;

/** Endings that look like the end of a sentence but rarely are: an abbreviation, an initial or an ordinal. */
const unfinished =
  /(?:^|[\s(„"“])(?:(?<!\d\s?)\p{L}|(?<!(?:[–-]|(?<!\p{L})(?:a|to|at|until|alle|às|e as|tot|las|les|à))\s)\d{1,2}|(?:\p{L}\.\s?)+\p{L}|dr|mr|mrs|ms|prof|st|nos?|nr|vs|cf|bzw|ca|evtl|ggf|inkl|abs|art|kap|bd|abb|tab|figs?|vol|ed|pp?|sra?|dra?|núm|pág|mme|mlle|approx|jr|sr|tel|tél|fax|ext|hr|fr|max|mind|zzgl|\p{L}*str)\.\s*$/iu;

/** Intl.Segmenter splits an address after the "?" before its query. */
const insideAddress = /https?:\/\/\S*[?!]$/;
const maxAddressCharacters = 500;

/**
 * Splits plain text or Markdown in any script into headings, sentences, list items and table rows. Code counts as text. Markers of headings
 * and list items are left out. Lines wrapped by a typesetter form one paragraph. Lines of front matter are separate items, and its title is
 * a heading.
 */
export function splitUnits(text: string): TextUnit[] {
  const units: TextUnit[] = [];
  let block = 0;
  let paragraph: Line[] = [];
  let kind: "sentence" | "item" = "sentence";
  const endParagraph = () => {
    for (const range of splitSentences(text, paragraph)) units.push({ ...range, kind, block });
    paragraph = [];
  };
  const beginBlock = (next: TextUnit["kind"]) => {
    endParagraph();
    const last = units.at(-1)?.kind;
    const continues = next === "item" ? last === "item" : next === "row" && (last === "row" || last === "header");
    if (!continues) block += 1;
  };
  const all = [...splitLines(text)];
  const frontMatter = findFrontMatter(all);
  for (const { start, end, text: line } of frontMatter) {
    if (yamlComment.test(line)) continue;
    const [title] = titleOfFrontMatter.exec(line) ?? [];
    units.push({
      start: start + (title?.length ?? 0),
      end,
      kind: title === undefined ? "item" : "heading",
      block: block++,
    });
  }
  const lines = all.slice(frontMatter.length);
  const records = findRecords(lines);
  for (const line of lines) {
    const [marker = ""] = (headingLine.exec(line.text) ?? listMarker.exec(line.text)) || [];
    if (line.text.trim() === "" || fenceLine.test(line.text)) {
      endParagraph();
    } else if (headingLine.test(line.text)) {
      beginBlock("heading");
      units.push({ start: line.start + marker.length, end: line.end, kind: "heading", block });
    } else if (tableRow.test(line.text)) {
      const last = units.at(-1);
      if (!delimiterRow.test(line.text)) {
        beginBlock("row");
        units.push({ start: line.start, end: line.end, kind: "row", block });
      } else if (last?.kind === "row") last.kind = "header";
    } else if (records.has(line)) {
      const isFirst = records.get(line) === line;
      const last = units.at(-1)?.kind;
      if (isFirst && (last === "row" || last === "header")) block += 1;
      beginBlock("row");
      units.push({ start: line.start, end: line.end, kind: isFirst ? "header" : "row", block });
    } else if (marker !== "") {
      beginBlock("item");
      kind = "item";
      paragraph.push({ ...line, start: line.start + marker.length, text: line.text.slice(marker.length) });
    } else {
      if (paragraph.length === 0) {
        beginBlock("sentence");
        kind = "sentence";
      }
      const [quote = ""] = quoteMarker.exec(line.text) ?? [];
      paragraph.push({ ...line, start: line.start + quote.length, text: line.text.slice(quote.length) });
    }
  }
  endParagraph();
  return units.flatMap((unit) => trimUnit(text, unit));
}

/** The lines of a Markdown file's front matter, including the dashes around it. A horizontal rule is not front matter: prose follows it. */
function findFrontMatter(lines: readonly Line[]): readonly Line[] {
  if (!frontMatterBegin.test(lines[0]?.text ?? "")) return [];
  const last = lines.findIndex(({ text }, index) => index > 0 && !yamlLine.test(text));
  return frontMatterEnd.test(lines[last]?.text ?? "") ? lines.slice(0, last + 1) : [];
}

function* splitLines(text: string): Generator<Line, void, undefined> {
  for (let start = 0; start <= text.length; ) {
    const newline = text.indexOf("\n", start);
    brokenRecord.lastIndex = start;
    const end = brokenRecord.test(text) ? brokenRecord.lastIndex : newline === -1 ? text.length : newline;
    yield { start, end, text: text.slice(start, end) };
    start = end + 1;
  }
}

/**
 * Maps each line of separated values to the first line of its records. All records have the same number of one separator: a price such as
 * "2,80" in a file with semicolons doesn't matter.
 */
function findRecords(lines: readonly Line[]): Map<Line, Line> {
  const records = new Map<Line, Line>();
  const counts = lines.map(({ text }) => countSeparators(text));
  const last = lines.findLastIndex(({ text }) => text.trim() !== "") + 1;
  for (let start = 0, end = 0; start < lines.length; start = end) {
    end = start + 1;
    const [first = [], second = []] = counts.slice(start, start + 2);
    const beginsParagraph = start === 0 || lines[start - 1]?.text.trim() === "";
    const shared = [...first.keys()].filter((index) => first[index] !== 0 && first[index] === second[index]);
    const runs = shared.map((index) => {
      const other = counts.findIndex((count, line) => line > start && count[index] !== first[index]);
      return { count: first[index] ?? 0, end: other < 0 ? lines.length : other };
    });
    const isTable = (run: { count: number; end: number }) =>
      run.count >= minSeparators || (beginsParagraph && run.end === last && run.end - start >= minLinesOfTwoColumns);
    const [longest] = runs.filter(isTable).sort((one, other) => other.end - one.end);
    const begin = lines[start];
    if (longest === undefined || begin === undefined) continue;
    end = longest.end;
    for (const line of lines.slice(start, end)) records.set(line, begin);
  }
  return records;
}

/** Counts each separator of a line outside of quotation marks. */
function countSeparators(line: string): number[] {
  const unquoted = line.replace(/"(?:[^"]|"")*"/g, "").trimEnd();
  return separators.map((separator) => unquoted.match(separator)?.length ?? 0);
}

function splitSentences(text: string, lines: readonly Line[]): Range[] {
  const [first] = lines;
  if (first === undefined) return [];
  const { start } = first;
  const sentences: Range[] = [];
  let isUnfinished = false;
  for (const { segment, index } of segmenter("sentence").segment(joinLines(text, lines))) {
    const last = sentences.at(-1);
    const begin = start + index;
    const end = begin + segment.length;
    const [reference = ""] =
      text[begin - 1] === "[" ? (cutReference.exec(text.slice(begin, begin + maxReferenceCharacters)) ?? []) : [];
    if (last && isUnfinished) last.end = end;
    else {
      if (last) last.end += reference.length;
      sentences.push({ start: begin + reference.length, end });
    }
    isUnfinished =
      (unfinished.test(segment) && !segment.endsWith("\n")) || insideAddress.test(segment.slice(-maxAddressCharacters));
  }
  return sentences;
}

/** Replaces line breaks of a typesetter with spaces. All offsets stay the same. */
function joinLines(text: string, lines: readonly Line[]): string {
  const minLength = Math.max(minTypesetLength, estimateFullLine(lines) * minFullLinePart);
  return lines
    .map((line, position) => {
      const next = lines[position + 1];
      if (next === undefined) return line.text;
      const isWrapped =
        (line.text.length >= minLength && !(sentenceEnd.test(line.text) && beginsBold.test(next.text))) ||
        /^\s*\p{Ll}/u.test(next.text);
      // Between two lines of a quote is its marker.
      const gap = text.slice(line.end, next.start).length;
      return line.text + (isWrapped ? " " : "\n").padEnd(gap);
    })
    .join("");
}

/**
 * Estimates a full line as the 70th percentile of the lengths. The longest lines may consist of several lines that were joined when hyphens
 * were removed.
 */
function estimateFullLine(lines: readonly Line[]): number {
  const lengths = lines.map((line) => line.text.length).sort((a, b) => a - b);
  return lengths[Math.round((lengths.length - 1) * 0.7)] ?? 0;
}

function trimUnit(text: string, unit: TextUnit): TextUnit[] {
  const whole = text.slice(unit.start, unit.end);
  if (!/[\p{L}\p{N}]/u.test(whole)) return [];
  const start = unit.start + whole.length - whole.trimStart().length;
  return [{ ...unit, start, end: start + whole.trim().length }];
}
