/** A change of the code that switches a protection off, and the tests of docs/security.md that have to fail then. */
export interface Mutation {
  /** What no longer holds. */
  protection: string;
  changes: { file: string; text: string; replacement: string }[];
  fails: string[];
}

const change = (file: string, text: string, replacement: string) => ({ file, text, replacement });
const of = (protection: string, changes: Mutation["changes"] | Mutation["changes"][number], ...fails: string[]) => ({
  protection,
  changes: [changes].flat(),
  fails,
});

const kit = "packages/kit";
const knowledge = "services/knowledge";
const listing = "services/listing";

export const mutations: Mutation[] = [
  of(
    "chunks reach the model as a tool's data alone",
    change(
      `${knowledge}/librarian/answer.ts`,
      "system: librarianInstructions,",
      "system: librarianInstructions + JSON.stringify(result),",
    ),
    "that are given %s reach the model as a tool's data alone",
  ),
  of(
    "the model's tool searches the request's namespace",
    [
      change(`${knowledge}/librarian/answer.ts`, "searchArguments = z.object({", "searchArguments = z.looseObject({"),
      change(
        `${knowledge}/librarian/answer.ts`,
        "return searchDocs((args as { query: string }).query);",
        `const { query, namespace: named = namespace } = args as { query: string; namespace?: string };
          return toSearchResult(chunks.number((await findChunks(named, [query], signal)).flat()));`,
      ),
    ],
    "do no harm to anybody when the model obeys and %s",
    "never sees another namespace, also when the model asks for one",
  ),
  of(
    "logs hold no namespace",
    change(
      `${kit}/observability/observability.ts`,
      "namespace_hash: record.namespaceHash,",
      "namespace_hash: record.namespace,",
    ),
    "is one line with what an operator needs, and without what a client said",
  ),
  of(
    "the provider's messages hold no key",
    change(
      "packages/llm/errors/safe-message.ts",
      "for (const form of forms) safe = safe.replaceAll(form, removed);",
      "",
    ),
    "never holds the configured key, plain or encoded",
  ),
  of(
    "the model searches a few times",
    change(`${knowledge}/librarian/answer.ts`, "if (searches > furtherSearches)", "if (searches > 1_000)"),
    "a model that asks for forty searches at once gets three",
  ),
  of(
    "every dependency is named with its reason",
    change("package.json", '"zod": "', '"left-pad": "1.3.0",\n    "zod": "'),
    "docs/dependencies.md names exactly the packages that are used",
  ),
  of(
    "install scripts run where they are allowed",
    change("scripts/install.mjs", 'runNpm("ci", "--ignore-scripts", ', 'runNpm("ci", "--ignore-scripts=false", '),
    "runs the install scripts of the packages that allowScripts lists, and of no others",
  ),
  of(
    "every package is locked by its hash",
    change("package-lock.json", '"node_modules/zod": {', '"node_modules/vitest": {},\n    "node_modules/zod": {'),
    "every package that is installed on this system has a hash in the lock file",
  ),
  of(
    "what has no hash is named",
    change("scripts/install.mjs", "if (unchecked.length > 0) {", "if (unchecked.length > 1e6) {"),
    "a package whose hash the lock file lacks is named as not checked",
  ),
  of(
    "a scope is asked for",
    change(
      `${kit}/auth/principal.ts`,
      "if (this.has(scope)) return;",
      'if (this.has(scope) || this.name !== "") return;',
    ),
    "is forbidden to a key without the scope, and open to one with it",
  ),
  of(
    "a chunk keeps its source",
    change(
      `${knowledge}/ingest/save-item.ts`,
      "return isNew ? { title, hash, source, namespace,",
      'return isNew ? { title, hash, source: "", namespace,',
    ),
    "are saved with their title, hash, source and id, in the order of the request",
  ),
  of(
    "a process has places for so much work",
    change(
      `${kit}/limits/capacity.ts`,
      "if (this.#running[work] >= Math.ceil(total / this.#workers)) throw",
      "if (this.#running[work] >= 1e6 * total) throw",
    ),
    "a full process refuses every further request at once while its streams continue",
  ),
  of(
    "a client that leaves ends the work for it",
    change(
      `${kit}/streams/client-signal.ts`,
      "if (!response.writableFinished) gone.abort(new ClientGoneError());",
      "if (response.writableFinished) gone.abort(new ClientGoneError());",
    ),
    "stops asking the provider when the client leaves",
  ),
  of(
    "who writes to a client waits for it",
    change(
      `${kit}/streams/event-stream.ts`,
      "return body.isFull ? waitForDrain() : done;",
      "return body.isFull ? new Promise((resolve) => setTimeout(resolve, 1)) : done;",
    ),
    "a client that reads nothing stops its producer after a bounded number of bytes",
  ),
  of(
    "a run takes so long",
    change(
      "services/relay/core/run.ts",
      "context.watchDuration(() => this.fail(failures.tooLong))",
      "context.watchDuration(() => undefined)",
    ),
    "ends with an error, and so does the provider's request",
  ),
  of(
    "a client has a share of large bodies",
    change(
      `${kit}/limits/large-bodies.ts`,
      "ofClient + bytes <= limits.largeBodiesBytesPerClient",
      "ofClient + bytes <= limits.largeBodiesBytes",
    ),
    "a client's bodies beyond its share wait until one of its requests has ended, others' don't",
  ),
  of(
    "readers are shared between clients",
    change(
      `${knowledge}/ingest/threads/read-in-worker.ts`,
      "if (bytes <= maxSmallInputSize) {",
      'client = "";\n  if (bytes < 0) {',
    ),
    "beside four clients whose files take for ever, another one's small files are stored",
  ),
  of(
    "a quote is the chunk word for word",
    change(`${knowledge}/librarian/numbered-chunks.ts`, "quote: text,", "quote: text.trim().slice(1),"),
    "cites the chunks that the answer refers to, word for word",
  ),
  of(
    "only what is relevant is found",
    change(`${knowledge}/search/relevance.ts`, "const minRelevance = 0.24;", "const minRelevance = -1;"),
    "finds nothing where nothing has to do with the question, and cites nothing",
  ),
  of(
    "keys are not logged",
    change(
      `${kit}/auth/guard.ts`,
      "record.keyName = principal.name;",
      'record.keyName = String(request.headers["x-api-key"]);',
    ),
    "no key is ever logged, or given to a model",
  ),
  of(
    "a key reaches its own namespaces",
    change(
      `${kit}/auth/principal.ts`,
      "if (this.reaches(namespace)) return;",
      'if (this.reaches(namespace) || this.name !== "") return;',
    ),
    "is forbidden in %j",
  ),
  of(
    "a document without vectors is not stored",
    change(
      `${knowledge}/ingest/embed.ts`,
      "await embedder.embed(texts, signal, model, memory);",
      "await embedder.embed(texts, signal, model, memory).catch(() => [new Float32Array(256)]);",
    ),
    "whose embedding fails lose no other, leave nothing behind, and can come again",
  ),
  of(
    "an event is one line",
    change(`${kit}/streams/event-stream.ts`, "/[\\u0085\\u2028\\u2029]/g", "/[\\u0085\\u2029]/g"),
    "never breaks a frame: %s",
  ),
  of(
    "marks of Markdown are escaped",
    change(`${listing}/render/text.ts`, '.replace(marks, "\\\\$&")', ""),
    "no text of a product can break out of its cell or its link",
    "$what does not break its row, the table or the stream ($tool)",
  ),
  of(
    "the console loads no pictures of a text",
    change(
      "console/markdown/safe-components.tsx",
      'img: ({ src, alt }) => <SafeLink href={typeof src === "string" ? src : undefined}>{alt || "image"}</SafeLink>,',
      "",
    ),
    "of Markdown is rendered, and nothing in it runs, is loaded or leads astray",
  ),
  of(
    "each namespace has a table of its own",
    change(
      `${knowledge}/store/lance/table/schema.ts`,
      'createHash("sha256").update(namespace, "utf8")',
      'createHash("sha256").update(namespace.slice(0, 0), "utf8")',
    ),
    "a document of another namespace is not found in the key's own",
  ),
  of(
    "keys are asked for",
    change(`${kit}/auth/guard.ts`, "return this.#parts.authenticator.isActive;", "return false;"),
    "is shut without credentials, and with wrong ones",
  ),
  of(
    "a token is for this audience",
    change(`${kit}/auth/json-web-tokens.ts`, "    audience: options.audience,\n    algorithms", "    algorithms"),
    "takes the issuer's tokens with the scopes that they carry, and no others",
  ),
  of(
    "a list holds the key's own namespaces",
    change(
      `${knowledge}/http/namespace-routes.ts`,
      "(after === undefined || name > after) && principal.reaches(name);",
      "after === undefined || name > after;",
    ),
    "a key sees its own namespaces alone, page by page",
  ),
  of(
    "what is private is taken out of the provider's messages",
    change(
      "packages/llm/errors/safe-message.ts",
      "for (const pattern of unsafe) safe = safe.replace(pattern, removed);",
      "",
    ),
    "loses what is private: %s",
  ),
  of(
    "an agent doesn't quote its provider",
    change("packages/llm/errors/provider-error.ts", "if (!isQuoted) return message;", "return message;"),
    "whose provider fails is answered with a problem that shows nothing of it",
  ),
  of(
    "a key has so many requests a minute",
    change(`${kit}/auth/guard.ts`, "if (perMinute > 0) await", "if (perMinute < 0) await"),
    "a key that has used up its minute waits, others don't",
  ),
  of(
    "a body has so many bytes",
    change("packages/contract/limits.ts", "bodyBytes: [10 * MiB,", "bodyBytes: [100 * MiB,"),
    "over the size limit is refused with 413",
  ),
  of(
    "a body has so many values",
    change(`${kit}/json-values.ts`, "if (depth <= limits.jsonDepth) return;", "if (depth >= 0) return;"),
    "is refused with more %s than a request needs, before it is parsed",
  ),
  of(
    "a thread has so much memory",
    change(
      `${knowledge}/ingest/threads/read-in-worker.ts`,
      "const { maxMemoryMb } = limits;",
      "const maxMemoryMb = 4_000;",
    ),
    "of memory is stopped and is too large",
  ),
  of(
    "a key has a share of streams",
    change(`${kit}/limits/slots.ts`, "if (own.size >= perKey) return", "if (own.size >= 1e6 * perKey) return"),
    "over a key's share of streams it is asked to wait, while those that run go on",
  ),
  of(
    "the address that was checked is the one that is connected to",
    change(
      `${kit}/safe-fetch/checked-connector.ts`,
      "connectTo({ ...target, hostname: address, servername }, proxy)",
      "connectTo({ ...target, servername }, proxy)",
    ),
    "a name is resolved once, so that it can't change between the check and the connection",
    "a name that resolves to a private address for the proxy leads to the public one that was checked",
  ),
  of(
    "only http and https are followed",
    change(
      `${kit}/safe-fetch/safe-fetch.ts`,
      'if (parsed.protocol !== "https:" && parsed.protocol !== "http:") {',
      'if (parsed.protocol === "") {',
    ),
    "a redirect to an address of another kind is refused",
  ),
  of(
    "an open service at a public address warns",
    change(
      `${kit}/auth/open-guard.ts`,
      "if (!authenticator.isActive && !isLoopback(variables.HOST)) {",
      'if (!authenticator.isActive && variables.HOST === "") {',
    ),
    "at a public address without keys each service warns, and the command that it names mends all while they run",
  ),
  of(
    "a file of keys that can't be read stops the start",
    change(
      `${kit}/auth/key-ring.ts`,
      "if (!(options.mayBeMissing && isMissing(error))) throw",
      "if (error === ring) throw",
    ),
    "with a file of keys that can't be read it does not start, and says how to make one",
  ),
  of(
    "a keyless service answers under known names",
    change(
      `${kit}/auth/browser-policy.ts`,
      "if (request.isKeyless && host !== undefined) this",
      'if (request.isKeyless && host === "") this',
    ),
    "does not answer as %s, which a page can point at it",
  ),
  of(
    "no header names the framework",
    change("services/relay/express/app.ts", '  app.disable("x-powered-by");\n', ""),
    "no header tells what the server is made of",
  ),
  of(
    "addresses are told to those with a key",
    change(`${kit}/lifecycle.ts`, "/^\\/(?:health|ready)\\/?", "/^\\/(?:health|ready|nowhere)\\/?"),
    "answers health and readiness without a key, and says which paths exist only with one",
  ),
  of(
    "metrics have one address",
    change(
      `${kit}/observability/metrics.ts`,
      'if (!/^\\/metrics\\/?(\\?|$)/.test(request.url ?? "")) {',
      'if (request.url === "") {',
    ),
    "are served at one address and for reading only",
  ),
  of(
    "a link leads to the web",
    change(
      `${listing}/render/text.ts`,
      "if (!/^https?:\\/\\//i.test(address) || !URL.canParse(address)) return text;",
      "if (!URL.canParse(address)) return text;",
    ),
    "a product at %j has no link",
  ),
  of(
    "what the provider sends is judged before it is shown",
    change(
      "packages/llm/errors/failures.ts",
      "const message = safeProviderMessage(json === undefined ? answer.body : json, secrets);",
      "const message = answer.body;",
    ),
    "by %s is an error that can be shown",
  ),
  of(
    "what unfolds is counted",
    change(`${kit}/safe-fetch/safe-fetch.ts`, "if (bytesOnDisk > maxBytes)", "if (bytesOnDisk > 1e6 * maxBytes)"),
    "a compressed body that unfolds over the limit is refused",
  ),
];
