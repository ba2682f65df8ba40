import { randomUUID } from "node:crypto";
import { z } from "zod";
import { signRequest } from "./sign-request.ts";

/** A store that is slower than this is not waited for at the start; readiness tells of it. */
const probeTimeoutMs = 5_000;
const defaultRegion = "us-east-1";

const text = z.string().trim().min(1).optional().catch(undefined);
/** The variables by which the engine finds a store that speaks S3 and is not Amazon's. */
const endpointVariables = z.object({
  AWS_ENDPOINT: text,
  AWS_ENDPOINT_URL: text,
  AWS_REGION: text,
  AWS_DEFAULT_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: text,
});

/** What was found out: whether a write that must not replace anything is refused where something is, or why that is not known. */
export type ConditionalWrites = "kept" | "ignored" | { unknown: string };

/**
 * Finds out whether an S3-compatible store keeps `If-None-Match: *`, by which a writer learns that another one was first.
 * Two processes on a store that ignores it overwrite each other's commits, so that what was acknowledged is lost. The stores of
 * Amazon, Google and Microsoft keep it and are not asked; nor is a folder.
 *
 * @param location what `KNOWLEDGE_STORE` says
 */
export async function probeConditionalWrites(
  location: string,
  environment: Readonly<Record<string, string | undefined>>,
  request: typeof fetch,
): Promise<ConditionalWrites> {
  const [, bucket, path = ""] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(location) ?? [];
  const found = endpointVariables.parse(environment);
  const endpoint = found.AWS_ENDPOINT ?? found.AWS_ENDPOINT_URL;
  if (bucket === undefined || endpoint === undefined) return "kept";
  if (!URL.canParse(endpoint)) return { unknown: "AWS_ENDPOINT is no address" };
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = found;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return { unknown: "no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set" };

  const name = [bucket, path, `conditional-write-${randomUUID()}`].filter(Boolean).join("/");
  const url = new URL(`${endpoint.replace(/\/+$/, "")}/${name.split("/").map(encodeURIComponent).join("/")}`);
  const region = found.AWS_REGION ?? found.AWS_DEFAULT_REGION ?? defaultRegion;
  const credentials = { accessKeyId, secretAccessKey, sessionToken };
  const send = async (method: "PUT" | "DELETE", headers: Record<string, string>) => {
    const body = method === "PUT" ? "Written to see whether it can be overwritten; may be deleted." : "";
    const signed = signRequest({ method, url, headers, body }, { credentials, region, now: new Date() });
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const response = await request(url, { method, headers: signed, signal, ...(body && { body }) });
    await response.body?.cancel();
    return response.status;
  };
  const create = () => send("PUT", { "if-none-match": "*" });
  try {
    const first = await create();
    // A store that does not know the header at all says so.
    if (first === 501) return "ignored";
    if (first !== 200 && first !== 201) return { unknown: `the store answered ${first} to a write` };
    const second = await create();
    await send("DELETE", {});
    if (second === 412 || second === 409) return "kept";
    return second === 200 || second === 201 ? "ignored" : { unknown: `the store answered ${second} to a second write` };
  } catch (error) {
    return { unknown: `the store can't be reached (${error instanceof Error ? error.name : "error"})` };
  }
}
