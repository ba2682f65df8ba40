/** Replaces a message of the provider that isn't safe to show. */
export const genericProviderMessage = "The model provider could not answer. Try again later.";

/** Long enough for what providers say about a failed tool call, too short for a dump. */
const maxMessageCharacters = 1_000;
/** The rest is ignored: a provider may send megabytes. */
const maxExaminedCharacters = 4_000;
/** A longer run of ASCII isn't a word. Without this limit, the patterns below take quadratic time. */
const maxWordCharacters = 200;
/** Maximum depth of a message in an error object: a provider may send thousands of levels. */
const maxMessageDepth = 6;
const removed = "[removed]";

/** Text that must never reach a client, in the order of removal. */
const unsafe: RegExp[] = [
  new RegExp(`[!-~]{${maxWordCharacters + 1},}`, "g"),
  // Addresses: whole URLs, e-mail addresses, IP addresses and host names with their port.
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\[?(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\]?(?::\d+)?(?![\w:])/gi,
  /\b(?:[a-z0-9_-]+\.)+(?:com|net|org|io|ai|dev|app|cloud|co|eu|de|uk|internal|local|localdomain|corp|lan|home|intra|svc|cluster|example|test|invalid)\b(?::\d+)?(?:\/\S*)?/gi,
  /\blocalhost\b(?::\d+)?/gi,
  /\b[a-z][\w-]*:\d{2,5}\b/gi,
  // Credentials, recognised by the word before them, their prefix or their shape.
  /\b(?:Bearer|Basic|Token)\s+[\w.~+/=*-]{6,}/gi,
  /\b(?:(?:api|access|secret|auth|x-api|subscription)[ _-]?(?:key|token)|password|passwd|secret|authorization|cookie)["']?\s*[:=]\s*["']?[^\s"',;}]+/gi,
  /\b(?:sk|pk|rk|gsk|xai|key|org|proj|ghp|gho|glpat|hf|pplx|nvapi|r8|AKIA|ASIA|AIza|ya29)[-_.]?[\w*.-]*[\d*][\w*.-]{5,}/g,
  /\b(?:sk|pk|rk|gsk|xai|hf|org|proj)[-_][\w*-]{8,}/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g,
  /[\w*.-]*\*{4,}[\w*.-]*/g,
  /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9+/=]{24,}/g,
  // Paths on the provider's machine.
  /(?<![\w.])(?:\/[\w.@+-]+){2,}\/?(?::\d+)*/g,
  /\b[a-z]:\\[^\s"']+/gi,
];

/** The beginning of a stack trace. Everything after it is dropped. */
const stackStart =
  /(?:^|\n|\s)(?:at\s+\S+\s*\(.*|at\s+\S+:\d+:\d+|Traceback \(most recent call last\)|File "[^"]*", line \d+|goroutine \d+ \[|Caused by:)/;
const markup = /<\s*(?:!doctype|html|head|body|title|script|center|h1|\?xml)\b/i;

/**
 * Converts a provider's message to one line of at most 1 000 characters that is safe to show to a client: without credentials, addresses,
 * file paths, stack traces and any of `secrets`. Returns genericProviderMessage if nothing readable is left.
 *
 * @param text the message, an Error, or an error object in OpenAI's format
 */
export function safeProviderMessage(text: unknown, secrets: readonly string[] = []): string {
  const message = findMessage(text);
  if (message === undefined) return genericProviderMessage;
  let safe = removeSecrets(message, secrets);
  if (markup.test(safe)) return genericProviderMessage;
  const stack = safe.search(stackStart);
  if (stack >= 0) safe = safe.slice(0, stack);
  for (const pattern of unsafe) safe = safe.replace(pattern, removed);
  // Control and format characters could reorder or split the displayed text.
  safe = safe.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const letters = safe.replaceAll(removed, "").match(/\p{L}/gu)?.length ?? 0;
  return letters < 3 ? genericProviderMessage : shorten(safe);
}

/** Searches lists as well: Google sends `[{"error": …}]`, FastAPI `{"detail": [{"msg": …}]}`, Mistral nests the latter in `message`. */
function findMessage(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth === maxMessageDepth) return undefined;
  const { message, error, detail, msg } = value as Record<string, unknown>;
  const nearest = [message, error, detail, msg].find((one) => typeof one === "string");
  if (typeof nearest === "string") return nearest;
  for (const one of [message, error, detail, Array.isArray(value) ? value[0] : undefined]) {
    const found = typeof one === "object" ? findMessage(one, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the beginning of a message without secrets, and without a partial secret at its end. */
function removeSecrets(message: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.trim().length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]);
  const longest = Math.max(0, ...forms.map((form) => form.length));
  let safe = message.slice(0, maxExaminedCharacters + longest);
  const isCut = safe.length < message.length;
  for (const form of forms) safe = safe.replaceAll(form, removed);
  return isCut ? safe.slice(0, Math.max(0, safe.length - longest)) : safe;
}

function shorten(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= maxMessageCharacters) return text;
  return `${characters.slice(0, maxMessageCharacters - 1).join("")}…`;
}
