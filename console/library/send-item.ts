import type { Connection } from "../connections/connections.ts";
import { keyHeadersOf } from "../connections/connections.ts";
import { errorOfResponse, unreachable } from "../stream/service-error.ts";
import type { IngestResponse } from "./knowledge-api.ts";
import { ingestUrl } from "./knowledge-api.ts";
import type { Item } from "./pasted.ts";

/** How far an item is. `part` is what of it has been sent, 0…1. */
export type Stage =
  | { name: "waiting" }
  | { name: "sending"; part: number }
  | { name: "indexing" }
  | { name: "saved"; documentId: string; chunks: number }
  | { name: "skipped"; reason: string }
  | { name: "error"; reason: string };

export const isSettled = ({ name }: Stage): boolean => name === "saved" || name === "skipped" || name === "error";

/**
 * Sends one item to be stored and tells how far it is; the last stage told is its outcome. It never rejects.
 * XMLHttpRequest is used because fetch does not tell how much of a body has been sent.
 */
export function sendItem(
  connection: Connection,
  namespace: string,
  item: Item,
  onStage: (stage: Stage) => void,
): Promise<void> {
  const request = new XMLHttpRequest();
  const url = ingestUrl(connection);
  request.open("POST", url);
  request.setRequestHeader("Accept", "application/json");
  for (const [name, value] of Object.entries(keyHeadersOf(connection))) request.setRequestHeader(name, value);
  onStage({ name: "sending", part: 0 });
  request.upload.onprogress = ({ loaded, total }) => onStage({ name: "sending", part: total > 0 ? loaded / total : 0 });
  request.upload.onload = () => onStage({ name: "indexing" });
  return new Promise((resolve) => {
    request.onloadend = async () => {
      onStage(await outcomeOf(request, url));
      resolve();
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
  });
}

async function outcomeOf(request: XMLHttpRequest, url: string): Promise<Stage> {
  if (request.status === 0) return { name: "error", reason: unreachable(url).message };
  const answer = parseAnswer(request.responseText);
  if (!answer) {
    const init = { status: request.status === 204 ? 502 : request.status };
    return { name: "error", reason: (await errorOfResponse(new Response(request.responseText, init))).message };
  }
  const [saved] = answer.saved;
  if (saved) return { name: "saved", documentId: saved.document_id, chunks: saved.chunks };
  if (answer.skipped.length > 0) return { name: "skipped", reason: "The namespace holds the same content already." };
  return { name: "error", reason: answer.errors[0]?.error ?? "The service neither stored nor refused it." };
}

function parseAnswer(text: string): IngestResponse | undefined {
  try {
    const answer = JSON.parse(text);
    return Array.isArray(answer?.saved) && Array.isArray(answer.errors) ? answer : undefined;
  } catch {
    return undefined;
  }
}
