import { expect, it } from "vitest";
import { analyze, analyzeQuestion, getContentTerms } from "./analyze.ts";
import { detectLanguage } from "./detect.ts";
import type { Language } from "./languages.ts";

const sentences: [Language, string][] = [
  ["en", "The contract can be ended with a notice period of three months."],
  ["de", "Der Vertrag kann mit einer Frist von drei Monaten gekündigt werden."],
  ["fr", "Le contrat peut être résilié avec un préavis de trois mois."],
  ["es", "El contrato se puede rescindir con un preaviso de tres meses."],
  ["it", "Il contratto può essere disdetto con un preavviso di tre mesi."],
  ["pt", "O contrato pode ser rescindido com um aviso prévio de três meses."],
  ["nl", "Het contract kan worden opgezegd met een termijn van drie maanden."],
  ["sv", "Avtalet kan sägas upp med en uppsägningstid på tre månader och inte mer."],
  ["da", "Aftalen kan opsiges med et varsel på tre måneder af begge parter."],
  ["no", "Avtalen kan sies opp med en frist på tre måneder, og det er ikke mulig å endre noe."],
  ["fi", "Sopimus voidaan irtisanoa, ja se on voimassa kolme kuukautta sen jälkeen."],
  ["ru", "Договор может быть расторгнут с уведомлением за три месяца."],
  ["uk", "Договір може бути розірваний, якщо про це повідомили за три місяці."],
  ["ar", "يمكن إنهاء العقد بإشعار مدته ثلاثة أشهر من أحد الطرفين."],
  ["tr", "Sözleşme üç ay önceden bildirimde bulunarak ve yazılı olarak feshedilebilir."],
  ["hu", "A szerződés három hónapos felmondási idővel és írásban mondható fel."],
  ["ro", "Contractul poate fi reziliat cu un preaviz de trei luni."],
  ["el", "Η σύμβαση μπορεί να καταγγελθεί με προειδοποίηση τριών μηνών."],
  ["id", "Kontrak ini dapat diakhiri dengan pemberitahuan tiga bulan sebelumnya."],
  ["pl", "Umowę można rozwiązać z trzymiesięcznym wypowiedzeniem."],
  ["zh", "合同可提前三个月通知终止。"],
  ["ja", "契約は三か月前の通知により解除できます。"],
  ["ko", "계약은 3개월 전에 통지하여 해지할 수 있습니다."],
  ["th", "สัญญาสามารถยกเลิกได้โดยแจ้งล่วงหน้าสามเดือน"],
];

const questionsWithNames: [Language, string][] = [
  ["tr", "Du Pont'un barut işletmesinin adı neydi?"],
  ["tr", "Harvard hangi yıl erken kabul programına son verdi?"],
  ["de", "Welcher UN-Sekretär studierte in Harvard?"],
  ["de", "Was machen einige Gemeinschaftsapotheken?"],
  ["fr", "A quelle hauteur monte le mont Saran ?"],
];

it.each([...sentences, ...questionsWithNames])("recognises %s", (language, text) => {
  expect(detectLanguage(text)).toBe(language);
});

it("recognises nothing in names and numbers", () => {
  expect(["LanceDB 0.39", "", "—", "X-200"].map(detectLanguage)).toEqual([undefined, undefined, undefined, undefined]);
});

it.each<[Language, string, string]>([
  ["en", "the company's policies were configured", "configuring a policy of two companies"],
  ["de", "die Kündigungsfrist", "Fristen für eine Kündigung"],
  ["de", "Straßenbahnen in den Häusern", "Strassenbahn im Haeuser"],
  ["de", "Gebührenordnung", "eine Ordnung der Gebühren"],
  ["de", "Versicherungsnummern", "Nummer der Versicherung"],
  ["fr", "l'assurance des élèves", "assurances d’un eleve"],
  ["es", "las devoluciones", "devolución"],
  ["ru", "возвраты", "возврата"],
  ["ar", "الضَّمان للأجهزة المدرسية", "ضمان أجهزة مدرسيّة"],
  ["ar", "ﺍﻟﻀﻤﺎﻥ", "والضمانات"],
  ["ar", "٢٠٢٤", "2024"],
  ["ja", "保証期間は", "保証期間を"],
  ["en", "1,000 mV at 3.5 A, max_file_bytes", "1.000 mv 3,5 a maximum max file byte"],
])("in %s, %j shares terms with %j", (language, one, other) => {
  const terms = analyze(one, [language]);
  const others = analyze(other, [language]);
  expect(terms.filter((term) => others.includes(term)).length).toBeGreaterThanOrEqual(Math.min(2, others.length));
});

it.each([
  "Antwort",
  "Verband",
  "Kündigung",
  "Gewerkschaft",
  "folgenden",
  "jugendlichen",
  "normalerweise",
  "automatisch",
  "akzeptieren",
  "funktioniert",
  "zugelassen",
  "hervorgegangen",
  "einverstanden",
  "ermöglicht",
  "Mitarbeiterinnen",
])("splits no German word that only looks like a compound: %s", (word) => {
  expect(analyze(word, ["de"])).toHaveLength(1);
});

it.each([
  ["Mutterschaftsgeld", "mutterschaft geld"],
  ["Studierendenparlament", "studier parlament"],
  ["Teilnahmegebühr", "teilnahm gebuhr"],
  ["Wochenende", "woch end"],
  ["Schulferien", "schul feri"],
  ["Datenschutzanfrage", "dat schutz anfrag"],
  ["Wintersemester", "wint sem"],
])("splits a German compound between its words: %s", (compound, parts) => {
  expect(analyze(compound, ["de"]).slice(1).join(" ")).toBe(parts);
});

it("analyses each word in the language of its script", () => {
  expect(analyze("policies гарантии الضمان", ["en"])).toEqual(["polici", "гарант", "ضمان"]);
});

it("keeps what a question is about, in any language", () => {
  expect([...getContentTerms("What does the handbook say about refunds?")]).toEqual(["handbook", "refund"]);
  expect([...getContentTerms("Wie hoch ist die Gebühr?")]).toEqual(["hoch", "gebuhr"]);
  expect([...getContentTerms("whats the fee if im new and dont know you")]).toEqual(["fee", "new"]);
  expect([...getContentTerms("wieviele Mitglieder hat euer Verein nochmal, unseren mein ich")]).not.toContain(
    "nochmal",
  );
  expect([...getContentTerms("what is it?", ["de"])]).toEqual([]);
  expect([...getContentTerms("refunds", ["en", "de"])]).toEqual(["refund"]);
});

it("searches for a question's words in each language of the texts, without its own function words", () => {
  expect([...analyzeQuestion("Wann war die Gebühr die Gebühr?", ["de", "en"])]).toEqual(["gebuhr"]);
  expect([...analyzeQuestion("What do the policies say?", ["en", "de"])]).toContain("polici");
  expect([...analyzeQuestion("The Who", ["en"])]).toEqual(["who"]);
  expect([...analyzeQuestion("وين الشحن لمصر؟", ["ar"])]).toEqual(["شحن", "لمصر", "مصر"]);
});
