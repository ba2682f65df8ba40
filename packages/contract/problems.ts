import { limits } from "./limits.ts";
import type { InvalidField, ProblemCode } from "./problem-error.ts";
import { ProblemError } from "./problem-error.ts";

type Options = ConstructorParameters<typeof ProblemError>[2];
const createProblemBuilder = (code: ProblemCode) => (detail: string, options?: Options) =>
  new ProblemError(code, detail, options);
const noMessage = createProblemBuilder("no-message");
const badRequest = createProblemBuilder("bad-request");
const unauthorized = createProblemBuilder("unauthorized");
const forbidden = createProblemBuilder("forbidden");
const notFound = createProblemBuilder("not-found");
const conflict = createProblemBuilder("conflict");
const tooLarge = createProblemBuilder("too-large");
const unsupportedMediaType = createProblemBuilder("unsupported-media-type");
const notJson = createProblemBuilder("not-json");

/** The most common error: the service can't work now, and the client may retry after a few seconds. */
const unavailable = (detail: string, headers: Record<string, string> = {}) =>
  new ProblemError("unavailable", detail, { headers: { "Retry-After": String(limits.retryAfterSeconds), ...headers } });

const tooManyRequests = (detail: string, retryAfterSeconds: number, headers: Record<string, string> = {}) =>
  new ProblemError("too-many-requests", detail, { headers: { "Retry-After": String(retryAfterSeconds), ...headers } });

/** One invalid field whose rule depends on more than its own value, so no schema can check it. */
const invalidField = (field: InvalidField, sentence: string, cause?: unknown) =>
  new ProblemError("invalid-input", sentence, { errors: [field], cause });

/** Rules that schemas check, too. */
export const emptyDeletion = "must be empty: a DELETE takes parameters only in its address";
export const userMessageLast = "must end with a user message";

