import { expect, it } from "vitest";
import { parseUploadName } from "./multipart-form.ts";

it.each([
  ["README.md", "README.md"],
  ["docs/guide/README.md", "docs/guide/README.md"],
  ["docs\\guide\\README.md", "docs/guide/README.md"],
  ["./docs//guide/./README.md", "docs/guide/README.md"],
  ["docs/../../../etc/passwd", "etc/passwd"],
  ["..\\..\\secret.txt", "secret.txt"],
  ["/home/ada/notes.txt", "notes.txt"],
  ["C:\\Users\\ada\\notes.txt", "notes.txt"],
  ["C:notes.txt", "notes.txt"],
  ["a\0b/c\r\n.txt", "ab/c.txt"],
  ["Zürich/Öffnung szeiten.md", "Zürich/Öffnung szeiten.md"],
  ["", "unnamed"],
  ["..", "unnamed"],
  ["/", "unnamed"],
])("an upload sent as %j is named %j", (sent, name) => {
  expect(parseUploadName(sent)).toBe(name);
});
