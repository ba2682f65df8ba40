import { randomUUID } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { z } from "zod";

/** Timeout of each request of the probe. Readiness reports a slower store. */
const probeTimeoutMs = 5_000;
const defaultRegion = "us-east-1";

const text = z.string().trim().min(1).optional().catch(undefined);
/** The variables that the engine reads for an S3-compatible store other than Amazon's. */
const endpointVariables = z.object({
  AWS_ENDPOINT: text,
  AWS_ENDPOINT_URL: text,
  AWS_REGION: text,
  AWS_DEFAULT_REGION: text,
  AWS_ACCESS_KEY_ID: text,
  AWS_SECRET_ACCESS_KEY: text,
  AWS_SESSION_TOKEN: text,
});

/** Whether the store refuses a conditional write if the object exists, or why that is unknown. */
export type ConditionalWrites = "kept" | "ignored" | { unknown: string };

/**
 * Probes whether an S3-compatible store honours `If-None-Match: *`, which tells a writer that another one was first. On a store that
 * ignores it, processes overwrite each other's commits, and acknowledged documents are lost. The stores of Amazon, Google and Microsoft
 * honour it and are not probed.
 *
 * @param address `s3://…`, `gs://…` or `az://…`
 */
export async function probeConditionalWrites(
  address: string,
  environment: Readonly<Record<string, string | undefined>>,
  request: typeof fetch,
): Promise<ConditionalWrites> {
  const [, bucket, path = ""] = /^s3:\/\/([^/]+)\/?(.*?)\/*$/.exec(address) ?? [];
  const found = endpointVariables.parse(environment);
  const endpoint = found.AWS_ENDPOINT ?? found.AWS_ENDPOINT_URL;
  if (bucket === undefined || endpoint === undefined) return "kept";
  if (!URL.canParse(endpoint)) return { unknown: "AWS_ENDPOINT is no address" };
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = found;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    return { unknown: "no AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are set" };

  const name = [bucket, path, `conditional-write-${randomUUID()}`].filter(Boolean).join("/");
  const url = `${endpoint.replace(/\/+$/, "")}/${name.split("/").map(encodeURIComponent).join("/")}`;
  const region = found.AWS_REGION ?? found.AWS_DEFAULT_REGION ?? defaultRegion;
  const sessionToken = found.AWS_SESSION_TOKEN;
  const send = async (method: "PUT" | "DELETE", headers: Record<string, string>) => {
    const body = method === "PUT" ? { body: "Written to see whether it can be overwritten; may be deleted." } : {};
    const credentials = { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
    const signer = new AwsV4Signer({ method, url, headers, ...body, ...credentials, service: "s3", region });
    const signed = await signer.sign();
    const signal = AbortSignal.timeout(probeTimeoutMs);
    const response = await request(signed.url, { method, headers: signed.headers, signal, ...body });
    await response.body?.cancel();
    return response.status;
  };
  const create = () => send("PUT", { "if-none-match": "*" });
  try {
    const first = await create();
    // A store that doesn't know the header answers with 501.
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
