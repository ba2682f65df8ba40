import { analyze, detectLanguage, getContentTerms } from "@agent-backends/language";
import type { Chunk } from "../../packages/llm/offline/reader/chunks.ts";
import { smallStores } from "../../services/knowledge/tests/small-stores/stores.ts";
import type { LabelledQuestion } from "./questions.ts";

/** Short texts, with questions that they answer, and questions that only share words with them. */
const texts: { texts: string[]; answered: [question: string, answer: string][]; unanswered: string[] }[] = [
  {
    texts: ["Employees get 25 vacation days per year. Requests must be filed two weeks ahead with HR."],
    answered: [["How many days of vacation do employees get?", "25"]],
    unanswered: [
      "How many sick days do I get?",
      "How many days of paternity leave are there?",
      "How many employees are there?",
    ],
  },
  {
    texts: [
      "Hotels may cost up to 120 euros per night.",
      "Trains are booked in second class. First class is paid from four hours on.",
    ],
    answered: [["How much may a hotel cost?", "120"]],
    unanswered: ["How much may dinner cost?", "How much may a taxi cost?", "Is business class paid?"],
  },
  {
    texts: [
      "Der Versand nach Österreich kostet 9,90 Euro.",
      "Haustiere sind nach Absprache mit dem Vermieter erlaubt.",
    ],
    answered: [
      ["Was kostet der Versand nach Österreich?", "9,90"],
      ["Sind Haustiere erlaubt?", "Absprache"],
    ],
    unanswered: [
      "Wie lange dauert der Versand nach Österreich?",
      "Wer ist der Vermieter?",
      "Was kostet der Versand nach Spanien?",
    ],
  },
  {
    texts: [
      "Guests may bring dogs; a dog is 15 euros a night.",
      "The bakery makes rye bread from flour, water and salt.",
    ],
    answered: [
      ["What do dogs cost?", "15"],
      ["Am I allowed to bring a dog?", "Guests may bring dogs"],
      ["What does the bakery make?", "rye bread"],
    ],
    unanswered: ["What do cats cost?", "What is the price of the bread?", "What is the name of the bakery?"],
  },
  {
    texts: ["Die Probezeit dauert für beide Seiten sechs Monate.", "Der Turm ist 80 Meter hoch. Die Brücke ist alt."],
    answered: [
      ["Wie lange dauert die Probezeit?", "sechs Monate"],
      ["Wie hoch ist der Turm?", "80"],
    ],
    unanswered: ["Wie lange dauert der Urlaub?", "Wie hoch ist die Miete?", "Wer baute die Brücke?"],
  },
  {
    texts: ["La piscina abre a las 9 y cierra a las 21.", "El alquiler cuesta 700 euros al mes."],
    answered: [
      ["¿A qué hora abre la piscina?", "9"],
      ["¿Cuánto cuesta el alquiler?", "700"],
    ],
    unanswered: ["¿A qué hora abre el museo?", "¿Cuánto cuesta la entrada?", "¿Quién es el dueño de la piscina?"],
  },
  {
    texts: ["図書館は午後八時に閉まります。庭は広いです。"],
    answered: [["図書館は何時に閉まりますか？", "午後八時"]],
    unanswered: ["図書館の館長は誰ですか？", "プールは何時に閉まりますか？"],
  },
  {
    texts: [
      "The shop opens at 11 and closes at 21 on weekdays.",
      "The harbour museum was founded by Ada Brandt in 1911.",
    ],
    answered: [
      ["When does the shop open?", "11"],
      ["Who founded the harbour museum?", "Ada Brandt"],
    ],
    unanswered: [
      "When does the library open?",
      "Who founded the shop?",
      "Who is the director of the harbour museum?",
      "What is the address of the shop?",
      "What is the phone number of the museum?",
    ],
  },
  {
    texts: [
      "Iwan Roberts was born in Bangor. Roberts has three daughters.",
      "Ellis Turner wrote the estimate of 2022.",
    ],
    answered: [
      ["Where was Iwan Roberts born?", "Bangor"],
      ["Who wrote the estimate of 2022?", "Ellis Turner"],
    ],
    unanswered: [
      "What is the salary of Iwan Roberts?",
      "What is the age of Ellis Turner?",
      "What is the profession of Roberts?",
      "What is the height of Iwan Roberts?",
      "What is the nationality of Ellis Turner?",
      "Who wrote the estimate of 1998?",
      "Who is the father of Gareth Bale?",
    ],
  },
  {
    texts: [
      "A service that gets SIGTERM takes no new requests and ends when the open ones are done.",
      "Receipts are sent to expenses@example.com.",
    ],
    answered: [
      ["What happens on SIGTERM?", "no new requests"],
      ["Where do I send receipts?", "expenses@example.com"],
    ],
    unanswered: ["What happens on SIGHUP?", "Where do I send invoices?"],
  },
  {
    texts: [
      "Notre bibliothèque est ouverte du mardi au samedi de 10 h à 18 h.",
      "La garantie dure deux ans. Elle ne couvre pas la batterie.",
    ],
    answered: [
      ["Quels sont les horaires d'ouverture de la bibliothèque ?", "10 h"],
      ["La batterie est-elle couverte ?", "ne couvre pas"],
    ],
    unanswered: ["Quels sont les horaires d'ouverture de la piscine ?", "Quel est le prix de la batterie ?"],
  },
  {
    texts: [
      "From: Ana Duarte <ana@example.com>\nTo: team@example.com\nDate: 3 May 2026\nSubject: Offsite in June\n\nThe offsite is in Porto.",
    ],
    answered: [
      ["Who sent the mail?", "Ana Duarte"],
      ["Who is the e-mail from?", "Ana Duarte"],
      ["When was the mail sent?", "3 May 2026"],
      ["What is the subject of the mail?", "Offsite in June"],
      ["Where is the offsite?", "Porto"],
    ],
    unanswered: ["How much does the offsite cost?"],
  },
];

