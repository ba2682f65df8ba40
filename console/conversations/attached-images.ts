/** An image that is sent with a question, in base64. */
export interface AttachedImage {
  name: string;
  mimeType: string;
  data: string;
}

/** The formats that models take. */
export const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/gif"];

export const toDataUrl = ({ mimeType, data }: AttachedImage): string => `data:${mimeType};base64,${data}`;

/** Why these files can't be attached, or undefined if the model can take them. */
export function findFileProblem(files: readonly File[], takesImages: boolean): string | undefined {
  const refused = takesImages ? files.filter(({ type }) => !imageTypes.includes(type)) : files;
  if (refused.length === 0) return undefined;
  const names = refused.map(({ name }) => `“${name}”`).join(", ");
  const takes = takesImages ? "only PNG, JPEG, WebP and GIF images" : "no files";
  return `${names} ${refused.length === 1 ? "was" : "were"} not attached: this agent takes ${takes}.`;
}

/** Reads an image as base64. */
export async function readImage(file: File): Promise<AttachedImage> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  const url = await promise;
  return { name: file.name, mimeType: file.type, data: url.slice(url.indexOf(",") + 1) };
}
