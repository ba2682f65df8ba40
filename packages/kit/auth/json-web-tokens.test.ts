import { generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import { createLogger } from "../logger.ts";
import { TokenKeysError } from "./authenticator.ts";
import { createTokenVerifier } from "./json-web-tokens.ts";

test("an issuer that can't be reached is logged once, not for each token, and without a stack", async () => {
  const lines: object[] = [];
  const logger = createLogger("test", "info", { write: (line) => lines.push(JSON.parse(line)) });
  const verifier = createTokenVerifier({
    keysUrl: "http://127.0.0.1:9/jwks",
    issuer: "i",
    audience: "a",
    logger,
    fetch,
  });
  const { privateKey } = await generateKeyPair("ES256");
  const token = await new SignJWT({ sub: "s" }).setProtectedHeader({ alg: "ES256", kid: "k" }).sign(privateKey);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await expect(verifier.verify(token)).rejects.toBeInstanceOf(TokenKeysError);
  }
  expect(lines).toEqual([
    expect.objectContaining({ reason: expect.any(String), msg: expect.stringContaining("AUTH_JWKS_URL") }),
  ]);
  expect(JSON.stringify(lines)).not.toContain("    at ");
});
