import { join } from "node:path";
import { services } from "@agent-backends/contract";
import { answer, startScriptedProvider, startService } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { postAgent, runInput } from "./support/run-inputs.ts";

const root = join(import.meta.dirname, "../../..");
const [warmUpRuns, measuredRuns] = [600, 300];
/** When something holds finished runs until the next full collection, it is 8,000 and more. */
const maxKeptBytesPerRun = 3_000;

// The lines of `--trace-gc` have the heap's size in MB before and after each collection.
const collection = /: (Scavenge|Mark-Compact).*? [\d.]+ \([\d.]+\) -> ([\d.]+) \(/;

test.concurrent.each([services.relay, services.relayNest])(
  "young collections leave nothing of finished runs ($title)",
  async ({ main, nodeFlags }) => {
    const provider = await startScriptedProvider();
    const relay = await startService(
      join(root, main),
      { LLM_BASE_URL: provider.baseUrl, LOG_LEVEL: "info" },
      { nodeArguments: [...nodeFlags, "--trace-gc"] },
    );
    provider.script(answer.text("Hello ", "from ", "the ", "provider."));
    const run = async (count: number) => {
      for (let done = 0; done < count; done += 1) {
        provider.requests.length = 0;
        await (await postAgent(relay.baseUrl, runInput({ runId: "" }))).text();
      }
    };
    await run(warmUpRuns);
    const printedBefore = relay.printed.length;
    await run(measuredRuns);
    const collections = relay.printed.slice(printedBefore).flatMap((line) => {
      const [, kind, megabytes] = collection.exec(line) ?? [];
      return kind ? [{ kind, bytes: Number(megabytes) * 1_000_000 }] : [];
    });
    await relay.end("SIGKILL");
    await provider.close();
    const kept = collections
      .slice(1)
      .map(({ kind, bytes }, index) => (kind === "Scavenge" ? bytes - (collections[index]?.bytes ?? 0) : 0));
    expect(collections.length).toBeGreaterThan(3);
    expect(kept.reduce((sum, bytes) => sum + Math.max(0, bytes), 0) / measuredRuns).toBeLessThan(maxKeptBytesPerRun);
  },
  180_000,
);
