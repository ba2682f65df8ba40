import type { ChildProcess } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { end } from "./processes.ts";

const startTimeoutMs = 30_000;
const pauseMs = 20;
const keptOutputBytes = 2_000;

/**
 * Resolves when a program that was launched takes connections at a port. What it prints is read, also afterwards.
 *
 * @throws Error with the end of the program's output when it does not come up
 */
export async function untilItListens(child: ChildProcess, port: number): Promise<void> {
  let output = "";
  const keep = (bytes: Buffer) => {
    output = (output + bytes.toString()).slice(-keptOutputBytes);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const deadline = performance.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await end(child);
      throw new Error(`It does not listen. Its last output:\n${output}`);
    }
    await sleep(pauseMs);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
