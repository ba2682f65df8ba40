import { expect, it } from "vitest";
import { writeLetters } from "./write-letters.ts";

it.each([
  ["gew¨ahlt, ¨Ubung und M¨uller", "gewählt, Übung und Müller"],
  ["d´ej`a vu, ˆetre, ma˜nana, ˇcesk´y", "déjà vu, être, mañana, český"],
  ["na¨ıve", "naïve"],
  ["no letter has it: ´q ¨b 20 ˜x, ``quoted", "no letter has it: ´q ¨b 20 ˜x, ``quoted"],
  ["ﺍﻟﻀﻤﺎﻥ", "الضمان"],
  ["\uf0b7 tea \uf0fc done", "• tea ✓ done"],
])("%s is %s", (drawn, written) => {
  expect(writeLetters(drawn)).toBe(written);
});
