import { emptyDeletion, problems } from "@agent-backends/contract";
import { z } from "zod";
import type { FieldRules } from "../fields/unknown-fields.ts";
import { getWarnings, logIgnored, parseInput } from "../problem.ts";
import type { App } from "./app.ts";

/**
 * Validates requests with the zod schemas of the routes registered later. Ignored fields are logged, and named in the `warnings` of object
 * responses.
 */
export function validateFields(app: App): void {
  const otherPlaces = new WeakMap<object, FieldRules["otherPlace"]>();
  app.addHook("onRoute", (route) => {
    if (route.config?.access?.scope === undefined) return;
    // Without a schema fastify would not validate the query at all.
    const query = (route.schema?.querystring ?? z.object({})) as z.ZodType;
    route.schema = { ...route.schema, querystring: query };
    if (route.method === "DELETE") route.schema.body ??= z.undefined(emptyDeletion);
    const body = (route.schema.body ?? route.config.body) as z.ZodType | undefined;
    if (body === undefined) return;
    otherPlaces.set(body, { name: "query", schema: query });
    otherPlaces.set(query, { name: "body", schema: body });
  });
  app.setValidatorCompiler(({ schema, httpPart, method }) => {
    const rules = { otherPlace: otherPlaces.get(schema), isStrict: method === "DELETE" };
    const takesNoQuery =
      httpPart === "querystring" && schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0;
    return (value) => {
      if (takesNoQuery && Object.keys(value).length === 0) return { value };
      try {
        return { value: parseInput(schema as unknown as z.ZodType, value ?? undefined, rules) };
      } catch (error) {
        return { error: httpPart === "body" && value === null ? problems.emptyBody() : (error as Error) };
      }
    };
  });
  // These hooks use callbacks, because they run for every request and a promise costs more.
  app.addHook("preHandler", (request, _reply, done) => {
    logIgnored(request.log, request.id, request.query, request.body);
    done();
  });
  app.addHook("preSerialization", (request, _reply, payload, done) => {
    const warnings = getWarnings(request.query, request.body);
    done(null, warnings.length > 0 ? { ...(payload as object), warnings } : payload);
  });
}
