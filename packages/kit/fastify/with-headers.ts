import type { ServerResponse } from "node:http";

/** Copies the headers to a response that is written without fastify. @returns the response */
export function withHeaders(response: ServerResponse, headers: object): ServerResponse {
  for (const [name, value] of Object.entries(headers)) {
    // Fastify closes the connection after it refuses a body. A client that is still sending would then never read the response.
    if (!name.startsWith("content-") && name !== "connection") response.setHeader(name, value);
  }
  return response;
}
