// Sends questions to an agent through assistant-ui's runtime, as a page would, and prints the conversation as JSON.
// Usage: node ask.mjs <address> <question>…
import { setImmediate } from "node:timers/promises";
import { HttpAgent } from "@ag-ui/client";
import { useAgUiRuntime } from "@assistant-ui/react-ag-ui";
import { createElement } from "react";
import { create } from "react-test-renderer";

const [url, ...questions] = process.argv.slice(2);
const agent = new HttpAgent({ url });
const errors = [];
let runtime;

function Page() {
  runtime = useAgUiRuntime({ agent, onError: ({ message }) => errors.push(message) });
  return null;
}

create(createElement(Page));
while (!runtime) await setImmediate();
for (const text of questions) {
  const { promise: answered, resolve } = Promise.withResolvers();
  let hasStarted = false;
  const stop = runtime.thread.subscribe(() => {
    const { isRunning } = runtime.thread.getState();
    hasStarted ||= isRunning;
    if (hasStarted && !isRunning) resolve();
  });
  runtime.thread.append({ role: "user", content: [{ type: "text", text }] });
  await answered;
  stop();
}
const messages = runtime.thread.getState().messages.map(({ role, status, content }) => ({ role, status, content }));
// React keeps the process alive, so exit.
process.stdout.write(JSON.stringify({ messages, errors }), () => process.exit());
