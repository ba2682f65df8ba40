import type { ServerResponse } from "node:http";

/** Sets the headers on a response that is answered without fastify. @returns the response */
export function withHeaders(response: ServerResponse, headers: object): ServerResponse {
  for (const [name, value] of Object.entries(headers)) {
    // Fastify closes the connection after refusing a body. A client that is still sending would never read the answer.
    if (!name.startsWith("content-") && name !== "connection") response.setHeader(name, value);
  }
  return response;
}
