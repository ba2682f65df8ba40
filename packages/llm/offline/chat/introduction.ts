const MAX_TOOLS_NAMED = 10;

/** A greeting in one of the larger languages, with little else around it. */
const greeting =
  /^\W*(?:hello|hi|hey|good (?:morning|day|afternoon|evening)|greetings|hallo|guten (?:morgen|tag|abend)|bonjour|salut|hola|buenos días|olá|ciao|привет|здравствуйте|你好|您好|こんにちは|안녕하세요|مرحبا|नमस्ते)(?:\P{L}|$)/iu;

export const isGreeting = (text: string): boolean => greeting.test(text);

/** Says what the offline provider is, what it can do and how a real one is plugged in. */
export function introduce(question: string, toolNames: string[]): string {
  const opening = isGreeting(question) ? "Hello! I am" : "I can't answer that by myself: I am";
  const sentences = [
    `${opening} the offline provider, and there is no language model behind me.`,
    "I answer from documents and data that come with a request, by quoting and counting, and I embed texts by their words.",
  ];
  if (toolNames.length > 0) {
    const named = toolNames.slice(0, MAX_TOOLS_NAMED).join(", ");
    sentences.push(`I was given tools that I do not call: ${named}${toolNames.length > MAX_TOOLS_NAMED ? ", …" : ""}.`);
  }
  sentences.push(
    "To talk to a real model, set LLM_API_KEY (and LLM_BASE_URL for a provider other than OpenAI) and start again.",
  );
  return sentences.join(" ");
}
