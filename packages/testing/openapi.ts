import type { Operations } from "@agent-backends/contract/openapi";
import { buildOpenApi } from "@agent-backends/contract/openapi";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { Ajv2020 } from "ajv/dist/2020.js";

type Json = Record<string, unknown>;

interface Received {
  method: string;
  /** Path of the request, without the query. */
  path: string;
  status: number;
  contentType: string | null;
  text: string;
}

/** Compares responses with a service's OpenAPI document. */
export class OpenApiValidator {
  readonly document: Json;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: { pattern: RegExp; path: string }[];

  private constructor(document: Json) {
    this.document = document;
    this.#ajv.addSchema(closeObjects(document), "openapi");
    this.#paths = Object.keys(document.paths as Json)
      .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}/?$`) }))
      .sort((one, other) => one.path.split("{").length - other.path.split("{").length);
  }

  static async of(operations: Operations): Promise<OpenApiValidator> {
    const description = { title: "Test", version: "1", description: "", operations, operationsFile: "" };
    return new OpenApiValidator(await buildOpenApi(description));
  }

  /** Lists the differences between a response and the document. Routes that aren't in the document are ignored. */
  findFaults({ method, path, status, contentType, text }: Received): string[] {
    const described = this.#paths.find(({ pattern }) => pattern.test(path))?.path;
    const operation = described && ["paths", described, method.toLowerCase()];
    if (!operation || this.#get(operation) === undefined) return [];
    const where = this.#resolve([...operation, "responses", String(status)]);
    const name = `${method} ${described} ${status}`;
    if (this.#get(where) === undefined) return [`${name} is not in the document: ${text.slice(0, 300)}`];
    if (text === "" && contentType === null) return [];
    const [type = ""] = contentType?.split(";") ?? [];
    const content = [...where, "content", type];
    if (this.#get(content) === undefined)
      return [`${name} has no content ${type} in the document: ${text.slice(0, 300)}`];
    return this.#findInContent(content, type, text).map((fault) => `${name} ${fault}`);
  }

  #findInContent(content: string[], type: string, text: string): string[] {
    const item = [...content, "itemSchema"];
    if (type === "application/x-ndjson") {
      const lines = text.split("\n").filter((line) => line !== "");
      return lines.flatMap((line) => this.#validate(item, JSON.parse(line)));
    }
    if (type === "text/event-stream") {
      const data = [...item, "properties", "data"];
      const { anyOf } = this.#get(data) as { anyOf?: { const?: string }[] };
      const events = text.split("\n").flatMap((line) => (line.startsWith("data: ") ? line.slice(6) : []));
      const schema = anyOf ? [...data, "anyOf", "0", "contentSchema"] : [...data, "contentSchema"];
      return events
        .filter((value) => value !== anyOf?.[1]?.const)
        .flatMap((value) => this.#validate(schema, JSON.parse(value)));
    }
    return type.endsWith("json") ? this.#validate([...content, "schema"], JSON.parse(text)) : [];
  }

  #validate(place: readonly string[], value: unknown): string[] {
    const $ref = `openapi#/${place.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
    const validate = this.#validators.get($ref) ?? this.#ajv.compile({ $ref });
    this.#validators.set($ref, validate);
    if (validate(value)) return [];
    const errors = validate.errors?.map(({ instancePath, message, params }) => {
      return `${instancePath} ${message} ${JSON.stringify(params)}`;
    });
    return [`doesn't fit its schema: ${errors?.slice(0, 5).join("; ")} in ${JSON.stringify(value).slice(0, 500)}`];
  }

  /** Follows references to the final place. */
  #resolve(place: string[]): string[] {
    const { $ref } = (this.#get(place) ?? {}) as { $ref?: string };
    return $ref === undefined ? place : $ref.slice(2).split("/");
  }

  #get(place: readonly string[]): unknown {
    return place.reduce<unknown>((value, part) => (value as Json | undefined)?.[part], this.document);
  }
}

/**
 * Closes the document's objects: the document itself allows fields that are added later, but tests refuse all that it doesn't name. Exempts
 * the parts of an `allOf`, each of which sees the fields of the others.
 */
