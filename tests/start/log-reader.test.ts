import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePorts } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { root } from "./npm-process.ts";

test("a service whose log is no longer read still exits with 0 on SIGTERM", async () => {
  const [port] = await freePorts(1);
  const service = spawn(process.execPath, ["services/listing/dist/main.js"], {
    cwd: root,
    env: { ...process.env, PORT: String(port), LLM_API_KEY: "key" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const bytes of service.stdout) if (String(bytes).includes("listens on")) break;
  service.stdout.destroy();
  service.kill("SIGTERM");
  expect(await once(service, "exit")).toEqual([0, null]);
});
