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
  ["What must I do if I pay by card?", undefined],
  ["How many dollars is the fee?", "money"],
  ["What is the monthly membership fee?", "money"],
  ["Was kostet es, wenn man zu spät kommt?", "money"],
  ["Von wann bis wann ist der Strom billiger, Tarif 2024", "time"],
  ["Bis wie viel Uhr darf Musik gespielt werden?", "time"],
  ["¿Cuánto cobra por hora?", "money"],
  ["Quanto paga ogni giocatore?", "money"],
  ["Qual é o valor da taxa mensal?", "money"],
  ["Hoeveel euro kost een kaartje?", "money"],
  ["Ile zapłacę za bilet?", "money"],
  ["Vad är avgiften?", "money"],
  ["What is the population of Lesotho?", "number"],
  ["How many calories does it have?", "number"],
])("%s asks for: %s", (question, type) => {
  expect(findAnswerType(question)).toBe(type);
});
