import { isUtf8 } from "node:buffer";
import type { Address, Attachment, Email } from "postal-mime";
import PostalMime from "postal-mime";
import { normaliseText } from "../../normalise.ts";
import type { ExtractedText, ExtractionInput, ExtractionLimits, ExtractorContext } from "../document.ts";
import { ExtractionError, requireTextWithinLimit } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { parseCharset } from "../encoding/known-encoding.ts";
import { TextBuilder } from "../text-builder.ts";
import { readFragment } from "./html.ts";
import { toOneLine } from "./markdown-parts.ts";

/** Maximum nesting depth of a message's parts. Mail programs need fewer than ten. */
const maxNestedParts = 50;

const maxHeaderBytes = 1024 * 1024;

const maxAttachments = 100;

/** Minimum length of a text relative to its HTML alternative. A much shorter text only says that there is an HTML version. */
const minTextShare = 0.5;

/** Writes addresses as "Ann Lee <ann@a.example>, team@a.example". */
function formatAddresses(addresses: readonly Address[]): string {
  return addresses
    .map(({ name, address, group }) => {
      if (group !== undefined) return `${name}: ${formatAddresses(group)}`;
      return name && name !== address ? `${name} <${address}>` : (address ?? "");
    })
    .join(", ");
}

/** An e-mail message: its main headers as lines, its body, then the text of its attachments, each below its name. */
export async function extractEmail(
  input: ExtractionInput,
  limits: ExtractionLimits,
  { readInner }: ExtractorContext,
): Promise<ExtractedText> {
  const email = await PostalMime.parse(withReadableHeaders(withoutMailboxLine(input.bytes)), {
    attachmentEncoding: "arraybuffer",
    maxNestingDepth: maxNestedParts,
    maxHeadersSize: maxHeaderBytes,
  });
  if (isEncrypted(email)) {
    throw new ExtractionError("encrypted", "The e-mail is encrypted; decrypt it and send it again.");
  }
  const title = email.subject?.trim() || undefined;
  const builder = new TextBuilder();
  builder.add(formatHeaders(email));
  builder.add(readBody(email));
  if (builder.length === 0) throw new ExtractionError("no_text", "The e-mail holds no text.");
  for (const [index, attachment] of email.attachments.entries()) {
    if (index === maxAttachments) {
      throw new ExtractionError(
        "too_large",
        `The e-mail has more than ${maxAttachments} attachments; send them one by one.`,
      );
    }
    await addAttachment(builder, attachment, readInner);
    requireTextWithinLimit(builder.length, limits);
  }
  const { text, marks } = builder.build();
  return { text, title, marks };
}

/**
 * Removes the line "From sender date", which separates messages in a mailbox file (RFC 4155). A message copied from such a file keeps
 * it.
 */
function withoutMailboxLine(bytes: Uint8Array): Uint8Array {
  const isMailbox = Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "From ";
  return isMailbox ? bytes.subarray(bytes.indexOf(0x0a) + 1) : bytes;
}

/**
 * Converts headers to UTF-8. Headers are ASCII or UTF-8 (RFC 6532), but old programs write them in the body's encoding or in an
 * undeclared one.
 */
function withReadableHeaders(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, maxHeaderBytes)).toString("latin1");
  const headers = bytes.subarray(0, /\r?\n\r?\n/.exec(start)?.index ?? start.length);
  if (isUtf8(headers)) return bytes;
  return Buffer.concat([Buffer.from(decodeText(headers, parseCharset(start))), bytes.subarray(headers.length)]);
}

/** The sender's local time with its UTC offset, in the form that mail programs show. */
function formatDate({ headers, date = "" }: Email): string {
  const sent = headers.find(({ key }) => key === "date")?.value ?? "";
  const [, sign, hours, minutes] = /([+-])(\d{2})(\d{2})\s*(?:\([^()]*\)\s*)?$/.exec(sent) ?? [];
  // Keep an unreadable date as it was sent.
  if (hours === undefined || !/^\d{4}-\d\d-\d\dT/.test(date)) return date;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  return `${new Date(Date.parse(date) + offsetMs).toISOString().slice(0, 19)}${sign}${hours}:${minutes}`;
}

function formatHeaders(email: Email): string {
  const { subject = "", from, to = [], cc = [] } = email;
  const lines = [
    ["Subject", subject],
    ["From", formatAddresses(from === undefined ? [] : [from])],
    ["To", formatAddresses(to)],
    ["Cc", formatAddresses(cc)],
    ["Date", formatDate(email)],
  ] as const;
  return lines
    .filter(([, value]) => value.trim() !== "")
    .map(([name, value]) => `${name}: ${toOneLine(value)}`)
    .join("\n");
}

/** Whether the message is encrypted by OpenPGP (RFC 3156) or S/MIME (RFC 8551), whose signed messages have the same type. */
function isEncrypted({ headers }: Email): boolean {
  const type = headers.find(({ key }) => key === "content-type")?.value ?? "";
  return /^\s*multipart\/encrypted|^\s*application\/(?:x-)?pkcs7-mime(?!.*signed-data)/is.test(type);
}

/** A signature says nothing to a reader. */
const signatureType = /^application\/(?:pgp|pkcs7|x-pkcs7)-signature$/i;

function readBody({ text = "", html = "" }: Email): string {
  const fromHtml = readFragment(html);
  const plain = normaliseText(text).replace(/\n(?:[ \t\u00a0]*\n){2,}/g, "\n\n");
  return plain.length < fromHtml.length * minTextShare ? fromHtml : plain;
}

/** Adds the text of an attachment below its name. For an unreadable attachment, adds the name and the reason. */
async function addAttachment(
  builder: TextBuilder,
  attachment: Attachment,
  readInner: ExtractorContext["readInner"],
): Promise<void> {
  // Skip pictures that the HTML embeds by their ids, such as logos.
  const isShown = attachment.contentId !== undefined || attachment.disposition !== "attachment";
  if (isShown && attachment.mimeType.startsWith("image/")) return;
  if (signatureType.test(attachment.mimeType)) return;
  const { content, mimeType: contentType, filename: name } = attachment;
  const filename = name ?? undefined;
  const heading = toOneLine(filename ?? contentType);
  const bytes = typeof content === "string" ? Buffer.from(content) : new Uint8Array(content);
  try {
    const { text, marks } = await readInner({ bytes, filename, contentType });
    builder.add(`## Attachment: ${heading}`, { heading });
    const offset = builder.add(text, { heading }) ?? 0;
    for (const mark of marks) {
      const path = [heading, mark.heading].filter(Boolean).join(" > ");
      builder.mark({ ...mark, heading: path, start: offset + mark.start });
    }
  } catch (error) {
    if (!(error instanceof ExtractionError)) throw error;
    builder.add(`The attachment ${heading} was not read. ${error.message}`, { heading });
  }
}
