import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

/** A whole answer. */
export interface Answer {
  status: number;
  text: string;
}

/** An answer takes longer than this only when something is wrong. */
const answerTimeoutMs = 30_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Closes the connections that are kept for further requests. */
export const closeConnections = () => agent.destroy();

/** Asks and reads the whole answer. A string is sent as it is. @throws Error when the connection breaks, or after 30 s */
export async function ask(method: string, url: string, body?: unknown): Promise<Answer> {
  try {
    const response = await open(method, url, body);
    return { status: response.statusCode ?? 0, text: await text(response) };
  } catch (error) {
    throw new Error(`${method} ${new URL(url).pathname}: ${error}`, { cause: error });
  }
}

/** Asks, waits for the first bytes of the answer, and leaves. */
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
