/** Enough for every problem of the services. */
const maxErrorBodyBytes = 1024 * 1024;
const errorBodyTimeoutMs = 10_000;

/** Reads the body of an error response, or the beginning of one that is too long or doesn't end. */
export async function readErrorBody({ body }: Response): Promise<string> {
  if (!body) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  // A pending read ends with `done`.
  const cancel = () => void reader.cancel().catch(() => "The connection has failed already.");
  const timer = setTimeout(cancel, errorBodyTimeoutMs);
  let text = "";
  try {
    for (let length = 0; length < maxErrorBodyBytes; ) {
      const { done, value } = await reader.read();
      if (done) break;
      length += value.length;
      text += decoder.decode(value, { stream: true });
    }
    return text + decoder.decode();
  } finally {
    clearTimeout(timer);
    cancel();
  }
}
