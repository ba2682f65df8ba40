import { createHash, createHmac } from "node:crypto";

export interface ObjectStoreCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/**
 * The headers of a request to an S3-compatible store, signed with AWS Signature Version 4
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 *
 * @param request.headers further headers, with names in lower case; they are signed as well
 * @param request.url without a query
 */
export function signRequest(
  request: { method: string; url: URL; headers: Record<string, string>; body: string },
  { credentials, region, now }: { credentials: ObjectStoreCredentials; region: string; now: Date },
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const bodyHash = sha256(request.body);
  const headers: Record<string, string> = {
    ...request.headers,
    host: request.url.host,
    "x-amz-content-sha256": bodyHash,
    "x-amz-date": time,
    ...(credentials.sessionToken && { "x-amz-security-token": credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const canonicalHeaders = names.map((name) => `${name}:${headers[name]?.trim()}\n`).join("");
  const signedHeaders = names.join(";");
  const path = request.url.pathname;
  const canonical = [request.method, path, "", canonicalHeaders, signedHeaders, bodyHash].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n");
  const keys = [time.slice(0, 8), region, "s3", "aws4_request"];
  const key = keys.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${credentials.secretAccessKey}`);
  const signature = hmac(key, toSign).toString("hex");
  const { host: _, ...sent } = headers;
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
