/** How much of an upload has been sent. */
export interface UploadProgress {
  sentBytes: number;
  totalBytes: number;
}

type OnProgress = (progress: UploadProgress) => void;

/** Sends a body and reports how much of it has been sent. */
export function sendBody(
  body: FormData | Blob,
  fetch: typeof globalThis.fetch | undefined,
  onProgress?: OnProgress,
): (url: string, init: RequestInit) => Promise<Response> {
  const send = fetch ?? globalThis.fetch;
  if (!onProgress) return (url, init) => send(url, { ...init, body });
  // Browsers report upload progress only for XMLHttpRequest. Other platforms can send a stream that is counted as it is read.
  if (!fetch && typeof XMLHttpRequest === "function") return (url, init) => sendWithXhr(url, init, body, onProgress);
  return (url, init) => send(url, { ...init, ...toCountedBody(body, init.headers, onProgress) });
}

function toCountedBody(body: FormData | Blob, headers: HeadersInit | undefined, onProgress: OnProgress): RequestInit {
  const parts = body instanceof Blob ? [body] : [...body.values()];
  const totalBytes = parts.reduce((sum, part) => sum + new Blob([part]).size, 0);
  let sentBytes = 0;
  const encoded = new Response(body);
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      controller.enqueue(bytes);
      // The stream also contains the form's boundaries and headers, so cap the count at the total.
      const before = sentBytes;
      sentBytes = Math.min(before + bytes.length, totalBytes);
      if (sentBytes > before) onProgress({ sentBytes, totalBytes });
    },
  });
  // A form's content type contains its boundary. Other bodies already have their type in the headers.
  const type = body instanceof Blob ? {} : { "content-type": encoded.headers.get("content-type") ?? "" };
  const streamed: RequestInit & { duplex: "half" } = {
    headers: { ...(headers as Record<string, string>), ...type },
    body: encoded.body?.pipeThrough(counter) ?? null,
    duplex: "half",
  };
  return streamed;
}

function sendWithXhr(url: string, init: RequestInit, body: FormData | Blob, onProgress: OnProgress): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { method = "POST", headers, signal } = init;
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    for (const [name, value] of Object.entries(headers as Record<string, string>))
      request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sentBytes: loaded, totalBytes: total });
    const onAbort = () => request.abort();
    signal?.addEventListener("abort", onAbort, { once: true });
    request.onloadend = () => {
      signal?.removeEventListener("abort", onAbort);
      if (request.status === 0) return reject(signal?.aborted ? signal.reason : new TypeError("Failed to send"));
      const lines = request.getAllResponseHeaders().trim().split(/\r\n/);
      const fields = lines.map((line): [string, string] => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 1).trim()];
      });
      resolve(new Response(request.responseText, { status: request.status, headers: fields }));
    };
    request.send(body);
  });
}
