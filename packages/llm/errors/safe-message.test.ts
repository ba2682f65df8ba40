import { describe, expect, it, vi } from "vitest";
import { genericProviderMessage, safeProviderMessage } from "./safe-message.ts";

describe("a provider's message that a client may see", () => {
  it.each([
    "The model `gpt-4.1-mini` does not exist or you do not have access to it.",
    "Rate limit reached for gpt-4o in organization on tokens per min (TPM): Limit 30000, Used 29000. Please try again in 2.5s.",
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130,512 tokens.",
    "Model meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8 is overloaded, e.g. try again and/or wait.",
    "Das Guthaben ist aufgebraucht. 余额不足。",
    "Invalid value for 'messages[0].role': expected one of 'system', 'user'.",
    "The server closed at 10:30 today.",
  ])("is unchanged if it is harmless: %s", (message) => {
    expect(safeProviderMessage(message)).toBe(message);
  });

  it.each([
    ["Incorrect API key provided: sk-proj-abcd****wxyz. See below.", "sk-proj"],
    ["Incorrect API key provided: sk-abcdefghijklmnop", "sk-abc"],
    ["bad header Authorization: Bearer abc.def-ghi123", "abc.def"],
    ["You can find your key at https://user:pass@host.example/keys?token=1234", "host"],
    ["connect ECONNREFUSED 10.1.2.3:8080 while asking", "10.1.2.3"],
    ["connect ECONNREFUSED ::1:11434 while asking", "::1"],
    ["getaddrinfo ENOTFOUND llm.prod.internal today", "llm.prod"],
    ["upstream vllm-7:8000 is not healthy", "vllm-7"],
    ["the api_key=hunter2hunter2 is not valid", "hunter2"],
    ["token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired", "eyJ"],
    ["Unknown user dGhpc2lzYXZlcnlsb25nc2VjcmV0MTIz here", "dGhpc2"],
    ["Failed to open /usr/src/app/node_modules/server.js here", "/usr"],
    ["Failed to open C:\\provider\\secrets.json here", "provider\\"],
    ["Ask operator@provider.example for help", "operator"],
    ["Boom happened\n    at Object.<anonymous> (/srv/app.js:1:2)\n    at next (node:internal:4:5)", "srv"],
    ['Boom happened Traceback (most recent call last):\n File "/srv/x.py", line 3, in run', "x.py"],
  ])("loses what is private: %s", (message, secret) => {
    const safe = safeProviderMessage(message);
    expect(safe).not.toContain(secret);
    expect(safe).not.toBe(genericProviderMessage);
  });

  it("never holds the configured key, plain or encoded", () => {
    const key = "my own/key";
    const forms = `${key} ${encodeURIComponent(key)} ${Buffer.from(key).toString("base64")}`;
    expect(safeProviderMessage(`The key ${forms} is wrong`, [key])).toBe(
      "The key [removed] [removed] [removed] is wrong",
    );
  });

  it("contains no part of a key where a long text is cut", () => {
    const key = "my own/key-1234567890";
    for (let characters = 3_950; characters < 4_050; characters += 1) {
      // The long word is taken out, so that the end of what is looked at is shown.
      const safe = safeProviderMessage(`See ${"x".repeat(characters)} ${key} and more ${"y ".repeat(50)}`, [key]);
      expect(safe).not.toContain("my own");
    }
  });

  it("drops words that are too long to be words", () => {
    expect(safeProviderMessage(`Invalid value ${"a-".repeat(101)} in messages`)).toBe(
      "Invalid value [removed] in messages",
    );
  });

  it.each(["a-", "a.", "a1", "sk-", "key_", "a+", "a*", "1.", "é", "co.", " at x", "secret=", "<"])(
    "is looked for in few characters and in short words of megabytes of %j",
    (piece) => {
      const exec = vi.spyOn(RegExp.prototype, "exec");
      safeProviderMessage(`Boom ${piece.repeat(4_000_000 / piece.length)}`, ["secret-key"]);
      const texts = exec.mock.calls.map(([text]) => text);
      const [afterLongWords] = texts.slice(-1);
      exec.mockRestore();
      expect(texts.length).toBeGreaterThan(10);
      expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(4_000);
      expect(afterLongWords).not.toMatch(/[!-~]{201}/);
    },
  );

  it("is one short line without control characters", () => {
    const safe = safeProviderMessage(`first\r\n\u001b[31msecond\u202e ${"word ".repeat(1000)}`);
    expect(safe).toMatch(/^first \[31msecond word/);
    expect(Array.from(safe)).toHaveLength(1_000);
  });

  it.each([
    ["a gateway's page", "<html><body>502 nginx/1.25</body></html>"],
    ["nothing but an address", "http://10.0.0.1:9999/"],
    ["no text", undefined],
    ["a blank text", "  \n "],
    ["an unknown shape", { failure: true }],
  ])("is a general sentence for %s", (_what, value) => {
    expect(safeProviderMessage(value)).toBe(genericProviderMessage);
  });

  it.each([
    ["an Error", new Error("Too busy")],
    ["OpenAI's error object", { error: { message: "Too busy", type: "server_error" } }],
    ["Google's list", [{ error: { code: 400, message: "Too busy", status: "INVALID_ARGUMENT" } }]],
    ["FastAPI's details", { detail: [{ type: "missing", loc: ["body"], msg: "Too busy" }] }],
    ["Mistral's details", { object: "error", message: { detail: [{ type: "missing", msg: "Too busy" }] } }],
  ])("is found in %s", (_what, value) => {
    expect(safeProviderMessage(value)).toBe("Too busy");
  });

  it("is looked for in few levels of an error object", () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}"Too deep"${"]".repeat(100_000)}`);
    expect(safeProviderMessage(deep)).toBe(genericProviderMessage);
  });
});
