import type { Language } from "@agent-backends/language";
import { detectLanguage } from "@agent-backends/language";

/** Longer messages say more than a greeting. */
const maxCharacters = 100;

const ofWords = (words: string) => new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, "giu");

/** Greetings, thanks and farewells by language, and what to answer. A tie goes to the language listed first, and to English last. */
const courtesies: { language: Language; words: RegExp; answer: string }[] = [
  {
    language: "de",
    words: ofWords(
      "hallo|moin|servus|grüß gott|gute[nr]? (?:morgen|tag|abend|nacht)|(?:schönen|vielen|besten|herzlichen) dank|danke(?:schön)?|tschüss?|auf wiedersehen|wie geht(?:['’ ]?s| es)(?: dir| ihnen)?",
    ),
    answer: "Ich beantworte Fragen zu den Dokumenten dieser Wissensdatenbank. Was möchten Sie daraus wissen?",
  },
  {
    language: "fr",
    words: ofWords("bonjour|bonsoir|salut|merci(?: beaucoup| bien)?|au revoir|(?:comment )?ça va"),
    answer: "Je réponds aux questions sur les documents de cette base. Que voulez-vous y trouver ?",
  },
  {
    language: "es",
    words: ofWords("hola|buen[oa]s (?:días|tardes|noches)|(?:muchas )?gracias|adiós|qué tal"),
    answer: "Respondo a preguntas sobre los documentos de esta base. ¿Qué quiere saber de ellos?",
  },
  {
    language: "it",
    words: ofWords("ciao|salve|buongiorno|buonasera|grazie(?: mille)?|arrivederci|come (?:va|stai|sta)"),
    answer: "Rispondo a domande sui documenti di questa base. Che cosa vuole sapere?",
  },
  {
    language: "pt",
    words: ofWords("olá|oi|bom dia|boa (?:tarde|noite)|(?:muito )?obrigad[oa]|tudo bem"),
    answer: "Respondo a perguntas sobre os documentos desta base. O que quer saber deles?",
  },
  {
    language: "pl",
    words: ofWords("cześć|dzień dobry|dobry wieczór|dzięki|dziękuję(?: bardzo)?|do widzenia"),
    answer: "Odpowiadam na pytania o dokumenty w tej bazie. O co chodzi?",
  },
  {
    language: "nl",
    words: ofWords(
      "hoi|goede(?:morgen|middag|navond)|goedendag|bedankt|dank (?:je|u)(?: wel)?|tot ziens|hoe gaat het(?: met (?:je|u))?",
    ),
    answer: "Ik beantwoord vragen over de documenten in deze kennisbank. Wat wilt u eruit weten?",
  },
  {
    language: "ru",
    words: ofWords("привет|здравствуйте|добрый (?:день|вечер)|доброе утро|(?:большое )?спасибо|до свидания|как дела"),
    answer: "Я отвечаю на вопросы о документах этой базы. Что вы хотите узнать?",
  },
  {
    language: "ja",
    words: ofWords("こんにちは|おはよう(?:ございます)?|こんばんは|(?:どうも)?ありがとう(?:ございま(?:す|した))?"),
    answer: "このナレッジベースの文書についての質問に答えます。何をお知りになりたいですか？",
  },
  {
    language: "zh",
    words: ofWords("你好|您好|早上好|晚上好|谢谢(?:你|您)?|再见"),
    answer: "我回答有关此知识库文档的问题。您想了解什么？",
  },
  {
    language: "ko",
    words: ofWords("안녕(?:하세요|하십니까)?|감사(?:합니다|해요)|고마워요?|고맙습니다"),
    answer: "이 지식 베이스의 문서에 관한 질문에 답합니다. 무엇을 알고 싶으신가요?",
  },
  {
    language: "ar",
    words: ofWords("مرحبا|أهلا|السلام عليكم|شكرا(?: جزيلا)?"),
    answer: "أجيب عن أسئلة حول وثائق قاعدة المعرفة هذه. ماذا تريد أن تعرف منها؟",
  },
  {
    language: "en",
    words: ofWords(
      "hello|hi|hey|greetings|good (?:morning|day|afternoon|evening|night)|thanks|thank you|thx|cheers|(?:good)?bye|how are you(?: doing)?",
    ),
    answer: "I answer questions about the documents of this knowledge base. What would you like to know from them?",
  },
];

/** Words beside a greeting or thanks that ask nothing. */
const fillers = ofWords(
  "ok(?:ay)?|oh|ja|yes|super|great|perfe[ck]t[oa]?|prima|toll|nochmals?|again|there|everyone|all|zusammen|leute|dir|ihnen|euch|sehr|vielmals|so|very|much|a lot|then|und|and|et|y|e|for (?:the|your) help|für (?:die|deine|ihre) hilfe",
);

/**
 * The answer to a message that is nothing but a greeting or thanks, which no document can answer: what to ask, in the language of
 * the conversation, else of the message. `[0]` cites no chunk. Undefined for any other message.
 */
export function answerCourtesy(message: string, earlier: readonly string[]): string | undefined {
  if (message.length > maxCharacters) return undefined;
  let rest = message;
  const said = courtesies.filter(({ words }) => {
    const before = rest;
    rest = rest.replace(words, " ");
    return rest !== before;
  });
  if (said.length === 0 || /[\p{L}\p{N}]/u.test(rest.replace(fillers, " "))) return undefined;
  const spoken = earlier.map((text) => detectLanguage(text)).findLast((language) => language !== undefined);
  const courtesy = courtesies.find(({ language }) => language === spoken) ?? said[0];
  return courtesy && `[0] ${courtesy.answer}`;
}

const openings = courtesies.map(({ words }) => new RegExp(String.raw`^${words.source}[\s,.!:–-]+`, "iu"));

/** A question without the greeting before it, whose words say nothing of what is asked. */
export const withoutGreeting = (question: string): string =>
  openings.reduce((rest, opening) => rest.replace(opening, ""), question);
