import { expect, it } from "vitest";
import { addToHash, emptyHash, TermNumbers } from "./term-numbers.ts";

it("numbers terms as a map of strings does, however many there are", () => {
  const terms = Array.from(
    { length: 20_000 },
    (_, index) => `${["", "straße", "мир", "日本"][index % 4]}${index % 7_001}`,
  );
  const numbers = new TermNumbers();
  const plain = new Map<string, number>();
  for (const term of terms) {
    if (!plain.has(term)) plain.set(term, plain.size);
    const bytes = Buffer.from(`a ${term} b`);
    const hash = bytes.subarray(2, -2).reduce(addToHash, emptyHash);
    expect(numbers.add(bytes, 2, bytes.length - 2, hash)).toBe(plain.get(term));
  }
  expect(numbers.size).toBe(plain.size);
  for (const [term, number] of plain) expect(numbers.find(term)).toBe(number);
  for (const term of ["7001", "stra", "日", ""]) expect(numbers.find(term)).toBeUndefined();

  const others = new TermNumbers();
  for (let number = numbers.size - 1; number >= 0; number -= 1) others.addFrom(numbers, number);
  for (const [term, number] of plain) expect(others.find(term)).toBe(numbers.size - 1 - number);
});
