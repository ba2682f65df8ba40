import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { answer, freePorts, parseSseEvents } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import { describeBoth, eventually, readTextPieces } from "./support/harness.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

/** nginx's default configuration with a shorter timeout for silent streams. The default is 60 s. */
const stock = (relayUrl: string, readTimeout: string) =>
  `location / { proxy_pass ${relayUrl}; proxy_read_timeout ${readTimeout}; }`;

/** The settings of docs/guides/nginx.md, without what belongs to its host. */
function documented(relayUrl: string): string {
  const guide = readFileSync(new URL("../../../docs/guides/nginx.md", import.meta.url), "utf8");
  const [, settings = ""] = /```nginx\nserver \{\n(.*?)\n\}\n```/s.exec(guide) ?? [];
  return settings.replace(/^ *(listen|server_name|ssl_\w+) .*$/gm, "").replace("http://127.0.0.1:8000", relayUrl);
}

/** The guide's settings for several replicas, with these addresses. */
function documentedReplicas(urls: readonly string[]): { upstream: string; settings: string } {
  const guide = readFileSync(new URL("../../../docs/guides/nginx.md", import.meta.url), "utf8");
  const [, upstream = ""] = /```nginx\n(upstream .*?)\n```/s.exec(guide) ?? [];
  const [, settings = ""] = /```nginx\n(proxy_next_upstream .*?)\n```/s.exec(guide) ?? [];
  const left = urls.map((url) => new URL(url).host);
  return {
    upstream: upstream.replace(/10\.0\.0\.\d:8001/g, () => left.shift() ?? ""),
    settings: `${settings} proxy_http_version 1.1; location / { proxy_pass http://knowledge/; }`,
  };
}

async function startNginx(settings: string, upstream = "") {
  const [port = 0] = await freePorts(1);
  const folder = await createTemporaryFolder(onTestFinished);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const configuration = [
    `pid ${folder}/nginx.pid; daemon off; error_log stderr error; events {}`,
    `http { access_log off; ${temporary.join(" ")} gzip on; gzip_types text/event-stream;`,
    upstream,
    `server { listen 127.0.0.1:${port}; ${settings} } }`,
  ];
  writeFileSync(join(folder, "nginx.conf"), configuration.join("\n"));
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "ignore" });
  const url = `http://127.0.0.1:${port}`;
  let up = false;
  await eventually(() => {
    fetch(`${url}/health`).then(
      () => {
        up = true;
      },
      () => undefined,
    );
    return up;
  }, "nginx listened");
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await new Promise((resolve) => child.once("close", resolve));
    },
  };
}

const half = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n`;

describeBoth("behind nginx", (bench) => {
  test("the first event comes at once, and heartbeats carry a silence that nginx would cut", async () => {
    await bench.restart({ heartbeatMs: 250 });
    const nginx = await startNginx(stock(bench.relay.url, "2s"));
    try {
      const { promise: goOn, resolve } = Promise.withResolvers<void>();
      bench.provider.script(answer.bytes([half, goOn, "data: [DONE]\n\n"]));
      const pieces = readTextPieces(await postAgent(nginx.url, runInput()));
      let seen = "";
      while (!seen.includes("half")) seen += (await pieces.next()).value;
      setTimeout(resolve, 2_500);
      for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) seen += piece.value;
      expect(seen).toContain(": keep-alive");
      expect(parseSseEvents(seen).at(-1)?.type).toBe("RUN_FINISHED");
    } finally {
      await nginx.stop();
    }
  });

  test("a client that goes away ends the provider's request, though the provider is silent", async () => {
    const nginx = await startNginx(stock(bench.relay.url, "60s"));
    try {
      bench.provider.script(answer.hangAfter("half"));
      const leaving = new AbortController();
      const pieces = readTextPieces(await postAgent(nginx.url, runInput(), { signal: leaving.signal }));
      const request = await bench.provider.chatRequest();
      let seen = "";
      while (!seen.includes("half")) seen += (await pieces.next()).value;
      leaving.abort();
      await request.closed;
      expect(request.aborted).toBe(true);
    } finally {
      await nginx.stop();
    }
  });

  test("the settings of the guide stream from a path of the host", async () => {
    const nginx = await startNginx(documented(bench.relay.url));
    try {
      const { promise: goOn, resolve } = Promise.withResolvers<void>();
      bench.provider.script(answer.bytes([half, goOn, "data: [DONE]\n\n"]));
      const pieces = readTextPieces(await postAgent(`${nginx.url}/relay`, runInput()));
      let seen = "";
      while (!seen.includes("half")) seen += (await pieces.next()).value;
      resolve();
      for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) seen += piece.value;
      expect(parseSseEvents(seen).at(-1)?.type).toBe("RUN_FINISHED");
    } finally {
      await nginx.stop();
    }
  });

  test("with the guide's settings for replicas nobody notices one that stops, and all learn why none can answer", async () => {
    const refusal = JSON.stringify({ title: "Service unavailable", detail: "The service is shutting down." });
    const stopping = createServer((_request, response) => response.writeHead(503).end(refusal));
    stopping.listen(0, "127.0.0.1");
    await once(stopping, "listening");
    const stoppingUrl = `http://127.0.0.1:${(stopping.address() as AddressInfo).port}`;
    const some = documentedReplicas([stoppingUrl, bench.relay.url]);
    const none = documentedReplicas([stoppingUrl, stoppingUrl]);
    const [toSome, toNone] = [
      await startNginx(some.settings, some.upstream),
      await startNginx(none.settings, none.upstream),
    ];
    try {
      for (let request = 0; request < 4; request += 1) {
        bench.provider.script(answer.text("whole"));
        expect((await postAgent(toSome.url, runInput())).status).toBe(200);
        const refused = await postAgent(toNone.url, runInput());
        expect([refused.status, await refused.text()]).toEqual([503, refusal]);
      }
    } finally {
      await Promise.all([toSome.stop(), toNone.stop()]);
      stopping.closeAllConnections();
      stopping.close();
    }
  });

  test("the address of a run and of the described service have the path of the host", async () => {
    await bench.restart({ runsUrl: "memory:" });
    const nginx = await startNginx(documented(bench.relay.url));
    try {
      const events = await (await postAgent(`${nginx.url}/relay`, runInput())).text();
      const again = await postAgent(`${nginx.url}/relay`, runInput(), {}, "?profile=contract");
      expect(again.status).toBe(409);
      const located = await fetch(new URL(again.headers.get("location") ?? "", again.url));
      expect(await located.text()).toBe(events);
      const description = await fetch(`${nginx.url}/relay/openapi.json`);
      const { servers } = (await description.json()) as { servers: { url: string }[] };
      expect(new URL(servers[0]?.url ?? "", description.url).href).toBe(`${nginx.url}/relay/`);
    } finally {
      await nginx.stop();
    }
  });
});
