// A thread of its own, so that a provider that parses megabytes delays nobody else.
import { parentPort } from "node:worker_threads";
import { answer, startScriptedProvider } from "@agent-backends/testing";

const forget = () => {
  // What was asked is of no use, and this is asked much.
  provider.requests.length = 0;
};
const provider = await startScriptedProvider({
  script: ({ body }) => {
    forget();
    return body === undefined ? answer.drop() : answer.text("Hello, ", "nobody.");
  },
});
parentPort?.postMessage(provider.baseUrl);
