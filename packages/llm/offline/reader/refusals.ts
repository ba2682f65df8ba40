import type { Language } from "@agent-backends/language";
import { detectLanguage } from "@agent-backends/language";
import type { Chunk } from "./chunks.ts";

interface Refusal {
  plain: string;
  /** Added when what was found is in other languages only. */
  foreign: string;
}

const english: Refusal = {
  plain: "The documents do not answer this question.",
  foreign:
    "What was found is in another language, and the offline provider can't translate. A real model can: set LLM_API_KEY.",
};
const refusals: Partial<Record<Language, Refusal>> = {
  de: {
    plain: "Die Dokumente beantworten diese Frage nicht.",
    foreign:
      "Was gefunden wurde, ist in einer anderen Sprache, und der Offline-Anbieter kann nicht übersetzen. Ein echtes Modell kann es: LLM_API_KEY setzen.",
  },
  fr: {
    plain: "Les documents ne répondent pas à cette question.",
    foreign:
      "Ce qui a été trouvé est dans une autre langue, et le fournisseur hors ligne ne traduit pas. Un vrai modèle le peut : définissez LLM_API_KEY.",
  },
  es: {
    plain: "Los documentos no responden a esta pregunta.",
    foreign:
      "Lo encontrado está en otro idioma, y el proveedor sin conexión no traduce. Un modelo real sí: defina LLM_API_KEY.",
  },
  it: {
    plain: "I documenti non rispondono a questa domanda.",
    foreign:
      "Ciò che è stato trovato è in un'altra lingua, e il provider offline non traduce. Un vero modello può farlo: imposta LLM_API_KEY.",
  },
  pt: {
    plain: "Os documentos não respondem a esta pergunta.",
    foreign:
      "O que foi encontrado está noutra língua, e o provedor offline não traduz. Um modelo real traduz: defina LLM_API_KEY.",
  },
  pl: {
    plain: "Dokumenty nie odpowiadają na to pytanie.",
    foreign:
      "Znaleziony tekst jest w innym języku, a dostawca offline nie tłumaczy. Prawdziwy model potrafi: ustaw LLM_API_KEY.",
  },
  nl: {
    plain: "De documenten beantwoorden deze vraag niet.",
    foreign:
      "Wat gevonden is, is in een andere taal, en de offline provider vertaalt niet. Een echt model kan dat: stel LLM_API_KEY in.",
  },
  ja: {
    plain: "この質問の答えは文書の中にありません。",
    foreign:
      "見つかった文書は別の言語で書かれており、オフラインプロバイダーは翻訳できません。実際のモデルなら可能です: LLM_API_KEY を設定してください。",
  },
  zh: {
    plain: "文档中没有这个问题的答案。",
    foreign: "找到的内容是其他语言的，离线提供程序不能翻译。真实的模型可以：请设置 LLM_API_KEY。",
  },
  ko: {
    plain: "문서에 이 질문에 대한 답이 없습니다.",
    foreign:
      "찾은 문서는 다른 언어로 되어 있고, 오프라인 제공자는 번역할 수 없습니다. 실제 모델은 가능합니다: LLM_API_KEY를 설정하세요.",
  },
  ar: {
    plain: "لا تجيب الوثائق عن هذا السؤال.",
    foreign: "ما عُثر عليه مكتوب بلغة أخرى، والمزوّد دون اتصال لا يترجم. يستطيع ذلك نموذج حقيقي: اضبط LLM_API_KEY.",
  },
  ru: {
    plain: "Документы не отвечают на этот вопрос.",
    foreign:
      "Найденное написано на другом языке, а офлайн-провайдер не переводит. Настоящая модель может: задайте LLM_API_KEY.",
  },
};

/** Minimum length of a text whose language is known. */
const minKnownLength = 100;

/**
 * Says that the documents don't answer, in the language of the question, else of the last earlier one that has a language ("ok" has
 * none), else of the chunks, else in English. `[0]` cites no chunk.
 */
export function refuse(question: string, chunks: readonly Chunk[], earlier: readonly string[] = []): string {
  const found = chunks.map(({ content }) => content).join("\n");
  const text = [question, ...earlier.toReversed(), found].find((one) => detectLanguage(one) !== undefined);
  const language = text === undefined ? undefined : detectLanguage(text);
  const { plain, foreign } = (language && refusals[language]) ?? english;
  const isForeign = language !== undefined && isOtherLanguage(language, chunks);
  return `[0] ${plain}${isForeign ? ` ${foreign}` : ""}`;
}

/** Whether all chunks are in other languages. That of a few words isn't known. */
function isOtherLanguage(language: Language, chunks: readonly Chunk[]): boolean {
  const texts = chunks.map(({ content }) => content);
  const found = [...texts, texts.join("\n")].map((text) => detectLanguage(text));
  return texts.join().length >= minKnownLength && found.every((other) => other !== undefined && other !== language);
}
