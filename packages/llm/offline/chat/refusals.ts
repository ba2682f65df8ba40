import type { Language } from "@agent-backends/language";

const refusals: Partial<Record<Language, string>> = {
  de: "Die Dokumente beantworten diese Frage nicht.",
  fr: "Les documents ne répondent pas à cette question.",
  es: "Los documentos no responden a esta pregunta.",
  it: "I documenti non rispondono a questa domanda.",
  pt: "Os documentos não respondem a esta pergunta.",
  nl: "De documenten beantwoorden deze vraag niet.",
  ja: "この質問の答えは文書の中にありません。",
  zh: "文档中没有这个问题的答案。",
  ko: "문서에 이 질문에 대한 답이 없습니다.",
  ar: "لا تجيب الوثائق عن هذا السؤال.",
  ru: "Документы не отвечают на этот вопрос.",
};

/**
 * How a question of a language begins. Few words are too little to detect the language by: "come" is Italian for "how", "was kostet"
 * has more Dutch words than German ones.
 */
const openings: [Language, RegExp][] = [
  ["en", /^\W*(?:how|when|where|what|who|which|why|can|could|does|did)\s/i],
  [
    "de",
    /^\W*(?:wer|wann|wo|warum|wieso|wie ?viele?|was (?:kostet|kosten|ist|sind|macht))\s|^\W*(?:öffnungszeiten|preise?)\W*$/i,
  ],
  ["fr", /^\W*(?:qui|quand|où|combien|pourquoi|quels?|quelles?)\s|^\W*prix\W*$/i],
  ["ja", /^何[時人年月日]/],
];

/** Says that the documents don't answer, in the question's language or in English. `[0]` cites no chunk. */
export function refuse(question: string, detected: Language | undefined): string {
  const language = openings.find(([, opening]) => opening.test(question))?.[0] ?? detected;
  return `[0] ${(language && refusals[language]) ?? "The documents do not answer this question."}`;
}
