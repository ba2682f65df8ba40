import type { ExtractedText, ExtractionInput } from "../document.ts";
import { ExtractionError } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { parseCharset } from "../encoding/known-encoding.ts";
import { TextBuilder } from "../text-builder.ts";
import { decodeEntities } from "./scan-xml.ts";

/** A paragraph ends after the first sentence that makes it this long, in UTF-16 code units, or without one at twice that. */
const paragraphCharacters = 500;

const timing = /^\s*(?:\d+:)?\d+:\d+[.,]\d+\s+-->/;
/** Blocks of WebVTT that nobody sees (https://www.w3.org/TR/webvtt1/#file-structure). */
const unseen = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)/;
const voice = /^<v(?:\.[^\s>]*)?\s+([^>]+)>/;
const sentenceEnd = /[.!?…。！？]["'”»)]*$/;

/** What is said in a WebVTT or SubRip file, in paragraphs, with its speakers if they are named. Times and numbers of cues are left out. */
export function extractSubtitles(input: ExtractionInput): ExtractedText {
  const builder = new TextBuilder();
  let paragraph = "";
  let speaker: string | undefined;
  let lastLine = "";
  const endParagraph = () => {
    builder.add(paragraph);
    paragraph = "";
  };
  for (const { name, line } of readLines(decodeText(input.bytes, parseCharset(input.contentType)))) {
    // Generated captions that roll up repeat the line above.
    if (line === lastLine) continue;
    lastLine = line;
    const isLong = paragraph.length >= paragraphCharacters;
    if (name !== speaker || (isLong && (sentenceEnd.test(paragraph) || paragraph.length >= 2 * paragraphCharacters)))
      endParagraph();
    if (paragraph === "" && name !== undefined) paragraph = `${name}: ${line}`;
    else paragraph += paragraph === "" ? line : ` ${line}`;
    speaker = name;
  }
  endParagraph();
  if (builder.length === 0) throw new ExtractionError("no_text", "Nothing is said in the subtitles.");
  return builder.build();
}

/** The lines that are shown, in order, each with its speaker. */
function* readLines(text: string): Generator<{ name: string | undefined; line: string }, void, undefined> {
  for (const block of text.split(/(?:\r?\n){2,}/)) {
    if (unseen.test(block)) continue;
    const lines = block.split(/\r?\n/);
    let name: string | undefined;
    for (const shown of lines.slice(lines.findIndex((line) => timing.test(line)) + 1)) {
      name = voice.exec(shown)?.[1]?.trim() ?? name;
      const line = decodeEntities(shown.replaceAll(/<[^>]*>/g, "")).trim();
      if (line !== "") yield { name, line };
    }
  }
}
