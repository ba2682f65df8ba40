import { ConfigurationError, loadEnvironmentFiles } from "@agent-backends/kit/environment-files";
import { exitCodes } from "./command.ts";
import { run } from "./run.ts";

try {
  loadEnvironmentFiles(process.cwd());
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(exitCodes.usage);
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader such as head that closes the pipe early isn't a failure.
  if (error.code === "EPIPE") process.exit(exitCodes.ok);
  process.stderr.write(`agents: the output can't be written: ${error.message}\n`);
  process.exit(exitCodes.failed);
});

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    // On the second signal, exit without waiting for the command to clean up.
    if (interrupted.signal.aborted) process.exit(exitCodes.interrupted);
    interrupted.abort();
  });
}

process.exitCode = await run(process.argv.slice(2), {
  environment: process.env,
  fetch,
  signal: interrupted.signal,
  now: Date.now,
  stdout: process.stdout,
  stderr: process.stderr,
});
