import { loadEnvironmentFiles } from "@agent-backends/kit";
import { runKeys } from "./run.ts";

loadEnvironmentFiles(process.cwd());
const { output, notes, exitCode } = await runKeys(process.argv.slice(2), process.env.AUTH_KEYS_FILE);
process.stderr.write(notes);
process.stdout.write(output);
process.exitCode = exitCode;
