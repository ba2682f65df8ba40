import { randomUUID } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { describe, expect, onTestFinished, test } from "vitest";
import { isPublicAddress } from "./public-address.ts";
import type { SafeFetchOptions } from "./safe-fetch.ts";
import { safeFetch as safeFetchTo } from "./safe-fetch.ts";

const serve = (listener: RequestListener) => listenOnLoopback(createServer(listener), onTestFinished);

const folder = await createTemporaryFolder();

type Options = Omit<SafeFetchOptions, "path">;
const safeFetch = (url: string, options: Options) => safeFetchTo(url, { ...options, path: join(folder, randomUUID()) });

const options: Options = { allowPrivate: true, timeoutMs: 5_000, maxBytes: 10_000 };
const guarded = { ...options, allowPrivate: false };

describe("addresses that are not public", () => {
  test.each([
    "http://127.0.0.1/",
    "http://localhost/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://169.254.169.254/latest/meta-data/",
    "http://168.63.129.16/",
    "http://100.100.100.200/",
    "http://[fd00:ec2::254]/",
    "http://10.0.0.1/",
    "http://192.168.1.1/",
    "http://0.0.0.0/",
  ])("%s is refused", async (url) => {
    await expect(safeFetch(url, guarded)).rejects.toMatchObject({ code: "forbidden_address" });
  });

  test("a name with one private address among public ones is refused", async () => {
    const resolveHost = async () => ["93.184.215.14", "10.0.0.7"];
    await expect(safeFetch("http://mixed.example/", { ...guarded, resolveHost })).rejects.toMatchObject({
      code: "forbidden_address",
    });
  });

  test("a name is resolved once, so that it can't change between the check and the connection", async () => {
    const base = await serve((_request, response) => response.end("inside"));
    let lookups = 0;
    const resolveHost = async () => {
      lookups += 1;
      return ["127.0.0.1"];
    };
    const url = `http://rebinding.example:${new URL(base).port}/`;
    const { path } = await safeFetch(url, { ...options, resolveHost });
    expect(await readFile(path, "utf8")).toBe("inside");
    expect(lookups).toBe(1);
  });

  test.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://169.254.170.2/",
    "http://[::ffff:169.254.169.254]/",
    "http://[::169.254.169.254]/",
    "http://[64:ff9b::a9fe:a9fe]/",
    "http://168.63.129.16/",
    "http://100.100.100.200/",
    "http://192.0.0.192/",
    "http://[fd00:ec2::254]/",
    "http://[fd20:ce::254]/",
  ])("%s is a cloud's metadata service and refused where private addresses are allowed", async (url) => {
    await expect(safeFetch(url, options)).rejects.toMatchObject({ code: "forbidden_address", message: /metadata/ });
  });

  test("public ones are let through by the check", () => {
    expect(isPublicAddress("93.184.215.14")).toBe(true);
    expect(isPublicAddress("2606:2800:21f:cb07:6820:80da:af6b:8b2c")).toBe(true);
    expect(isPublicAddress("not an address")).toBe(false);
  });
});

test.each([
  "file:///etc/passwd",
  "ftp://example.com/",
  "javascript:alert(1)",
  "nonsense",
  "http://user:secret@example.com/",
])("%s is no address that can be read", async (url) => {
  await expect(safeFetch(url, options)).rejects.toMatchObject({ code: "invalid_url" });
});

test("a page comes with its final address and content type", async () => {
  const base = await serve((request, response) => {
    if (request.url === "/old") return response.writeHead(302, { Location: "/new" }).end();
    response.writeHead(200, { "Content-Type": "text/html", "Content-Encoding": "gzip" }).end(gzipSync("<p>Hello</p>"));
  });
  const { path, ...page } = await safeFetch(`${base}/old`, options);
  expect(page).toEqual({ url: `${base}/new`, contentType: "text/html", bytesOnDisk: 12 });
  expect(await readFile(path, "utf8")).toBe("<p>Hello</p>");
  expect((await stat(path)).mode & 0o077).toBe(0);
});

test("a redirect to an address of another kind is refused", async () => {
  const base = await serve((_request, response) => response.writeHead(302, { Location: "file:///etc/passwd" }).end());
  await expect(safeFetch(base, options)).rejects.toMatchObject({ code: "invalid_url" });
});

test("endless redirects end", async () => {
  const base = await serve((_request, response) => response.writeHead(302, { Location: "/" }).end());
  await expect(safeFetch(base, options)).rejects.toMatchObject({ code: "unreachable" });
});

test("a compressed body that unfolds over the limit is refused", async () => {
  const bomb = gzipSync(Buffer.alloc(5_000_000));
  const base = await serve((_request, response) => response.writeHead(200, { "Content-Encoding": "gzip" }).end(bomb));
  await expect(safeFetch(base, options)).rejects.toMatchObject({ code: "too_large" });
});

test("a body that drips for ever ends at the deadline", async () => {
  const base = await serve((_request, response) => {
    const drip = setInterval(() => response.write("."), 20);
    response.on("close", () => clearInterval(drip));
  });
  await expect(safeFetch(base, { ...options, timeoutMs: 200 })).rejects.toMatchObject({ code: "timed_out" });
});

test("an error status and a closed port say so", async () => {
  const base = await serve((_request, response) => response.writeHead(404).end());
  await expect(safeFetch(base, options)).rejects.toMatchObject({ code: "http_status", message: /404/ });
  await expect(safeFetch("http://127.0.0.1:9/", options)).rejects.toMatchObject({ code: "unreachable" });
});

test.each(["100", undefined])("a page that breaks off says so (content-length %s)", async (length) => {
  const base = await serve((_request, response) => {
    response.writeHead(200, length === undefined ? {} : { "Content-Length": length }).write("The beginning");
    setTimeout(() => response.destroy(), 50);
  });
  const message = "The connection broke before the whole answer had arrived; try again.";
  await expect(safeFetch(base, options)).rejects.toMatchObject({ code: "unreachable", message });
});

test("a caller that gives up stops the fetch with its own reason", async () => {
  const base = await serve(() => undefined);
  const reason = new Error("gave up");
  const controller = new AbortController();
  setTimeout(() => controller.abort(reason), 50);
  await expect(safeFetch(base, { ...options, signal: controller.signal })).rejects.toBe(reason);
});
