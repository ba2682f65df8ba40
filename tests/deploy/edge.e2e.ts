import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceProcess } from "@agent-backends/testing";
import { answer, freePorts, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { deploy, readText, root } from "./files.ts";

const folder = mkdtempSync(join(tmpdir(), "deploy-edge-"));
const provider = await startScriptedProvider();
const [port = 0] = await freePorts(1);
const environment = { SERVER_NAME: "agents.test", PUBLIC_HOST: "agents.test" };
let nginx: ChildProcess;
let relay: ServiceProcess;

/** What the image's own entry point does: replaces variables of the environment in a template. */
const fill = (file: string) =>
  Object.entries(environment).reduce(
    (filled, [name, value]) => filled.replaceAll(`\${${name}}`, value),
    readText(`compose/edge/${file}`),
  );

beforeAll(async () => {
  // nginx reads the page as another user.
  chmodSync(folder, 0o755);
  relay = await startService(join(root, serviceMains["relay-express"]), {
    LLM_BASE_URL: provider.baseUrl,
    ALLOWED_HOSTS: "*",
  });
  const made = readText("compose/edge/certificate.sh").replaceAll("/certs", folder);
  execFileSync("sh", ["-c", made], { env: { ...process.env, ...environment } });
  writeFileSync(join(folder, "console.json"), fill("console.json.template"));
  const server = fill("default.conf.template")
    .replace("listen 8443 ssl;\n  http2 on;", `listen 127.0.0.1:${port} ssl http2;`)
    .replaceAll("/certs", folder)
    .replace("/usr/share/nginx/html", join(root, "console/dist"))
    .replace("/etc/nginx/conf.d", folder)
    .replace(/resolver .*;/, "")
    .replace("http://relay:8000", relay.baseUrl);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = `pid ${folder}/pid; daemon off; events {} http { include /etc/nginx/mime.types; access_log off; ${temporary.join(" ")} ${server} }`;
  writeFileSync(join(folder, "nginx.conf"), configuration);
  nginx = spawn("nginx", ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")], { stdio: "inherit" });
  while (nginx.exitCode === null && !(await get("/").catch(() => undefined))) await delay(50);
});
afterAll(async () => {
  nginx.kill();
  await relay.end();
  await provider.close();
  rmSync(folder, { recursive: true });
});

function get(path: string, body?: object) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; headers: object; text: string }>();
  const options = {
    port,
    rejectUnauthorized: false,
    method: body ? "POST" : "GET",
    headers: { "Content-Type": "application/json", Host: "agents.test" },
  };
  request(`https://127.0.0.1:${port}${path}`, options, async (response) => {
    resolve({ status: response.statusCode ?? 0, headers: response.headers, text: await text(response) });
  })
    .on("error", reject)
    .end(body && JSON.stringify(body));
  return promise;
}

test("the edge serves the console with its policy and the services' addresses", async () => {
  const page = await get("/");
  expect(page).toMatchObject({ status: 200, headers: { "content-type": "text/html" } });
  expect(page.headers).toMatchObject({ "content-security-policy": expect.stringContaining("default-src 'none'") });
  const [, script = ""] = /src="([^"]+\.js)"/.exec(page.text) ?? [];
  expect(await get(script)).toMatchObject({
    status: 200,
    headers: { "content-type": expect.stringContaining("javascript") },
  });
  const told = await get("/console.json");
  expect(told.headers).toMatchObject({ "content-type": "application/json" });
  expect(JSON.parse(told.text).addresses.relay).toBe("https://agents.test/relay");
});

test("a run streams through the edge, below the service's name", async () => {
  provider.script(() => answer.text("Hello there"));
  const run = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hello" }] };
  const answered = await get("/relay/agent", run);
  expect(answered.status).toBe(200);
  expect(answered.text).toMatch(/Hello there.*RUN_FINISHED/s);
});

test("a service that isn't there is a 502, and the others go on", async () => {
  expect((await get("/listing/health")).status).toBe(502);
  expect((await get("/relay/health")).status).toBe(200);
});

test("docker-compose accepts the file", () => {
  // Debian's version is older than the field `name`.
  const compose = readText("compose/compose.yaml").replace(/^name: .*$/m, "");
  const file = join(folder, "compose.yaml");
  writeFileSync(file, compose);
  const options = { env: { ...process.env, LLM_API_KEY: "sk-test" }, encoding: "utf8" } as const;
  const printed = execFileSync(
    "docker-compose",
    ["--project-directory", join(deploy, "compose"), "-f", file, "config"],
    options,
  );
  expect(printed).toContain("context: ");
});
