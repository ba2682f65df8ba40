import { limits } from "@agent-backends/contract";
import { readCompletionChunk } from "@agent-backends/llm";
import { expect, test } from "vitest";
import { AnswerArtefact, identifyModel, openArtefact, sealArtefact } from "./artefact.ts";

const model = identifyModel("api.deepseek.com deepseek-chat");

test("a model is known by its provider's host and its name, and its vendor by the host", () => {
  expect(model.vendor).toBe("deepseek");
  expect(identifyModel("api.deepseek.com deepseek-chat")).toEqual(model);
  expect(identifyModel("llm.internal.example:8000 deepseek-chat").vendor).toBeUndefined();
  expect(sealArtefact(identifyModel("llm.internal.example:8000 m"), {})).not.toContain("internal");
  for (const other of ["api.deepseek.com deepseek-reasoner", "openrouter.ai deepseek-chat"]) {
    const { origin } = identifyModel(other);
    expect(
      openArtefact(model, sealArtefact({ origin, vendor: undefined }, { reasoning: "reasoning" }) ?? ""),
    ).toBeUndefined();
  }
});

test("what is too large, or has too many values, is neither kept nor opened", () => {
  const extra = { signature: "x".repeat(limits.encryptedValueCharacters) };
  expect(sealArtefact(model, { extra })).toBeUndefined();
  const value = sealArtefact(model, { extra: { list: Array.from({ length: limits.jsonValues + 1 }, () => 1) } }) ?? "";
  expect(openArtefact(model, value)).toBeUndefined();
  const artefact = new AnswerArtefact();
  const chunk = {
    choices: [{ delta: { reasoning_details: [{ type: "reasoning.encrypted", data: extra.signature }] } }],
  };
  artefact.add(readCompletionChunk(chunk));
  expect([artefact.isTooLarge, artefact.get()]).toEqual([true, undefined]);
});