const invalidFields = (errors: InvalidField[]) => {
  const count = errors.length === 1 ? "One field is" : `${errors.length} fields are`;
  const fields = errors.map(
    ({ pointer, detail }) => `${pointer ? `\`${pointer}\`` : "the body"}: ${detail.replace(/\.$/, "")}`,
  );
  return new ProblemError("invalid-input", `${count} wrong: ${fields.join("; ")}.`, { errors });
};

/**
 * Every error that a service returns before a stream starts. A detail names the offending value, the rule and the fix. To add one, add its
 * function here, under its status.
 */
export const problems = {
  // 400
  emptyBody: (expected = "JSON object") => notJson(`The body is empty; send a ${expected}.`),
  notJson: (cause: unknown) => notJson("The body is not JSON; send a JSON object in UTF-8.", { cause }),
  notUtf8: () => notJson("The body is not UTF-8; send a JSON object in UTF-8."),
  emptyMessages: () => noMessage("The list of messages is empty; send at least one."),
  noUserMessage: () => noMessage('No message has the role "user"; send the question as a message with that role.'),
  emptyQuestion: () => noMessage("The user's last message has no text; send the question as its content."),
  /** @param status the status that a framework chose, which determines the code */
  unreadable: (cause: unknown, status = 400) => {
    const code = (
      { 404: "not-found", 406: "not-acceptable", 413: "too-large", 415: "unsupported-media-type" } as const
    )[status];
    const detail = "The request can't be read; check its address, headers and body.";
    return new ProblemError(code ?? "bad-request", detail, { cause });
  },
  incompleteBody: () => badRequest("The connection closed before the body's end; send the whole body again."),
  unreadableForm: (cause: unknown) =>
    badRequest("The form can't be read; send a whole multipart/form-data body with its boundary.", { cause }),
  missingHost: () => badRequest("The request has no Host header; send one."),
  notHttp: () => badRequest("The request is not HTTP/1.1; check what was sent."),
  tooManyParameters: () =>
    badRequest(`The address has more than ${limits.queryParameters} parameters; send several requests.`),
  notJsonRpc: () => badRequest('A message is not JSON-RPC 2.0; send {"jsonrpc": "2.0", "method": …}.'),
  batchTooLong: (messages: number) =>
    badRequest(
      `The batch holds ${messages} messages, and at most ${limits.mcpBatchMessages} are allowed; send them in several batches.`,
    ),
  messageIdTooLong: () =>
    badRequest(`The id of a JSON-RPC message has more than ${limits.mcpIdCharacters} characters; send a shorter one.`),
  severalToolCalls: () => badRequest("The batch calls several tools; send each tools/call in a request of its own."),
  /** Nobody reads this response. It only keeps a disconnect from counting as a failure of the service. */
  clientGone: (cause: Error) => badRequest(cause.message, { cause }),

  // 401, 403
  missingCredentials: () =>
    unauthorized("Send a key, as Authorization: Bearer <key> or as X-API-Key: <key>.", {
      headers: { "WWW-Authenticate": 'Bearer realm="agent-backends"' },
    }),
  /** See RFC 6750, section 3. */
  invalidCredentials: () =>
    unauthorized("This key or token is unknown or no longer valid; check the one you send.", {
      headers: { "WWW-Authenticate": 'Bearer realm="agent-backends", error="invalid_token"' },
    }),
  missingScope: (scope: string) => forbidden(`This key lacks the scope ${scope}; use one that has it.`),
  namespaceForbidden: (namespace: string) =>
    forbidden(`This key isn't allowed to use the namespace "${namespace}"; use one that is.`),
  originForbidden: (origin: string) =>
    forbidden(`Pages of ${origin} may not call this service; add the origin to CORS_ORIGINS.`),
  keylessChangeForbidden: (origin: string) =>
    forbidden(
      `Pages of ${origin} may not change stored data, because this service asks for no key; add the origin to CORS_ORIGINS.`,
    ),
  hostForbidden: (host: string) =>
    forbidden(
      `This service asks for no key, so it refuses requests to ${host}: add this host name to ALLOWED_HOSTS, or create a key with ` +
        "npm run keys -- add --name my-app --namespace default and restart with AUTH_KEYS_FILE=./data/keys.json",
    ),

  // 404, 405, 409
  /** The message leaves out the address: it may hold a key, and a page may show the message. */
  noRoute: (method: string) => notFound(`There is no ${method} route at this address; check it for a typing error.`),
  /** OpenAI clients send unknown requests if the base URL lacks `/v1` or has it twice, or if they use an interface such as Responses. */
  noOpenAiRoute: (method: string) =>
    notFound(
      `There is no ${method} route at this address; this service has only POST /v1/chat/completions and GET /v1/models of OpenAI's API, so ` +
        "the client has to use chat completions, with a base URL that ends with /v1 unless the client appends that itself.",
    ),
  /** Users see the services' addresses side by side, but only one of them is an OpenAI base URL. */
  openAiElsewhere: (method: string) =>
    notFound(
      `There is no ${method} route at this address; only the Knowledge service has OpenAI's API, at its own address with /v1.`,
    ),
  /** MCP clients that have no key look for a sign-in. */
  noOAuth: () =>
    notFound(
      "This service has no OAuth sign-in; set up the client with a key, sent as Authorization: Bearer <key> or as X-API-Key: <key>.",
    ),
  noTool: (name: string, tools: readonly { name: string }[]) =>
    notFound(`There is no tool "${name}"; use one of ${tools.map((tool) => tool.name).join(", ")}.`),
  noNamespace: (namespace: string) => notFound(`There is no namespace "${namespace}".`),
  noModel: (model: string) =>
    notFound(
      `There is no model "${model}"; use "knowledge", or "knowledge/{namespace}" with a namespace that has documents.`,
    ),
  noDocument: (id: string, namespace: string) => notFound(`There is no document "${id}" in namespace "${namespace}".`),
  noJob: (id: string) => notFound(`There is no job "${id}"; finished jobs are deleted after seven days.`),
  methodNotAllowed: (method: string, methods: readonly string[]) => {
    const allowed = [...methods, "OPTIONS"].join(", ");
    const detail = `${method} isn't allowed here; this address takes ${allowed}.`;
    return new ProblemError("method-not-allowed", detail, { headers: { Allow: allowed } });
  },
  noRun: (runId: string) =>
    notFound(`There is no run "${runId}"; runs are deleted some time after their end (RUN_RETENTION_MS).`),
  runsNotKept: () =>
    notFound("This service stores no runs, so they can't be read or stopped; start it with RUNS_URL to store them."),
  /** @param address URL of the run, relative to the request's */
  runExists: (runId: string, address: string) =>
    conflict(
      `The run "${runId}" already exists; read it with GET ${address}, relative to this address, or send another runId.`,
      { headers: { Location: address } },
    ),
  runLost: (cause: Error) => new ProblemError("gone", cause.message, { cause }),
  changesGone: (namespace: string) =>
    new ProblemError(
      "gone",
      `The changes of the namespace "${namespace}" since this cursor are not known: the namespace or too many of its documents were deleted since, or the cursor belongs to another namespace; leave out \`since\` to get all documents, and drop those that you had.`,
    ),
  invalidEventId: (id: string, runId: string) =>
    badRequest(`"${id}" is not the id of an event of the run "${runId}"; leave it out to read from the start.`),
  conflict: (cause: Error) => conflict(cause.message, { cause }),
  namespaceDeleted: (namespace: string) =>
    conflict(
      `The namespace "${namespace}" was deleted during the request; repeat the request to store its documents anyway.`,
    ),
  namespaceDeletedInImport: () => conflict("The namespace was deleted during the import; import it again."),
  otherEmbedding: (file: string, namespace: string) =>
    conflict(
      `The file has vectors of ${file}, and the namespace has vectors of ${namespace}; import with reembed=true to embed the documents again.`,
    ),
  tooManyNamespaces: (namespace: string, maxPerKey: number) =>
    conflict(
      `The namespace "${namespace}" is new, and this key already has the maximum of ${maxPerKey} namespaces; delete one, or raise KNOWLEDGE_MAX_NAMESPACES_PER_KEY.`,
    ),

  // 408, 413, 415, 431
  requestTimeout: () =>
    new ProblemError(
      "too-slow",
      `The request arrived too slowly: headers have ${limits.headMs / 1_000} s, the whole request ${limits.requestMs / 1_000} s.`,
    ),
  bodyTooLarge: (maxBytes: number, variable?: string) =>
    tooLarge(
      `The body is over the limit of ${maxBytes} bytes${variable === undefined ? "" : ` (${variable})`}; send less at once.`,
    ),
  bodyRestTooLarge: (maxBytes: number) =>
    tooLarge(`The body holds more than ${maxBytes} bytes besides long texts; send less at once.`),
  fieldTooLarge: (field: string, maxBytes: number) =>
    tooLarge(`The field ${field} is over the limit of ${maxBytes} bytes; send less at once.`),
  tooManyParts: (maxParts: number, cause?: unknown) =>
    tooLarge(`The form has more than ${maxParts} parts (KNOWLEDGE_MAX_SOURCES); send them in several requests.`, {
      cause,
    }),
  /** @param what name of the JSON: "The body" */
  tooManyValues: (what: string, maxValues: number) =>
    tooLarge(`${what} holds more than ${maxValues} values; send less at once.`),
  tooDeep: (what: string) =>
    tooLarge(`${what} nests lists and objects more than ${limits.jsonDepth} levels deep; send a flatter value.`),
  nameTooLong: (what: string) =>
    tooLarge(`${what} has a field whose name is over the limit of ${limits.jsonNameBytes} bytes; send a shorter name.`),
  chunkExtensionsTooLarge: () =>
    tooLarge(
      `The extensions of the body's chunks are over the limit of ${limits.chunkExtensionBytes} bytes; leave them out.`,
    ),
  compressedBody: () =>
    unsupportedMediaType("Compressed bodies aren't accepted; send the body uncompressed, without Content-Encoding.", {
      headers: { "Accept-Encoding": "identity" },
    }),
  jsonRequired: (cause?: unknown) =>
    unsupportedMediaType("The body must be JSON in UTF-8; send it with the header Content-Type: application/json.", {
      cause,
    }),
  ndjsonRequired: () =>
    unsupportedMediaType(
      "The body must be the file of an export; send it with the header Content-Type: application/x-ndjson.",
    ),
  headersTooLarge: () =>
    new ProblemError(
      "headers-too-large",
      `Request line and headers are over the limit of ${limits.headBytes} bytes; shorten them.`,
    ),

  // 422
  invalidFields,
  /** Clients of AG-UI would not understand the frames of the other route. */
  agUiElsewhere: (pointer: string) =>
    invalidFields([{ pointer, detail: "belongs to a run input of AG-UI, which POST /agui takes" }]),
  lastMessageNotUser: () => invalidFields([{ pointer: "/messages", detail: userMessageLast }]),
  notAnObject: () => new ProblemError("invalid-input", "The body must be a JSON object."),
  invalidCursor: (cause: unknown, field = "cursor") =>
    invalidField(
      { pointer: `/${field}`, detail: "is not a cursor" },
      "This service did not issue the cursor; leave it out to start from the beginning.",
      cause,
    ),
  invalidImport: (line: number, reason: string, saved: number) =>
    new ProblemError(
      "invalid-input",
      line === 1
        ? `This file was not created by an export: its first line ${reason}.`
        : `Line ${line} of the file ${reason}; the documents before it are stored (${saved} of them new), the others aren't; send a complete file, which skips the stored ones.`,
    ),
  /** @param error why the item wasn't stored */
  notStored: (error: string, code: string) => new ProblemError("invalid-input", `${error} (${code})`),
  /** @param error why the address in the field can't be read */
  unreadableAddress: (field: string, error: string, cause: unknown) =>
    invalidField({ pointer: `/${field}`, detail: error }, error, cause),
  fieldNotJson: (field: string, cause: unknown) =>
    invalidField(
      { pointer: `/${field}`, detail: "is not JSON" },
      `The field ${field} is not JSON; see the documentation for its form.`,
      cause,
    ),
  fieldNotUtf8: (field: string) =>
    invalidField(
      { pointer: `/${field}`, detail: "is not UTF-8" },
      `The field ${field} is not UTF-8; send the form in UTF-8.`,
    ),
  repeatedField: (field: string) =>
    invalidField(
      { pointer: `/${field}`, detail: "is given more than once" },
      `The form has the field ${field} more than once; send it once.`,
    ),
  deletionWithBody: () => invalidField({ pointer: "", detail: emptyDeletion }, `The body ${emptyDeletion}.`),
  missingRunId: () =>
    invalidField(
      { pointer: "/runId", detail: "is missing" },
      "The query names no run; add runId, or read the run at its own address, such as /agent/runs/{runId}.",
    ),
  noConditions: () =>
    invalidField(
      { pointer: "/source", detail: "is missing, and so are filter, ingested_after and ingested_before" },
      "The request doesn't say which documents to delete; give source, filter, ingested_after or ingested_before.",
    ),
  noSources: () =>
    invalidField(
      { pointer: "/sources", detail: "is missing or empty" },
      "The request has nothing to store; send at least one source or file.",
    ),
  tooManySources: (count: number, maxSources: number) =>
    invalidField(
      { pointer: "/sources", detail: `holds more than ${maxSources} items` },
      `${count} sources and files are over the limit of ${maxSources} in one request; send them in several.`,
    ),
  tooManyFiles: (maxFiles: number) =>
    invalidField(
      { pointer: "/files", detail: `holds more than ${maxFiles} files` },
      `The form has more than ${maxFiles} files; send them in several requests.`,
    ),
  invalidTimeframe: (field: "timeframe" | "tz", cause: Error) =>
    invalidField({ pointer: `/${field}`, detail: cause.message }, cause.message, cause),

  // 429
  keyRateExceeded: (perMinute: number, waitSeconds: number) =>
    tooManyRequests(
      `This key is over its limit of ${perMinute} requests a minute; wait ${waitSeconds} s.`,
      waitSeconds,
    ),
  tokenBudgetExceeded: (budget: {
    name: string;
    limit: number;
    waitSeconds: number;
    headers: Record<string, string>;
  }) =>
    tooManyRequests(
      `This key has used its budget of ${budget.limit} tokens per ${budget.name}, including those that running answers reserve (the RateLimit header of answers shows the rest); wait ${budget.waitSeconds} s${budget.name === "day" ? ", until 00:00 UTC" : ""}.`,
      budget.waitSeconds,
      budget.headers,
    ),
  addressRateExceeded: (perMinute: number, waitSeconds: number) =>
    tooManyRequests(
      `Your address is over its limit of ${perMinute} requests a minute; wait ${waitSeconds} s.`,
      waitSeconds,
    ),
  refusalRateExceeded: (waitSeconds: number) =>
    tooManyRequests(
      `Your address sent too many requests with invalid credentials; wait ${waitSeconds} s.`,
      waitSeconds,
    ),
  /** @param work kind of work: a "stream" */
  keyConcurrencyExceeded: (work: string, perKey: number) =>
    tooManyRequests(
      `This key already runs the maximum of ${perKey} requests of the kind ${work}; wait until one has ended.`,
      limits.retryAfterSeconds,
    ),
  keyQueueFull: (maxWaiting: number) =>
    tooManyRequests(
      `This key already has the maximum of ${maxWaiting} waiting requests; send fewer at the same time.`,
      limits.retryAfterSeconds,
    ),

  // 5xx
  internal: (cause: unknown) =>
    new ProblemError("internal", "The service failed on this request; its log has the error.", { cause }),
  providerFailed: (detail: string, cause: Error, retryAfterMs?: number) =>
    new ProblemError("provider-failed", detail, {
      cause,
      ...(retryAfterMs !== undefined && { headers: { "Retry-After": String(Math.ceil(retryAfterMs / 1_000)) } }),
    }),
  shuttingDown: (headers?: Record<string, string>) =>
    unavailable("The service is shutting down; try again in a few seconds.", headers),
  runLogUnavailable: () =>
    unavailable("The run log can't be reached, so runs can't be resumed; try again in a few seconds."),
  tokensUncheckable: () => unavailable("The service can't check tokens at the moment; try again in a few seconds."),
  concurrencyExceeded: (work: string, inAll: number) =>
    unavailable(`The service already runs the maximum of ${inAll} requests of the kind ${work}; try again later.`),
  tooManyJobs: (openJobs: number) =>
    unavailable(`${openJobs} ingests are waiting already; try again when some have ended.`),
  storeUnreachable: (cause: Error) =>
    new ProblemError("unavailable", "The store doesn't answer at the moment; try again in a few seconds.", {
      cause,
      headers: { "Retry-After": String(limits.retryAfterSeconds) },
    }),
  /** Retrying doesn't help: an operator has to free disk space. */
  diskFull: (cause: Error) =>
    new ProblemError("unavailable", "The service's disk is full; try again once its operator has freed space.", {
      cause,
    }),
  /** Retrying doesn't help: an operator has to grant the service write access. */
  storeReadOnly: (cause: Error) =>
    new ProblemError("unavailable", "The service may not write to its store; its operator has to allow that.", {
      cause,
    }),
  // Why a service isn't ready
  checkTooSlow: () => unavailable("A check of what the service depends on takes too long."),
  checkFailed: () => unavailable("A check of what the service depends on failed; its log says why."),
  missingKey: (variable: string) => unavailable(`${variable} is missing: set it to the key of your model provider`),
  storeNotOpened: () => unavailable("The store KNOWLEDGE_STORE can't be opened; check that it exists and is writable."),
  unusableStore: (cause: Error) => unavailable(cause.message),
  /** Retrying doesn't help: an operator has to change the configuration. */
  unknownStore: (cause: Error) => new ProblemError("unavailable", cause.message, { cause }),
};
