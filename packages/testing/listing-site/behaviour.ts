import type { ServerResponse } from "node:http";

/** How the stand-in listing site responds to a request. */
export type Behaviour =
  | { kind: "well" }
  /** Breaks the connection. */
  | { kind: "down" }
  /** Responds once `until` settles. Without it, never. */
  | { kind: "slow"; until?: Promise<unknown> }
  /** Responds with 429 without a `message`, as the real site does. */
  | { kind: "limited"; resetSeconds: number }
  /** Responds normally, with headers that say the budget is used up. */
  | { kind: "spent"; resetSeconds: number }
  /** Responds with GraphQL errors and status 200. */
  | { kind: "errors" }
  /** Responds with an HTML page and status 503. */
  | { kind: "html" }
  /** Responds with 401, as for a wrong token. */
  | { kind: "unauthorized" }
  /** Redirects to another URL. */
  | { kind: "redirect"; to: string }
  /** Responds with a body of this many bytes. */
  | { kind: "huge"; bytes: number };

/** Applies the behaviour. Returns false if the request still needs a normal response. Headers for it are then already set. */
export async function misbehave(behaviour: Behaviour, response: ServerResponse): Promise<boolean> {
  switch (behaviour.kind) {
    case "well":
      return false;
    case "down":
      response.destroy();
      return true;
    case "slow":
      await (behaviour.until ?? new Promise(() => undefined));
      return response.destroyed;
    case "limited": {
      const { resetSeconds } = behaviour;
      const details = { limit: 6250, remaining: -50, reset_in: resetSeconds };
      const error = { error: "rate_limit_reached", error_description: "The limit is reached.", details };
      json(response, 429, { data: null, errors: [error] }, budget(-50, resetSeconds));
      return true;
    }
    case "spent":
      for (const [name, value] of Object.entries(budget(0, behaviour.resetSeconds))) response.setHeader(name, value);
      return false;
    case "errors":
      json(response, 200, {
        errors: [{ message: "Query has complexity of 1126, which exceeds max complexity of 1000" }],
      });
      return true;
    case "html":
      response.writeHead(503, { "Content-Type": "text/html" });
      response.end("<html><body>Service Unavailable</body></html>");
      return true;
    case "unauthorized":
      json(response, 401, {
        data: null,
        errors: [{ error: "invalid_oauth_token", error_description: "No such token." }],
      });
      return true;
    case "redirect":
      response.writeHead(302, { Location: behaviour.to });
      response.end();
      return true;
    case "huge":
      response.writeHead(200, { "Content-Type": "application/json" });
      response.end(`"${"x".repeat(behaviour.bytes)}"`);
      return true;
  }
}

export function json(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}

function budget(remaining: number, resetSeconds: number): Record<string, string> {
  return {
    "X-Rate-Limit-Limit": "6250",
    "X-Rate-Limit-Remaining": String(remaining),
    "X-Rate-Limit-Reset": String(resetSeconds),
  };
}
