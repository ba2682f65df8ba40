import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

export interface Answer {
  status: number;
  text: string;
}

/** A response takes longer than this only if something is wrong. */
const answerTimeoutMs = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Closes the connections kept alive for further requests. */
export const closeConnections = () => agent.destroy();

/** Sends a request and reads the whole response. A string body is sent unchanged. @throws Error if the connection breaks, or after 30 s */
export async function ask(method: string, url: string, body?: unknown): Promise<Answer> {
  try {
    const response = await open(method, url, body);
    return { status: response.statusCode ?? 0, text: await text(response) };
  } catch (error) {
    throw new Error(`${method} ${new URL(url).pathname}: ${error}`, { cause: error });
  }
}

/** Sends a request, waits for the first bytes of the response, and disconnects. */
export async function askAndLeave(url: string, body: unknown): Promise<void> {
  const response = await open("POST", url, body);
  await new Promise((resolve) => response.once("readable", resolve).once("end", resolve));
  response.destroy();
}

function open(method: string, url: string, body: unknown): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(answerTimeoutMs);
    const sent = request(url, { method, agent, signal, headers: { "content-type": "application/json" } }, resolve);
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
  });
}
