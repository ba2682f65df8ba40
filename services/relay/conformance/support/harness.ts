import type { RelayProfile } from "@agent-backends/contract";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, parseSseEvents, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, beforeEach, describe } from "vitest";
import type { RelayOptions } from "../../core/options.ts";
import type { Implementation, RunningRelay } from "./implementations.ts";
import { implementationNames, startRelay } from "./implementations.ts";
import { postAgent, runInput } from "./run-inputs.ts";

type Event = { type: string } & Record<string, unknown>;

/** A scripted provider with one of the implementations in front of it. */
export interface Bench {
  provider: ScriptedProvider;
  relay: RunningRelay;
  /** Restarts the relay with other options. */
  restart(options: RelayOptions): Promise<void>;
  /** Runs an input to its end. Checks the framing and returns the events. */
  run(fields?: Record<string, unknown>, profile?: RelayProfile): Promise<Event[]>;
}

/** Declares the test cases for each implementation. They share one bench, which is reset before each case. */
export function describeBoth(title: string, cases: (bench: Bench, name: Implementation) => void): void {
  describe.each(implementationNames)(`${title} (%s)`, (name) => {
    let isChanged = false;
    const start = (options: RelayOptions = {}) => startRelay(name, { baseUrl: bench.provider.baseUrl, ...options });
    const bench = {
      async restart(options: RelayOptions) {
        await bench.relay.close();
        bench.relay = await start(options);
        isChanged = true;
      },
      async run(fields: Record<string, unknown> = {}, profile?: RelayProfile) {
        const response = await postAgent(bench.relay.url, runInput(fields), {}, profile && `?profile=${profile}`);
        return parseSseEvents<Event>(await response.text());
      },
    } as Bench;
    beforeAll(async () => {
      bench.provider = await startScriptedProvider();
      bench.relay = await start();
    });
    beforeEach(async () => {
      if (isChanged) await bench.restart({});
      isChanged = false;
      bench.provider.script(answer.text("Hello ", "from ", "the ", "provider."));
      bench.provider.requests.length = 0;
      bench.relay.log.length = 0;
    });
    afterAll(async () => {
      await bench.relay.close();
      await bench.provider.close();
    });
    cases(bench, name);
  });
}

/** Polls until a condition holds. */
export async function eventually(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`It never happened that ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Reads a streamed response piece by piece as text. */
export function readTextPieces(response: Response): AsyncIterator<string> {
  if (!response.body) throw new Error("The response has no body.");
  return response.body.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
}
