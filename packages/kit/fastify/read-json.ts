import type { z } from "zod";
import { refuseManyValues } from "../json-values.ts";
import { invalidInput, ProblemError } from "../problem.ts";
import type { App } from "./create-fastify.ts";

/** Reads bodies as JSON alone, and judges them by the zod schemas of the routes that follow. */
export function readJson(app: App): void {
  const parse = app.getDefaultJsonParser("remove", "remove");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    const json = body.toString();
    if (json.trim() === "null") return done(new ProblemError("invalid-input", "The body must be a JSON object."));
    try {
      refuseManyValues(json);
    } catch (error) {
      return done(error as Error);
    }
    parse(request, json, done);
  });
  app.setValidatorCompiler(({ schema, httpPart }) => (value) => {
    // fastify gives null where there is no body; a body that is the word null was refused by the parser.
    const parsed = (schema as unknown as z.ZodType).safeParse(value ?? undefined);
    if (parsed.success) return { value: parsed.data };
    if (httpPart === "body" && value === null) {
      return { error: new ProblemError("not-json", "The body is empty; send a JSON object.") };
    }
    return { error: invalidInput(parsed.error.issues) };
  });
}
