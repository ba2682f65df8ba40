import { limits } from "../limits.ts";
import type { ProblemCode } from "../problem-error.ts";
import type { JsonSchema } from "./json-schemas.ts";
import { JsonSchemas } from "./json-schemas.ts";
import type { Answer, Operation, Operations } from "./operation.ts";
import { responseHeaders, tags } from "./operation.ts";
import { describeProblems, findProblems, problemExamples, problemSchema, refer } from "./problem-responses.ts";

/** The service-wide parts of an OpenAPI document. */
export interface ApiDescription {
  title: string;
  version: string;
  /** Markdown. */
  description: string;
  operations: Operations;
  /** The source file of the operations, for error messages to whoever adds a route. */
  operationsFile: string;
}

const commonRules = `
- Bodies are UTF-8 JSON of at most ${limits.bodyBytes / 1_048_576} MiB (an ingest's may have longer texts), ${limits.jsonValues} values and ${limits.jsonDepth} levels. Compressed bodies are refused.
- \`null\` counts as absent in optional fields. Unknown fields are ignored and named in \`warnings\` of JSON answers; one that nearly is a known field is a 422.
- Every error before a stream starts is \`application/problem+json\` (RFC 9457). Another method than those listed is a 405 with \`Allow\`, another address a 404.
- Every GET also answers HEAD. Cross-origin requests are permitted, unless \`CORS_ORIGINS\` names the origins that may.
- Request line and headers have at most ${limits.headBytes / 1_024} KiB.`;

/**
 * Builds the OpenAPI 3.2 document of a service from the schemas that validate its requests.
 *
 * @param pause called between two operations: building all of them may block the event loop for too long
 */
export async function buildOpenApi(
  { title, version, description, operations }: ApiDescription,
  pause = () => Promise.resolve(),
): Promise<JsonSchema> {
  const schemas = new JsonSchemas();
  const responses: Record<string, JsonSchema> = {};
  schemas.components.Problem = schemas.convert(problemSchema, "output");
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const [route, operation] of Object.entries(operations)) {
    await pause();
    const [method = "", path = ""] = route.split(" ");
    paths[path] ??= {};
    paths[path][method.toLowerCase()] = describeOperation(route, operation, schemas, responses);
  }
  const used = new Set(Object.values(operations).map(({ tag }) => tag));
  return withoutUnused({
    openapi: "3.2.0",
    info: {
      title,
      version,
      description: description + commonRules,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    // Relative to this document, because a proxy may serve it under another path.
    servers: [{ url: ".", description: "This service" }],
    tags: [...used].map((name) => ({ name, description: tags[name] })),
    paths,
    components: {
      schemas: schemas.components,
      responses,
      headers: Object.fromEntries(
        Object.entries(responseHeaders).map(([name, text]) => [
          name,
          { description: text, schema: { type: "string" } },
        ]),
      ),
      examples: problemExamples(),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "A key, or a token of your identity provider." },
        apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "A key." },
        basic: { type: "http", scheme: "basic", description: "A key as the password, with any user name." },
      },
    },
  });
}

