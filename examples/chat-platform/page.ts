import { presets } from "./presets.ts";
import { streamAnswer } from "./stream-answer.ts";

const form = document.getElementById("registration") as HTMLFormElement;
const answer = document.getElementById("answer") as HTMLOutputElement;
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;

function fillIn(): void {
  for (const [name, value] of Object.entries(presets[field("preset").value] ?? {})) field(name).value = value;
}

function parseHeaders(text: string): Record<string, string | undefined> {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^\s*([\w-]+):\s*(.+)$/.exec(line) ?? [];
      if (name === undefined) throw new Error(`"${line}" is not a header; write for example: Authorization: Bearer …`);
      return [name, value];
    }),
  );
}

function parseToolParams(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The tool parameters are not JSON; write for example: {"namespace": "default"}`);
  }
}

form.addEventListener("change", ({ target }) => target === field("preset") && fillIn());
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  answer.value = "";
  try {
    const registration = {
      url: field("url").value,
      headers: parseHeaders(field("headers").value),
      toolParams: parseToolParams(field("toolParams").value || "{}"),
    };
    for await (const text of streamAnswer(registration, field("message").value)) answer.value += text;
  } catch (error) {
    answer.value += `\n${(error as Error).message}`;
  }
});
fillIn();
