import type { RunContentPart } from "@agent-backends/contract";

/** A media part, independent of its AG-UI version. */
interface Media {
  type: string;
  source: NonNullable<RunContentPart["source"]>;
  filename: string | undefined;
}

/** Audio formats of chat completions, by media type. */
const audioFormats: Readonly<Record<string, string>> = {
  "audio/wav": "wav",
  "audio/wave": "wav",
  "audio/x-wav": "wav",
  "audio/mpeg": "mp3",
  "audio/mp3": "mp3",
};

/**
 * Converts a part to the format of chat completions. Undefined if they can't express it: video, media other than images by URL, audio other
 * than WAV and MP3, images by file id, and files of other providers.
 *
 * @param vendor the provider that gets the request, as named in the `provider` of a file source
 */
export function toProviderPart(part: RunContentPart, vendor: string | undefined): object | undefined {
  if (part.type === "text") return { type: "text", text: part.text ?? "" };
  const media = toMedia(part);
  if (media?.source.value === undefined) return undefined;
  const { type, source, filename } = media;
  const { value = "", mimeType } = source;
  if (type === "image") {
    if (source.type === "url") return { type: "image_url", image_url: { url: value } };
    return source.type === "data"
      ? { type: "image_url", image_url: { url: toDataUrl(value, mimeType ?? "image/png") } }
      : undefined;
  }
  if (type === "audio") {
    const format = audioFormats[essence(mimeType)];
    return format && source.type === "data" ? { type: "input_audio", input_audio: { data: value, format } } : undefined;
  }
  if (type !== "document") return undefined;
  if (source.type === "file") {
    const isForeign = source.provider !== undefined && vendor !== undefined && source.provider !== vendor;
    return isForeign ? undefined : { type: "file", file: { file_id: value } };
  }
  if (source.type !== "data" || mimeType === undefined) return undefined;
  if (mimeType.startsWith("text/")) return { type: "text", text: Buffer.from(value, "base64").toString("utf8") };
  return {
    type: "file",
    file: { filename: filename ?? toDefaultName(mimeType), file_data: toDataUrl(value, mimeType) },
  };
}

/** Describes a part: "a video part by url". */
export function describePart(part: RunContentPart): string {
  const media = toMedia(part);
  if (!media) {
    const instead = part.type === "image_url" ? ', in place of "image" with its "source",' : "";
    return `a part of type "${part.type.slice(0, 64)}"${instead}`;
  }
  const { source, type } = media;
  const from = source.provider === undefined ? "" : ` of ${source.provider.slice(0, 64)}`;
  const format = source.mimeType === undefined ? "" : ` of type ${source.mimeType.slice(0, 64)}`;
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type} by ${source.type.slice(0, 64)}${from}${format}`;
}

function toMedia(part: RunContentPart): Media | undefined {
  const { type, source, mimeType, url, data, id, metadata } = part;
  if (source) return { type, source, filename: findFilename(metadata) };
  if (type !== "binary") return undefined;
  // AG-UI 0.0.x has one part type for all media.
  const [kind = ""] = essence(mimeType).split("/");
  const from = data ? { type: "data", value: data } : url ? { type: "url", value: url } : { type: "file", value: id };
  const sourceOfBinary = { ...from, mimeType, provider: undefined };
  return {
    type: ["image", "audio", "video"].includes(kind) ? kind : "document",
    source: sourceOfBinary,
    filename: part.filename,
  };
}

function findFilename(metadata: unknown): string | undefined {
  const { filename, title, name } = (metadata ?? {}) as Record<string, unknown>;
  return [filename, title, name].find((value) => typeof value === "string" && value !== "") as string | undefined;
}

/** A media type without its parameters. */
const essence = (mimeType = "") => (mimeType.split(";")[0] ?? "").trim().toLowerCase();

const toDataUrl = (base64: string, mimeType: string) => `data:${mimeType};base64,${base64}`;

const toDefaultName = (mimeType: string) => `document.${/\w+$/.exec(essence(mimeType))?.[0] ?? "bin"}`;
