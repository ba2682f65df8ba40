import type { Connection } from "../connections/connections.ts";
import { keyHeadersOf } from "../connections/connections.ts";
import { ingestUrl } from "../connections/knowledge-api.ts";
import { errorOfResponse, unreachable } from "../stream/service-error.ts";
import type { Item } from "./pasted.ts";

/**
 * Sends one item to be stored in the background.
 * XMLHttpRequest is used because fetch does not tell how much of a body has been sent.
 *
 * @param options `onSent` is called with the part that has been sent, 0…1; `signal` breaks it off while it is being sent. What
 * has been sent as a whole may be stored already, so its answer is waited for.
 * @returns the answer's body; undefined where the request was broken off
 * @throws ServiceError when the service refuses or can't be reached
 */
export function upload(
  connection: Connection,
  namespace: string,
  item: Item,
  { onSent, signal }: { onSent: (part: number) => void; signal: AbortSignal },
): Promise<Record<string, unknown> | undefined> {
  const url = `${ingestUrl(connection)}?async=true`;
  const request = new XMLHttpRequest();
  request.open("POST", url);
  request.setRequestHeader("Accept", "application/json");
  for (const [name, value] of Object.entries(keyHeadersOf(connection))) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown> | undefined>();
  let isSent = false;
  request.upload.onload = () => {
    isSent = true;
  };
  signal.addEventListener("abort", () => !isSent && request.abort());
  request.onabort = () => resolve(undefined);
  request.onloadend = () => {
    if (request.status === 0) return reject(unreachable(url));
    const answer = parseObject(request.responseText);
    // An ingest whose only item failed is answered with 400, and says why in its own form.
    if (answer && (request.status < 300 || "saved" in answer)) return resolve(answer);
    errorOfResponse(new Response(request.responseText, { status: request.status })).then(reject, reject);
  };
  if (item.kind === "file") {
    const form = new FormData();
    form.append("namespace", namespace);
    form.append("files", item.file, item.name);
    request.send(form);
  } else {
    request.setRequestHeader("Content-Type", "application/json");
    request.send(JSON.stringify({ namespace, sources: [item.source] }));
  }
  return promise;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}
