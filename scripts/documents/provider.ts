// Runs the offline provider in a worker thread, so that its work doesn't delay what is measured.
import { parentPort } from "node:worker_threads";
import { startOfflineProvider } from "@agent-backends/llm/offline";

const { baseUrl } = await startOfflineProvider();
parentPort?.postMessage(baseUrl);
