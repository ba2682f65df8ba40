import { problems } from "@agent-backends/contract";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import { receiveJson } from "../json-body.ts";
import { invalidInput } from "../problem.ts";
import type { App } from "./create-fastify.ts";

/** Reads bodies as JSON alone, and judges them by the zod schemas of the routes that follow. */
export function readJson(app: App): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", async (request: FastifyRequest) => {
    const body = await receiveJson(request.raw);
    // Fastify gives null where there is no body: here it is the word null.
    if (body === null) throw problems.notAnObject();
    return body;
  });
  app.setValidatorCompiler(({ schema, httpPart }) => (value) => {
    const parsed = (schema as unknown as z.ZodType).safeParse(value ?? undefined);
    if (parsed.success) return { value: parsed.data };
    if (httpPart === "body" && value === null) {
      return { error: problems.emptyBody() };
    }
    return { error: invalidInput(parsed.error.issues) };
  });
}