/** Maximum length of a title. A text without a title is named by its beginning. */
const maxTitle = 80;

const toChunks = (contents: readonly string[]): Chunk[] =>
  contents.map((content, at) => ({
    number: at + 1,
    title: content.slice(0, maxTitle),
    source: `text:${at}`,
    sheet: "",
    heading: "",
    content,
  }));

type Example = [LabelledQuestion, Chunk[]];

/** Two examples of a question: with the chunks that a search would find, and with all chunks. */
function ask(chunks: Chunk[], question: string, document?: number, answer?: string): Example[] {
  const isAnswerable = document !== undefined;
  const documents = isAnswerable ? [`text:${document}`] : [];
  const answers = answer === undefined ? [] : [[answer]];
  const labelled = { id: question, question, language: "en", answerable: isAnswerable, documents, answer: answers };
  return [findRelated(question, chunks), chunks].map((found) => [{ ...labelled, passage: "", cross: false }, found]);
}

/** The chunks that a search would find: those that share a word with the question. */
function findRelated(question: string, chunks: readonly Chunk[]): Chunk[] {
  const asked = getContentTerms(question);
  return chunks.filter(({ content }) => {
    const language = detectLanguage(content);
    return analyze(content, language ? [language] : []).some((term) => asked.has(term));
  });
}

/** Training data of the reader in addition to questions about real documents. */
export const examples: Example[] = [
  ...smallStores.flatMap(({ documents, unanswerable }) => {
    const chunks = toChunks(documents.map(([text]) => text));
    const answered = documents.flatMap(([, question], at) => ask(chunks, question, at));
    return [...answered, ...unanswerable.flatMap((question) => ask(chunks, question))];
  }),
  ...texts.flatMap(({ texts: contents, answered, unanswered }) => {
    const chunks = toChunks(contents);
    const known = answered.flatMap(([question, answer]) =>
      ask(
        chunks,
        question,
        contents.findIndex((text) => text.includes(answer)),
        answer,
      ),
    );
    return [...known, ...unanswered.flatMap((question) => ask(chunks, question))];
  }),
];
