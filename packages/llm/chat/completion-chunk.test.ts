import { expect, it } from "vitest";
import { chunkMembers, readCompletionChunk } from "./completion-chunk.ts";

/** An object that notes the names of the members read from it. */
function recording(members: object, read: Set<string>): object {
  return new Proxy(members, {
    get(target, name) {
      if (typeof name === "string") read.add(name);
      return Reflect.get(target, name);
    },
  });
}

it("names every member it reads, so that the relay's fast path loses none", () => {
  const read = { chunk: new Set<string>(), choice: new Set<string>(), delta: new Set<string>() };
  const delta = recording({ content: "Hello" }, read.delta);
  const choice = recording({ index: 0, delta }, read.choice);
  readCompletionChunk(recording({ choices: [choice] }, read.chunk));
  expect(read).toEqual(chunkMembers);
});
