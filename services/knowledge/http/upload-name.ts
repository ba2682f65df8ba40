import { posix } from "node:path";

/**
 * The name of an uploaded file with the folders that were sent with it, `docs/guide/README.md`, or "unnamed". Both kinds of
 * slashes separate folders. Of an absolute path only the file's own name is kept: the rest says where it lay on the client's
 * disk.
 */
export function parseUploadName(sent: string): string {
  const path = sent.replace(/\p{Cc}/gu, "").replaceAll("\\", "/");
  const isAbsolute = /^([a-z]:)?\//i.test(path);
  // Resolved below a root, so that ".." never leads out of it.
  const resolved = posix.resolve("/", path.replace(/^[a-z]:/i, ""));
  return (isAbsolute ? posix.basename(resolved) : resolved.slice(1)) || "unnamed";
}
