// Refuses to start on taken ports before anything is compiled, so it imports no compiled package.
import { loadEnvironmentFiles } from "../../packages/kit/environment-files.ts";
import { planConsole, planHost, planServices } from "./plan.ts";
import { isTaken } from "./processes.ts";

try {
  loadEnvironmentFiles(process.cwd());
  const host = planHost(process.env);
  // The second relay chooses another port by itself, unless its port is configured.
  const plans = planServices(process.env).filter(
    ({ key, startPortVariable }) => key !== "relayNest" || process.env[startPortVariable]?.trim(),
  );
  const consolePlan = planConsole(process.env);
  const toPortVariable = new Map<number, string>();
  for (const { name, port, startPortVariable } of [...plans, ...(consolePlan ? [consolePlan] : [])]) {
    const other = toPortVariable.get(port);
    toPortVariable.set(port, startPortVariable);
    if (other !== undefined) {
      process.exitCode = 1;
      console.error(`${other} and ${startPortVariable} are both ${port}; give each a port of its own.`);
      continue;
    }
    if (!(await isTaken(host, port))) continue;
    process.exitCode = 1;
    const chosen = process.env.START_SERVICES?.trim().replaceAll(",", " ");
    const command = chosen ? `npx --no-install agents serve ${chosen}` : "npm start";
    const variable = `${startPortVariable}=${port + 100}`;
    console.error(
      `Port ${port} for ${name} is taken. Stop what uses it, or choose another: ${variable} ${command}\n` +
        `In a file named .env here, ${variable} is there for every command.`,
    );
  }
} catch (error) {
  process.exitCode = 1;
  console.error((error as Error).message);
}
