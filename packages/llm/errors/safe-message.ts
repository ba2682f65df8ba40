/** What is said when the provider's own words can't be shown. */
export const GENERIC_PROVIDER_MESSAGE = "The model provider could not answer. Please try again later.";

/** Long enough for what providers say of a failed tool call, too short for a dump. */
const MAX_MESSAGE_CHARACTERS = 1_000;
/** Text beyond this is not looked at: a provider may send megabytes. */
const maxExaminedCharacters = 4_000;
/** A longer run of ASCII is no word that a person reads. Without it the patterns below take time by the square of its length. */
const maxWordCharacters = 200;
const REMOVED = "[removed]";

/** What never reaches a client, in the order in which it is taken out. */
const unsafe: RegExp[] = [
  new RegExp(`[!-~]{${maxWordCharacters + 1},}`, "g"),
  // Addresses: URLs with everything in them, e-mail addresses, IP addresses, host names, with their port.
  /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>]+/gi,
  /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g,
  /\[?(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}\]?(?::\d+)?(?![\w:])/gi,
  /\b(?:[a-z0-9_-]+\.)+(?:com|net|org|io|ai|dev|app|cloud|co|eu|de|uk|internal|local|localdomain|corp|lan|home|intra|svc|cluster|example|test|invalid)\b(?::\d+)?(?:\/\S*)?/gi,
  /\blocalhost\b(?::\d+)?/gi,
  /\b[a-z][\w-]*:\d{2,5}\b/gi,
  // Credentials, by the word before them, by their prefix, or by their look.
  /\b(?:Bearer|Basic|Token)\s+[\w.~+/=*-]{6,}/gi,
  /\b(?:(?:api|access|secret|auth|x-api|subscription)[ _-]?(?:key|token)|password|passwd|secret|authorization|cookie)["']?\s*[:=]\s*["']?[^\s"',;}]+/gi,
  /\b(?:sk|pk|rk|gsk|xai|key|org|proj|ghp|gho|glpat|hf|pplx|nvapi|r8|AKIA|ASIA|AIza|ya29)[-_.]?[\w*.-]*[\d*][\w*.-]{5,}/g,
  /\b(?:sk|pk|rk|gsk|xai|hf|org|proj)[-_][\w*-]{8,}/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]*){0,2}/g,
  /[\w*.-]*\*{4,}[\w*.-]*/g,
  /(?<![A-Za-z0-9])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9+/=]{24,}/g,
  // Paths of the provider's machine.
  /(?<![\w.])(?:\/[\w.@+-]+){2,}\/?(?::\d+)*/g,
  /\b[a-z]:\\[^\s"']+/gi,
];

/** Where a stack trace begins: everything from there on is dropped. */
const stackStart =
  /(?:^|\n|\s)(?:at\s+\S+\s*\(.*|at\s+\S+:\d+:\d+|Traceback \(most recent call last\)|File "[^"]*", line \d+|goroutine \d+ \[|Caused by:)/;
const markup = /<\s*(?:!doctype|html|head|body|title|script|center|h1|\?xml)\b/i;

/**
 * A provider's message in a form that may be shown to a client: one line of at most 1 000 characters, without
 * keys, credentials, addresses, file paths and stack traces, and without any of `secrets`. `text` may be the message,
 * an Error or an error object of OpenAI's shape. What has nothing left to say becomes GENERIC_PROVIDER_MESSAGE.
 */
export function safeProviderMessage(text: unknown, secrets: readonly string[] = []): string {
  const message = messageOf(text);
  if (message === undefined) return GENERIC_PROVIDER_MESSAGE;
  let safe = removeSecrets(message, secrets);
  if (markup.test(safe)) return GENERIC_PROVIDER_MESSAGE;
  const stack = safe.search(stackStart);
  if (stack >= 0) safe = safe.slice(0, stack);
  for (const pattern of unsafe) safe = safe.replace(pattern, REMOVED);
  // Control and format characters could reorder or split what a client displays.
  safe = safe.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const said = safe.replaceAll(REMOVED, "").match(/\p{L}/gu)?.length ?? 0;
  return said < 3 ? GENERIC_PROVIDER_MESSAGE : shorten(safe);
}

function messageOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return undefined;
  const { message, error, detail } = value as { message?: unknown; error?: unknown; detail?: unknown };
  if (typeof message === "string") return message;
  if (typeof error === "string") return error;
  if (typeof detail === "string") return detail;
  return typeof error === "object" && error !== null ? messageOf(error) : undefined;
}

/** The beginning of a message without secrets, and without the half of one that the cut may leave at its end. */
function removeSecrets(message: string, secrets: readonly string[]): string {
  const forms = secrets
    .filter((secret) => secret.trim().length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString("base64")]);
  const longest = Math.max(0, ...forms.map((form) => form.length));
  let safe = message.slice(0, maxExaminedCharacters + longest);
  const isCut = safe.length < message.length;
  for (const form of forms) safe = safe.replaceAll(form, REMOVED);
  return isCut ? safe.slice(0, Math.max(0, safe.length - longest)) : safe;
}

function shorten(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= MAX_MESSAGE_CHARACTERS) return text;
  return `${characters.slice(0, MAX_MESSAGE_CHARACTERS - 1).join("")}…`;
}
