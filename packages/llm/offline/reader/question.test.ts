import { expect, test } from "vitest";
import { answerFromChunks } from "./answer.ts";
import { readQuestion } from "./question.ts";
import { TextWords } from "./read-chunk.ts";

test.each([
  ["ru", "Какой исторической фигурой был он?", "исторические фигуры"],
  ["fr", "Quelle est la préférée des enfants ?", "les préférés de l'enfant"],
  ["de", "Wer verfasste das Gutachten?", "ein Gutachten verfassen"],
] as const)("the words of a question match other forms of them in %s", (language, question, text) => {
  const words = new TextWords(text, [language]);
  for (const word of readQuestion(question).words) expect(words.match(word), word.word).toBe(1);
});

test.each([
  ["Wann fand der letzte Ausbruch der Pest statt?", "stattfand letzte ausbruch pest"],
  ["Welcher deutsche König nahm die Hugenotten auf?", "deutsche konig aufnahm hugenotten"],
])("the prefix at the end of %j belongs to its verb", (question, words) => {
  expect(
    readQuestion(question)
      .words.map(({ word }) => word)
      .join(" "),
  ).toBe(words);
});

test("what German documents say of another place or person answers nothing", () => {
  const content = "Der Hafen wurde 1987 eröffnet. Der Verein lehnt laute Motoren ab, weil sie Vögel stören.";
  const chunk = { number: 1, title: "notes", source: "file:notes.md", sheet: "", heading: "", content };
  expect(answerFromChunks("Wann wurde der Hafen in Rostock eröffnet?", [chunk])).toMatch(/^\[0\]/);
  expect(answerFromChunks("Warum lehnt Kopenhagen Motoren ab?", [chunk])).toMatch(/^\[0\]/);
  expect(answerFromChunks("Wann wurde der Hafen eröffnet?", [chunk])).toContain("1987");
});

test("a name that no dictionary of Chinese words has is one word, not its characters", () => {
  const content = "森林大厅于1935年建成，设计者是李明。哈尔滨大厅是钦州人设计的。";
  const chunk = { number: 1, title: "notes", source: "file:notes.md", sheet: "", heading: "", content };
  expect(answerFromChunks("哈钦森大厅是谁设计的？", [chunk])).toMatch(/^\[0\]/);
  expect(answerFromChunks("森林大厅是谁设计的？", [chunk])).toContain("李明");
});

test.each([
  ["한명숙은 어느 회사의 사장이었는가?", ["한명숙", "회사", "사장"]],
  ["中山市有80-90人屬於哪個產業?", ["中山", "市", "80", "90", "人", "屬於", "產業"]],
  ["متي تأسس النادي؟", ["تاسس", "النادي"]],
])("the words of %s are without particles and words that ask", (question, expected) => {
  expect(readQuestion(question).words.map(({ word }) => word)).toEqual(expected);
});

test.each([
  ["國富論為何受到批評?", "reason"],
  ["《北魏律》是什麼時候頒布的?", "time"],
  ["電視是誰發明的?", "person"],
  ["회사는 언제 설립되었나?", "time"],
  ["متي تأسس النادي؟", "time"],
  ["اين يقع النادي؟", "place"],
  ["教师如何回应投诉？", undefined],
] as const)("%s asks for %s", (question, type) => expect(readQuestion(question).type).toBe(type));

test("many words of a question that a text has by chance aren't an answer", () => {
  const content = "人造地熱能成為新方法，大量能源的需求增加。工程使用深度鑽孔技術。";
  const chunk = { number: 1, title: "notes", source: "file:notes.md", sheet: "", heading: "", content };
  const question = "長城體系中設置有大量烽燧作為情報傳遞系統，也就是用什麼方式傳遞重要消息的高台?";
  expect(answerFromChunks(question, [chunk])).toMatch(/^\[0\]/);
});

test("the function words of Vietnamese, Hindi and Thai answer nothing", () => {
  const content = `Bảo tàng mở cửa từ thứ ba đến chủ nhật, từ 9 giờ đến 17 giờ. Khách tham quan có thể gửi túi xách ở quầy bên cạnh
cửa chính. Xe đạp được để ở sân sau của tòa nhà.`;
  const chunk = { number: 1, title: "notes", source: "file:notes.md", sheet: "", heading: "", content };
  expect(answerFromChunks("Giám đốc của nơi này là ai và có bao nhiêu người?", [chunk])).toMatch(
    /^\[0\] The documents/,
  );
  expect(answerFromChunks("Bảo tàng mở cửa khi nào?", [chunk])).toContain("từ thứ ba đến chủ nhật");
  const words = ["Có bao nhiêu phòng ở bảo tàng?", "संग्रहालय में कितने कमरे हैं?", "พิพิธภัณฑ์มีห้องกี่ห้อง"].map((question) =>
    readQuestion(question).words.map(({ written }) => written),
  );
  expect(words).toEqual([
    ["phòng", "bảo", "tàng"],
    ["संग्रहालय", "कमरे"],
    ["พิพิธภัณฑ์", "ห้อง"],
  ]);
});

test.each([
  [
    "Wie lange dauert das Laden bei 2,5 A?",
    "- 25 Sekunden Laden bei 0,9 A\n- 9 Sekunden Laden bei 2,5 A",
    "9 Sekunden",
  ],
  ["Qui peut effacer un compte ?", "Seuls les administrateurs peuvent supprimer un compte.", "administrateurs"],
  ["What colour is the boat?", "The boat seats four and is painted grey.", "grey"],
  ["Как поменять пароль?", "Чтобы сменить пароль, откройте профиль.", "откройте профиль"],
  ["كم ثمن التذكرة؟", "سعر التذكرة 20 ريال.", "20"],
])("%j is answered from a text in other words", (question, content, expected) => {
  const chunk = { number: 1, title: "notes", source: "file:notes.md", sheet: "", heading: "", content };
  expect(answerFromChunks(question, [chunk]).split(" [1]")[0]).toContain(expected);
});

test.each([
  ["What colour is the boat?", "The boat seats four and has a mast."],
  ["How many cards may I order?", "You may order cards with the logo of 18F."],
  ["How many cards may I order?", "The cards that you order arrive within 7-10 business days."],
  ["Сколько абзацев в файле?", "Абзацы в файле занимают 4 МБ."],
  ["Wie viel Arbeitsspeicher braucht das Programm?", "Das Programm läuft unter Windows 10."],
  ["What does category B mean?", "What does category O mean?\nIt is for residents who need no care."],
  ["Who is the head of the office?", "Ask the [Office](https://example.com/page#heading=h) in Room Nine."],
])("%j isn't answered by a value of something else", (question, content) => {
  const chunk = { number: 1, title: "notes", source: "file:notes.md", sheet: "", heading: "", content };
  expect(answerFromChunks(question, [chunk])).toMatch(/^\[0\]/);
});

test("a link with a query doesn't end a sentence", () => {
  const content =
    "Sign the [agreement](https://example.com/edit?usp=sharing) before the event. The event is on Monday.";
  const chunk = { number: 1, title: "notes", source: "file:notes.md", sheet: "", heading: "", content };
  expect(answerFromChunks("What do I sign before the event?", [chunk])).toMatch(
    /^Sign the agreement before the event\. \[1\]/,
  );
});
