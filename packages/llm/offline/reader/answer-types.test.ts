import { expect, it } from "vitest";
import { findAnswerType } from "./answer-types.ts";

it.each([
  ["Сколько стоит билет?", "money"],
  ["Сколько человек в комиссии?", "number"],
  ["Сколько дней хранится заявка?", "duration"],
  ["В каком году основан клуб?", "time"],
  ["Кто отвечает за ключи?", "person"],
  ["Где проходит собрание?", "place"],
  ["Почему занятие отменили?", "reason"],
  ["Нигде не сказано", undefined],
  ["Po ilu dniach kwitnie odmiana?", "duration"],
  ["W jakich godzinach otwarta jest biblioteka?", "time"],
  ["من هو المدير؟", "person"],
  ["كم مدة الإجازة؟", "duration"],
  ["Qual è l'orario della biblioteca?", "time"],
  ["Wie viel Prozent der Note zählt die Prüfung?", "number"],
  ["What do members pay for the music room?", "money"],
])("%s asks for: %s", (question, type) => {
  expect(findAnswerType(question)).toBe(type);
});
