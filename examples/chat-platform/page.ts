import { presets } from "./presets.ts";
import { streamAnswer } from "./stream-answer.ts";

const form = document.getElementById("registration") as HTMLFormElement;
const answer = document.getElementById("answer") as HTMLOutputElement;
const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement;

function fillIn(): void {
  for (const [name, value] of Object.entries(presets[field("preset").value] ?? {})) field(name).value = value;
}

form.addEventListener("change", ({ target }) => target === field("preset") && fillIn());
form.addEventListener("submit", async (event) => {
  event.preventDefault();
  answer.value = "";
  try {
    const registration = {
      url: field("url").value,
      headers: Object.fromEntries(
        [...field("headers").value.matchAll(/^\s*([\w-]+):\s*(.+)$/gm)].map(([, k, v]) => [k, v]),
      ),
      toolParams: JSON.parse(field("toolParams").value || "{}"),
    };
    for await (const text of streamAnswer(registration, field("message").value)) answer.value += text;
  } catch (error) {
    answer.value += `\n${error}`;
  }
});
fillIn();
