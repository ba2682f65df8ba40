/** A rough count of tokens: one for every four characters, as OpenAI's rule of thumb for English says. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
