import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { RouteOptions } from "../route.ts";
import { readMessage } from "../route.ts";
import type { Class } from "./classifier.ts";
import { classes } from "./classifier.ts";
import { toFeatures } from "./features.ts";
import type { Example } from "./train.ts";

const folder = `${import.meta.dirname}/../examples`;

/** A message with its class and known parameters. */
export interface LabelledMessage {
  label: Class;
  message: string;
  /** Name of the file that contains the message. */
  file: string;
  options: RouteOptions;
  /** For example "limit 5" or "timeframe last week". */
  parameters: string[];
}

/**
 * Reads the labelled messages of the files in `examples`: by language, mixed, and of writers who had not seen the routing. A line in
 * brackets is the class of the lines below it. A line is a message, or parameters, " | " and a message; "now" and "zone" are parameters
 * too. Their defaults are Friday, 2026-11-20T12:00:00Z, and UTC. File names help people find a line, and let the cross-validation leave
 * out all messages of one writer.
 */
export function readLabelledMessages(): LabelledMessage[] {
  return globSync("*/*.txt", { cwd: folder })
    .map((path) => ({ file: basename(path), text: readFileSync(`${folder}/${path}`, "utf8") }))
    .sort((one, other) => (one.file < other.file ? -1 : 1))
    .flatMap(({ file, text }) => parse(file, text));
}

/** The features of labelled messages as written. */
export function readExamples(messages: readonly LabelledMessage[]): Example[] {
  return messages.map(({ label, message, options }) => ({
    label,
    features: toFeatures(readMessage(message, options)),
  }));
}

/** Adds a variant of each message: without its final punctuation, or with some if it has none. Users often leave it out. */
export function addVariants(messages: readonly LabelledMessage[]): LabelledMessage[] {
  return messages.flatMap((labelled) => {
    const bare = labelled.message.replace(/[\s?!.。！？]+$/u, "");
    return [labelled, { ...labelled, message: bare === labelled.message ? `${bare}.` : bare }];
  });
}

function parse(file: string, text: string): LabelledMessage[] {
  let label: Class = "advice";
  return text.split("\n").flatMap((line) => {
    const [, section] = /^\[(\w+)\]$/.exec(line) ?? [];
    if (section !== undefined) label = parseClass(section, file);
    if (section !== undefined || line === "" || line.startsWith("# ")) return [];
    const [, listed = "", message = ""] = /^(?:(.*?) \| )?(.*)$/.exec(line) ?? [];
    const fields = listed === "" ? [] : listed.split(", ");
    const { now = "2026-11-20T12:00:00Z", zone = "UTC" } = Object.fromEntries(fields.map((field) => field.split(" ")));
    const parameters = fields.filter((field) => !/^(?:now|zone) /.test(field));
    return [{ label, file, message, options: { now: new Date(now), timezone: zone }, parameters }];
  });
}

function parseClass(name: string, file: string): Class {
  const known = classes.find((each) => each === name);
  if (known === undefined) throw new Error(`${file}: [${name}] is none of ${classes.join(", ")}`);
  return known;
}
