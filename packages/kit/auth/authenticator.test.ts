import { createServer } from "node:http";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { createLogger } from "../logger.ts";
import { Authenticator } from "./authenticator.ts";
import { createTokenVerifier } from "./json-web-tokens.ts";

const { publicKey, privateKey } = await generateKeyPair("RS256");
const issuer = createServer((_request, response) => {
  response.writeHead(answer.status, { "Content-Type": "application/json" });
  response.end(answer.body);
});
const jwk = { ...(await exportJWK(publicKey)), alg: "RS256", kid: "one" };
let answer = { status: 200, body: JSON.stringify({ keys: [jwk] }) };

const keysUrl = `${await listenOnLoopback(issuer)}/jwks`;

function authenticator(url = keysUrl): Authenticator {
  const logger = createLogger("test", "silent");
  const tokens = createTokenVerifier({
    keysUrl: url,
    issuer: "https://login.example.com",
    audience: "us",
    logger,
    fetch,
  });
  return new Authenticator({ tokens });
}

function token(claims: Record<string, unknown>, kid = "one"): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", kid })
    .setIssuer("https://login.example.com")
    .setAudience("us")
    .setSubject("a-user")
    .setExpirationTime("1m")
    .sign(privateKey);
}

const bearer = async (jwt: Promise<string>) => ({ authorization: `Bearer ${await jwt}` });

test.each([
  [{ scope: "ask read openid" }, ["ask", "read"], []],
  [{ scope: ["write", "root"], namespaces: ["a b", "customer-*"] }, ["write"], ["a b", "customer-*"]],
  [{ scope: "admin", namespaces: "a customer-*" }, ["admin"], ["a", "customer-*"]],
  [{ scope: 7, namespaces: { a: true } }, [], []],
  [{}, [], []],
])("a token with %j stands for what it says and for nothing else", async (claims, scopes, namespaces) => {
  const principal = await authenticator().authenticate(await bearer(token(claims)));
  expect(principal).toMatchObject({ name: "a-user", scopes, namespaces, rate: undefined });
});

test("tokens of one subject are counted as one, those of others apart", async () => {
  const judge = authenticator();
  const [one, again] = [
    await judge.authenticate(await bearer(token({ scope: "ask" }))),
    await judge.authenticate(await bearer(token({ scope: "read" }))),
  ];
  expect(one.id).toBe(again.id);
  const other = new SignJWT({}).setProtectedHeader({ alg: "RS256", kid: "one" }).setSubject("another");
  const signed = other
    .setIssuer("https://login.example.com")
    .setAudience("us")
    .setExpirationTime("1m")
    .sign(privateKey);
  expect((await judge.authenticate(await bearer(signed))).id).not.toBe(one.id);
});

test("a key that the issuer does not have is a wrong credential", async () => {
  const attempt = authenticator().authenticate(await bearer(token({ scope: "ask" }, "unknown")));
  await expect(attempt).rejects.toMatchObject({ code: "unauthorized" });
});

test.each([
  ["answers with an error", () => ({ status: 500, body: "{}" })],
  ["answers with something else", () => ({ status: 200, body: "<html>" })],
  ["has no keys to show", () => ({ status: 200, body: "{}" })],
])("while the issuer %s, tokens can't be checked, and clients are told to come back", async (_what, wrong) => {
  const right = answer;
  answer = wrong();
  try {
    const attempt = authenticator().authenticate(await bearer(token({ scope: "ask" })));
    await expect(attempt).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "5" } });
  } finally {
    answer = right;
  }
});

test("an unreachable issuer doesn't refuse tokens permanently", async () => {
  const attempt = authenticator("http://127.0.0.1:1/jwks").authenticate(await bearer(token({ scope: "ask" })));
  await expect(attempt).rejects.toMatchObject({ code: "unavailable" });
});
