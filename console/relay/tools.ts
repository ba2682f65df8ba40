/** A tool to begin with. */
export const sampleTools = `[
  {
    "name": "get_weather",
    "description": "The weather of a city",
    "parameters": {
      "type": "object",
      "properties": { "city": { "type": "string" } },
      "required": ["city"]
    }
  }
]`;

/** Reads a list of tools from JSON text, or says what is wrong with it. Blank text is an empty list. */
export function parseTools(text: string): { tools: object[] } | { problem: string } {
  if (text.trim() === "") return { tools: [] };
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return { problem: 'Write a JSON list of tools, such as [{ "name": … }].' };
    const nameless = value.findIndex((tool) => typeof tool?.name !== "string" || tool.name === "");
    if (nameless >= 0) return { problem: `Tool ${nameless + 1} has no name.` };
    return { tools: value };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
}