function closeObjects(document: Json): Json {
  const parts = new Set(
    [...JSON.stringify(document).matchAll(/"allOf":\[\{"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(
      ([, name]) => name,
    ),
  );
  const close = (value: unknown, isPart: boolean): unknown => {
    if (Array.isArray(value)) return value.map((one) => close(one, isPart));
    if (typeof value !== "object" || value === null) return value;
    const closed = Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const isInPart = key === "allOf" || (isPart && /^(oneOf|anyOf)$/.test(key)) || parts.has(key);
        return [key, close(inner, isInPart)];
      }),
    );
    const isObject = closed.type === "object" && "properties" in closed;
    return isObject && !isPart && !("additionalProperties" in closed)
      ? { ...closed, additionalProperties: false }
      : closed;
  };
  return close(document, false) as Json;
}

/** Building a judge takes long, and test files share their modules. */
const validators = new WeakMap<Operations, Promise<OpenApiValidator>>();
/** Active judges by the base URL of their service. */
const sitting = new Map<string, OpenApiValidator>();

/**
 * Makes reading a response of a service throw if the service's document doesn't describe it. The returned function ends this.
 *
 * @param baseUrl base URL of the service
 */
export async function validateResponses(operations: Operations, baseUrl: string): Promise<() => void> {
  const made = validators.get(operations) ?? OpenApiValidator.of(operations);
  validators.set(operations, made);
  sitting.set(baseUrl, await made);
  globalThis.fetch = judgedFetch;
  return () => void sitting.delete(baseUrl);
}

const unjudgedFetch = globalThis.fetch;

const judgedFetch: typeof fetch = async (input, init) => {
  const response = await unjudgedFetch(input, init);
  const { origin, pathname: path } = new URL(response.url);
  const judge = sitting.get(origin);
  const method = init?.method ?? (input instanceof Request ? input.method : "GET");
  if (judge === undefined || method === "HEAD") return response;
  const { status, headers } = response;
  const read = response.text.bind(response);
  const text = async () => {
    const received = await read();
    const faults = judge.findFaults({ method, path, status, contentType: headers.get("content-type"), text: received });
    if (faults.length > 0)
      throw new Error(`A response and the OpenAPI document (packages/contract/openapi) differ:\n${faults.join("\n")}`);
    return received;
  };
  return Object.assign(response, { text, json: async () => JSON.parse(await text()) });
};

interface ExampleRun {
  /** Base URL of the service. */
  baseUrl: string;
  /** Returns the URL of a route that has parameters, with a query if one is needed. */
  address: (route: string) => string | Promise<string>;
  /** Bodies for routes without examples, as newline-delimited JSON, or for routes whose examples need another server. */
  bodies?: Record<string, () => Promise<string | object>>;
  headers?: Record<string, Record<string, string>>;
}

/** Sends every example of the document, and calls every route without one. Returns the status of each response. */
export async function sendExamples(judge: OpenApiValidator, run: ExampleRun): Promise<Record<string, number>> {
  const operations = Object.entries(judge.document.paths as Record<string, Record<string, Json>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const statuses: Record<string, number> = {};
  // Deletes come last, because deleted resources can't be read any more.
  operations.sort((one, other) => Number(one.method === "DELETE") - Number(other.method === "DELETE"));
  for (const { method, path, operation } of operations) {
    const route = `${method} ${path}`;
    const { content } = (operation.requestBody ?? {}) as {
      content?: Record<string, { examples: Record<string, { value?: object }> }>;
    };
    const examples = Object.entries(content?.["application/json"]?.examples ?? { "": { value: undefined } });
    for (const [name, { value }] of examples) {
      const given = await run.bodies?.[route]?.();
      const type = typeof given === "string" ? "application/x-ndjson" : "application/json";
      const body = typeof given === "string" ? given : (given ?? value) && JSON.stringify(given ?? value);
      const response = await fetch(run.baseUrl + (await run.address(route)), {
        method,
        headers: { ...(body && { "Content-Type": type }), ...run.headers?.[route] },
        ...(body && { body }),
      });
      const { status, headers } = response;
      const contentType = headers.get("content-type");
      const text = await response.text();
      const faults = judge.findFaults({ method, path, status, contentType, text });
      if (status >= 400 || faults.length > 0)
        throw new Error(`${route} ${name} answered ${status}: ${text.slice(0, 300)}\n${faults.join("\n")}`);
      statuses[`${route} ${name}`.trim()] = status;
    }
  }
  return statuses;
}