/** Removes unreferenced components, which linters report. */
function withoutUnused(document: JsonSchema & { components: Record<string, object> }): JsonSchema {
  const text = JSON.stringify(document);
  const keepUsed = ([kind, members]: [string, object]) => {
    const used = Object.entries(members).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`));
    return [kind, kind === "securitySchemes" ? members : Object.fromEntries(used)];
  };
  return { ...document, components: Object.fromEntries(Object.entries(document.components).map(keepUsed)) };
}

/** The empty requirement stands for services without keys. */
const keys = (scope: string): JsonSchema[] => [{}, { bearer: [scope] }, { apiKey: [scope] }, { basic: [scope] }];

function describeOperation(
  route: string,
  operation: Operation,
  schemas: JsonSchemas,
  responses: Record<string, JsonSchema>,
): JsonSchema {
  const { id, tag, summary, description, access, parameters, query, headers = {}, body, lines, answers } = operation;
  const [method = ""] = route.split(" ");
  // A router calls the last parameter "*" if it may contain slashes.
  const lastName = /\{(\w+)\}$/.exec(route)?.[1] ?? "";
  const isOpen = access === "open" || access === "probe";
  const scope = isOpen || access === "key" ? "" : `\n\nA key needs the scope \`${access}\`.`;
  const all = [
    ...(parameters ? describeParameters(parameters, "path", schemas) : []).map((parameter) =>
      parameter.name === "*" ? { ...parameter, name: lastName } : parameter,
    ),
    ...(query ? describeParameters(query, "query", schemas) : []),
    ...Object.entries(headers).map(([name, text]) => {
      return { name, in: "header", description: text, schema: { type: "string" } };
    }),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...((description || scope) && { description: `${description ?? ""}${scope}`.trim() }),
    security: isOpen ? [] : keys(access),
    ...(all.length > 0 && { parameters: all }),
    ...(body && { requestBody: describeBody(body, schemas) }),
    ...(lines && {
      requestBody: {
        required: true,
        content: { "application/x-ndjson": { itemSchema: schemas.convert(lines, "input") } },
      },
    }),
    responses: describeResponses(method, operation, answers, schemas, responses),
  };
}

function describeParameters(schema: NonNullable<Operation["query"]>, place: "path" | "query", schemas: JsonSchemas) {
  const { properties, required } = schemas.convertFields(schema, "input");
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    ...((place === "path" || required.includes(name)) && { required: true }),
    schema: property,
  }));
}

function describeBody({ schema, form, isOptional, examples }: NonNullable<Operation["body"]>, schemas: JsonSchemas) {
  return {
    required: isOptional !== true,
    content: {
      "application/json": {
        schema: schemas.convert(schema, "input"),
        examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
      },
      ...(form && { "multipart/form-data": { schema: schemas.convert(form, "input") } }),
    },
  };
}

function describeResponses(
  method: string,
  operation: Operation,
  answers: Readonly<Record<number, Answer>>,
  schemas: JsonSchemas,
  responses: Record<string, JsonSchema>,
): JsonSchema {
  const isBudgeted = Object.values(answers).some(({ headers }) => headers?.includes("RateLimit"));
  const described: JsonSchema = {};
  for (const [status, codes] of findProblems(method, operation)) {
    const name = componentName(codes) + (isBudgeted && status === 429 ? ".budgets" : "");
    responses[name] ??= describeProblems(codes, isBudgeted);
    described[status] = { $ref: `#/components/responses/${name}` };
  }
  for (const [status, answer] of Object.entries(answers)) {
    const own = describeAnswer(answer, schemas);
    const refused = findProblems(method, operation).get(Number(status));
    // Some routes have two responses for one status, which differ in the media type.
    described[status] = refused ? withContent(own, describeProblems(refused, isBudgeted)) : own;
  }
  return described;
}

const componentName = (codes: readonly ProblemCode[]) => codes.join(".");

const withContent = (one: JsonSchema, other: JsonSchema): JsonSchema => ({
  ...one,
  description: `${one.description} Or ${other.description}`,
  content: { ...(one.content as object), ...(other.content as object) },
});

function describeAnswer({ description, headers = [], json, stream, text }: Answer, schemas: JsonSchemas): JsonSchema {
  const content: JsonSchema = {};
  if (json) content["application/json"] = { schema: schemas.convert(json, "output") };
  if (text !== undefined) content[text] = { schema: { type: "string" } };
  for (const format of stream?.formats ?? []) {
    if (stream) Object.assign(content, describeStream(stream, format, schemas));
  }
  return {
    description,
    headers: refer("headers", ["X-Request-Id", ...headers]),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

function describeStream(
  { event, end }: NonNullable<Answer["stream"]>,
  format: "ndjson" | "sse",
  schemas: JsonSchemas,
): JsonSchema {
  const item = schemas.convert(event, "output");
  if (format === "ndjson") return { "application/x-ndjson": { itemSchema: item } };
  const json = { type: "string", contentMediaType: "application/json", contentSchema: item };
  const data = end === undefined ? json : { anyOf: [json, { const: end }] };
  return {
    "text/event-stream": {
      itemSchema: {
        type: "object",
        properties: {
          data,
          id: { type: "string", description: "For `Last-Event-ID`, where the stream can be resumed." },
        },
        required: ["data"],
      },
    },
  };
}
