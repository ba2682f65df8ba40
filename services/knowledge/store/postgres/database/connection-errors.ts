import { DatabaseError } from "pg";

/** Socket errors of Node.js. A host that isn't found may still be starting, as in a compose file. */
const socketErrors = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "ENOTFOUND", "EAI_AGAIN"]);
/** The server is shutting down, has crashed, is starting, has no connection left, or is read-only because another server has taken over. */
const passingErrors = new Set(["57P01", "57P02", "57P03", "53300", "25006"]);
/** Wrong user, password or database. The error persists until somebody changes the settings. */
const refusedConnections = new Set(["28000", "28P01", "3D000"]);
/** Deadlocks and serialisation failures. One of the transactions has to start again. */
const conflictErrors = new Set(["40001", "40P01"]);
/** The driver's messages for connections that end during a query. These errors have no code. */
const lostConnection = /Connection terminated|connection error and is not queryable|timeout expired/;

/** Whether an error means that there is no connection to the server. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError) return error.errors.some(isConnectionError);
  const code = (error as { code?: unknown }).code;
  // Class 08 contains connection errors. PgBouncer answers with it while the server is down.
  if (error instanceof DatabaseError) return passingErrors.has(String(code)) || String(code).startsWith("08");
  return socketErrors.has(String(code)) || lostConnection.test(error.message);
}

/** Whether the server refuses connections until somebody changes the settings. */
export const isRefusedConnection = (error: unknown): boolean =>
  error instanceof DatabaseError && refusedConnections.has(String(error.code));

/** The driver's message for a server without TLS. This error has no code. */
const noTls = /does not support SSL/;

const unknownAuthority =
  "has a certificate of an unknown authority: add sslrootcert=/path/ca.pem, the authority's certificate, to KNOWLEDGE_STORE";
/** Reasons by Node.js's codes for refused certificates. */
const certificateRefusals: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: "has a certificate that has expired: renew it",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "has a certificate for another host: put the name it was issued for into KNOWLEDGE_STORE, or sslmode=verify-ca",
};

/** Why the server can't be used, as the end of a sentence about it. Undefined for any other error. */
export function explainRefusal(error: unknown): string | undefined {
  const code = String((error as { code?: unknown }).code);
  if (!(error instanceof DatabaseError)) {
    if (isConnectionError(error)) return noAnswer;
    if (error instanceof Error && noTls.test(error.message))
      return "does not offer TLS, which KNOWLEDGE_STORE asks for";
    return certificateRefusals[code];
  }
  if (/no pg_hba.conf entry .* no encryption/.test(error.message))
    return "takes connections with TLS only: add sslmode=verify-full to KNOWLEDGE_STORE";
  if (/requires a valid client certificate/.test(error.message))
    return "asks for a client certificate: add sslcert=/path/client.pem and sslkey=/path/client.key to KNOWLEDGE_STORE";
  return refusals[code] ?? (isConnectionError(error) ? noAnswer : undefined);
}

const noAnswer = "does not answer: start it, or check the host and the port of KNOWLEDGE_STORE";

const refusals: Readonly<Record<string, string>> = {
  "28P01": "refuses the password of KNOWLEDGE_STORE",
  "28000": "refuses the user of KNOWLEDGE_STORE",
  "3D000": "does not have the database of KNOWLEDGE_STORE: create it",
  "42501": "does not let the user of KNOWLEDGE_STORE create or use its schema: make the user its owner",
  "53300": "has no connections left: lower KNOWLEDGE_DATABASE_CONNECTIONS, or put PgBouncer between",
};

export const isConflict = (error: unknown): boolean =>
  error instanceof DatabaseError && conflictErrors.has(String(error.code));

export const isUniqueViolation = (error: unknown): boolean => error instanceof DatabaseError && error.code === "23505";
export const isForeignKeyViolation = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === "23503";
