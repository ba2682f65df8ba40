import {
  ConnectionError,
  InvalidResponseError,
  ProblemError,
  RunError,
  TruncatedStreamError,
} from "@agent-backends/client";
import { CommandError, exitCodes, UsageError } from "./command.ts";
import { addressVariables, keyVariable } from "./connect.ts";

const refusals = [401, 403];

function toExitCode(error: ProblemError): number {
  if (refusals.includes(error.status)) return exitCodes.refused;
  return error.status === 503 ? exitCodes.unreachable : exitCodes.failed;
}

export const doctorHint = " To see why: npx --no-install agents doctor";

/** Clients don't learn details about the provider, but the operator should. */
const hintAtProvider = ({ message }: Error): string => (/^The model provider /.test(message) ? doctorHint : "");

/** Rewords a problem for users who set variables and options instead of headers and routes. */
function describeProblem(error: ProblemError): string {
  const { status, message } = error;
  if (status === 401) {
    const places = `${keyVariable} or --key`;
    // The problem's own advice is about headers.
    const own = / the one you send\.$/;
    if (own.test(message)) return message.replace(own, ` that of ${places}.`);
    return `${message.startsWith("Send a key,") ? "The service asks for a key." : message} Send a key with ${places}.`;
  }
  if (/^There is no \w+ route /.test(message)) {
    return `${error.origin} has no such route: --url takes the address of the service that this command uses, without a route.`;
  }
  return `${message}${hintAtProvider(error)}`;
}

/** Node.js error code of the failed connection. */
const findCode = (error: ConnectionError) => (error.cause as { cause?: { code?: string } } | undefined)?.cause?.code;

/** What is wrong with a service's certificate. Undefined if the connection failed for another reason. */
export function describeCertificate(error: ConnectionError): string | undefined {
  const code = findCode(error) ?? "";
  // https://nodejs.org/api/tls.html#x509-certificate-error-codes
  if (!/CERT|^UNABLE_TO_|SIGNED/.test(code)) return undefined;
  if (/EXPIRED|NOT_YET_VALID/.test(code)) {
    return `the certificate of ${error.origin} has expired or isn't valid yet (${code}): renew it, or set this machine's clock`;
  }
  return `the certificate of ${error.origin} isn't trusted (${code}): set NODE_EXTRA_CA_CERTS to the PEM file of its certificate authority`;
}

/** The message that the user sees for a failure, with the exit code. Undefined for bugs of this program. */
export function toCommandError(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (error instanceof ConnectionError) {
    const certificate = describeCertificate(error);
    if (certificate !== undefined) return new CommandError(`No response: ${certificate}.`, exitCodes.unreachable);
    const cause = findCode(error);
    return new CommandError(
      `${error.message.replace(/\.$/, "")}${cause ? ` (${cause})` : ""}. Start the services with "npm start", or give their address: --url, or ${Object.values(addressVariables).join(", ")}.`,
      exitCodes.unreachable,
    );
  }
  if (error instanceof ProblemError) {
    // If only one field is invalid, the message already names it.
    const others = error.errors.filter(({ detail }) => !error.message.includes(detail.replace(/\.$/, "")));
    const fields = others.map(({ pointer, detail }) => `\n  ${pointer || "/"}: ${detail}`).join("");
    return new CommandError(`${describeProblem(error)}${fields}`, toExitCode(error));
  }
  const isOfStream =
    error instanceof RunError || error instanceof TruncatedStreamError || error instanceof InvalidResponseError;
  if (isOfStream) return new CommandError(`${error.message}${hintAtProvider(error)}`);
  const { code, path, syscall, message } = (error ?? {}) as NodeJS.ErrnoException;
  // Errors about files that the user named.
  if (code === undefined || path === undefined) return undefined;
  if (code === "ENOENT" && syscall?.startsWith("spawn")) {
    return new CommandError(`${path} can't be started: it isn't installed, or its folder isn't in PATH.`);
  }
  if (code !== "ENOENT") return new CommandError(message);
  const hint = /^(?:www\.|(?:[\w-]+\.)+[a-z]{2,}\/)/i.test(path) ? " Addresses begin with https://." : "";
  return new UsageError(`There is no file or folder ${path}.${hint}`);
}
