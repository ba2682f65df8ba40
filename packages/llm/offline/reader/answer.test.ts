import { describe, expect, it } from "vitest";
import { answerFromChunks, pick } from "./answer.ts";
import { quote } from "./quote.ts";
import { ReadChunk } from "./read-chunk.ts";

const answer = (question: string, ...contents: string[]) => {
  const chunks = contents.map((content, position) => {
    return { number: position + 1, title: "handbook.md", source: "file:handbook.md", sheet: "", heading: "", content };
  });
  return answerFromChunks(question, chunks).split("\n\nSources:")[0];
};

const prices = `Prices in francs:

| Item | Price | Since |
| --- | --- | --- |
| Tea | 3 | 2019 |
| Milk | 4 | 2021 |`;

describe("an extracted answer", () => {
  it.each([
    ["a table row with its columns", "What is the price of milk?", prices, "Item: Milk · Price: 4 · Since: 2021 [1]"],
    [
      "a record with its columns",
      "Which city does Linda Olsen live in?",
      'Id,Name,City\n1,"Baxter, Sheryl",Leonard\n2,Linda Olsen,Bensonview',
      "Id: 2 · Name: Linda Olsen · City: Bensonview [1]",
    ],
    [
      "a record by a price in other words",
      "What does the Terra grinder cost?",
      "name,price_eur,stock\nTerra grinder,89,4\nLuna kettle,45,10\nMondo press,30,7",
      "name: Terra grinder · price_eur: 89 · stock: 4 [1]",
    ],
    [
      "a sentence with an abbreviation as a whole",
      "How can I call you by phone?",
      "You can call us by phone: Tel. 0221 4711, every day. We like calls.",
      "You can call us by phone: Tel. 0221 4711, every day. [1] We like calls. [1]",
    ],
    [
      "a sentence once that answers both parts",
      "Who offers the pumps and what do the pumps cost?",
      "Tom Brandt offers four pumps, which cost 18,500 EUR. The offer is valid until May.",
      "Tom Brandt offers four pumps, which cost 18,500 EUR. [1] The offer is valid until May. [1]",
    ],
    [
      "a sentence that says by which day and which hour",
      "Club election: by which day and at what time must the nominations be in?",
      "Nominations for the club election must be in by 3 May, at 15:00.",
      "Nominations for the club election must be in by 3 May, at 15:00. [1]",
    ],
    [
      "an e-mail address in angle brackets",
      "What is the e-mail address of the computer room?",
      "Contact of the computer room: <room@club.example>",
      "Contact of the computer room: room@club.example [1]",
    ],
    [
      "a line of front matter by itself",
      "Who is the author?",
      "---\ntitle: Opening hours\nauthor: Mara Lindt\ntags:\n  - shop\n---\n\nWe open at nine in the morning.",
      "author: Mara Lindt [1]",
    ],
    [
      "nothing of the comments in front matter",
      "Who wrote the opening hours?",
      "---\n# Who wrote the opening hours is in AUTHORS\ntitle: Opening hours\n---\nMara Lindt wrote the opening hours.",
      "Mara Lindt wrote the opening hours. [1]",
    ],
    [
      "a sentence below front matter without it",
      "When do you open?",
      "---\ntitle: Opening hours\nauthor: Mara Lindt\ntags:\n  - shop\n---\nWe open at nine in the morning.",
      "We open at nine in the morning. [1]",
    ],
    [
      "a time in French words",
      "Combien de temps mijote la ratatouille ?",
      "# Cuisine\n\nLa ratatouille de grand-mère mijote pendant quarante minutes. On sert le plat tiède.",
      "La ratatouille de grand-mère mijote pendant quarante minutes. [1] On sert le plat tiède. [1]",
    ],
    [
      "an Arabic word by a broken plural and another form of its verb",
      "كم مرحلة للاختطاف؟",
      "مقر الشركة في جدة. يمر الخطف بخمس مراحل. يبدأ الدوام في التاسعة.",
      "يمر الخطف بخمس مراحل. [1] يبدأ الدوام في التاسعة. [1]",
    ],
    [
      "an Arabic word with a joined preposition",
      "كم سعر الشحن لاسوان؟",
      "الشحن إلى القاهرة 50 جنيهًا. الشحن إلى أسوان 100 جنيه.",
      "الشحن إلى أسوان 100 جنيه. [1]",
    ],
    [
      "a German verb by its participle",
      "Wann sind Reservierungen eingeschaltet?",
      "Reservierungen sind aktiviert, solange die Liste offen ist. Sie hat eine Farbe.",
      "Reservierungen sind aktiviert, solange die Liste offen ist. [1] Sie hat eine Farbe. [1]",
    ],
    [
      "a count in a German compound",
      "Wie viele Plätze hat der Saal?",
      "Der Saal hat fünfundachtzig Plätze. Er liegt im Erdgeschoss.",
      "Der Saal hat fünfundachtzig Plätze. [1] Er liegt im Erdgeschoss. [1]",
    ],
    [
      "how often, in words",
      "Wie oft wird die Biotonne geleert?",
      "# Müll\n\nDie Biotonne wird jeden zweiten Dienstag geleert. Das Altpapier holt der Bauhof.",
      "Die Biotonne wird jeden zweiten Dienstag geleert. [1] Das Altpapier holt der Bauhof. [1]",
    ],
    [
      "how often, in English",
      "How often is the pool cleaned?",
      "The pool is cleaned every morning before it opens. Towels cost 2 euros.",
      "The pool is cleaned every morning before it opens. [1] Towels cost 2 euros. [1]",
    ],
    [
      "a count in Spanish words",
      "¿Cuántas personas caben en la sala?",
      "En la sala caben trescientas personas. Hay un bar al lado.",
      "En la sala caben trescientas personas. [1] Hay un bar al lado. [1]",
    ],
    [
      "code with what looks like a tag in it",
      "How do I send the key?",
      "# Keys\n\nSend the key as `Authorization: Bearer <the key>` with <b>each</b> request.",
      "Send the key as Authorization: Bearer <the key> with each request. [1]",
    ],
    [
      "a list with its introduction",
      "Which symptoms must be reported?",
      "Wash your hands.\n\nThe symptoms that must be reported are:\n\n- Fever\n- Cough",
      "The symptoms that must be reported are: Fever; Cough [1]",
    ],
    [
      "a sentence with the one that it refers to",
      "When does the museum open?",
      "The museum stands in Basel. It opens at nine.",
      "The museum stands in Basel. It opens at nine. [1]",
    ],
    [
      "what stands below a heading that is the question",
      "Can I sell Debian CDs?",
      "## Can I sell Debian CDs?\n\nCertainly. No permission is needed.\n\n## May I bundle it?\n\nYes.",
      "Certainly. [1] No permission is needed. [1]",
    ],
    [
      "two neighbouring paragraphs that may both answer",
      "What is the fee for a family each year?",
      "The fee for a family with children is 170 euros.\n\nThe family fee is 150 euros a year.\n\nDogs are welcome.",
      "The family fee is 150 euros a year. [1]\n\nThe fee for a family with children is 170 euros. [1]",
    ],
    [
      "what was meant by a mistyped question",
      "How much memmory does the machine need?",
      "The machine needs 512 MB of memory. The office is in Bern.",
      "The machine needs 512 MB of memory. [1] The office is in Bern. [1]",
    ],
    [
      "what says the same in other words",
      "When is my salary paid?",
      "Wages are paid on the last day of the month. Parking costs 5 euros a day.",
      "Wages are paid on the last day of the month. [1] Parking costs 5 euros a day. [1]",
    ],
    [
      "what says the same in another language",
      "Was kostet ein Parkplatz am Büro?",
      "Parking at the office costs 5 euros a day. The period of notice is one month.",
      "Parking at the office costs 5 euros a day. [1] The period of notice is one month. [1]",
    ],
    [
      "the days of the week on which something happens",
      "On which days is the workshop open?",
      "The workshop is open on Tuesdays and Fridays. Tools are lent for a deposit.",
      "The workshop is open on Tuesdays and Fridays. [1] Tools are lent for a deposit. [1]",
    ],
    [
      "a sentence that a typesetter wrapped",
      "Wie lange dauert die Kündigungsfrist?",
      "Die Kündigungsfrist dauert für beide Seiten höchstens\nDrei Monate. Sie gilt nach Dr. Meier\nimmer.",
      "Die Kündigungsfrist dauert für beide Seiten höchstens Drei Monate. [1] Sie gilt nach Dr. Meier immer. [1]",
    ],
  ])("quotes %s", (_what, question, content, expected) => {
    expect(answer(question, content)).toBe(expected);
  });

  it.each([
    ["When does the shop open?", "The shop opens at 11 and closes at 21 on weekdays."],
    ["When does the train leave?", "The train leaves at 8 pm."],
    ["When do the doors open?", "Doors open 19.30"],
    ["What are the opening hours of the library?", "The library is open from 10 to 18."],
    ["Wann öffnet der Laden?", "Der Laden öffnet um 9."],
    ["Quand part le train ?", "Le train part à 8h30."],
    ["¿A qué hora sale el tren?", "El tren sale a las 8."],
    ["Quando apre il museo?", "Il museo apre alle 9."],
    ["Wanneer opent het museum?", "Het museum opent om 9."],
    ["Когда открывается музей?", "Музей открывается в 9."],
    ["図書館は何時に開きますか？", "図書館は9時に開きます。"],
  ])("to %j is a plain hour", (question, content) => {
    expect(answer(question, content)).toBe(`${content} [1]`);
  });

  it.each([
    ["Wo soll ich mein Rad abstellen?", "Räder gehören in den Keller."],
    ["Bis wann werden Kürbisse geerntet?", "Man kann Kürbisse bis zum ersten Frost im Oktober ernten."],
    ["Wann fängt der Kurs an?", "Der Kurs beginnt am 3. Mai."],
    ["Puis-je faire du télétravail ?", "Le télétravail est autorisé deux jours par semaine."],
    ["¿Tengo que llevar casco?", "Es obligatorio usar casco en la pista."],
    ["Mag ik mijn hond meenemen?", "Een hond is welkom op het terrein."],
    ["Quando si tiene il mercato?", "Il mercato si tiene ogni giovedì."],
    ["Who starts the game?", "The youngest player starts the game."],
    ["How old must I be?", "You must be 16 years old."],
    ["What do I pay to use the music room?", "Music room – 500 Kč"],
    ["Welche Kündigungsfrist habe ich?", "Die Kündigungsfrist beträgt drei Monate."],
    ["Was muss ich als Mitglied für den Bohrer zahlen?", "Der Bohrer kostet das Mitglied nichts."],
    ["Wie viel Prozent der Note zählt die Prüfung?", "Die Prüfung zählt 40 % der Note."],
    ["Wann wird ein Scan gelöscht?", "Der Scan wird nach 15 min gelöscht."],
    ["Kiedy jest otwarty basen?", "Basen jest otwarty od 30 czerwca."],
    ["Ile kosztuje bilet na basen?", "Bilet na basen kosztuje 20 zł."],
    ["Bis wann gilt das Angebot?", "Das Angebot gilt bis 31.12. und kostet 500 €."],
    ["Gebühr Backhaus", "Die Gebühr für das Backhaus beträgt 5 Euro."],
    ["Was kostet die Minute am Laser?", "Der Beitrag am Laser beträgt 15ct pro Minute."],
    ["How much is the training grant?", "The training grant is 5000 SEK per year."],
    ["Wie alt darf das Zeugnis sein?", "Das Zeugnis darf nicht älter sein als 2 Jahre."],
    ["När ska kallelsen skickas?", "Kallelse ska skickas minst två veckor före mötet."],
    ["¿A qué número llamo por la llave?", "Llame por la llave al 971 555 010."],
    ["Wie lange vorher muss ich meinen Umzug melden?", "Ein Wohnungswechsel ist zwei Wochen im Voraus anzuzeigen."],
    ["Wer holt den Müll ab?", "Die Abfallentsorgung übernimmt Familie Huber."],
  ])("to %j is found in other words", (question, content) => {
    expect(answer(question, content)).toBe(`${content} [1]`);
  });

  it("has the version or the date that a list stands under", () => {
    const changes =
      "# Changelog\n## 2.1.0 - 2024-03-18\n- Added support for HEIC images.\n## 2.0.0 - 2023-01-05\n- New icons.";
    const quoted = "2.1.0 - 2024-03-18 [1] Added support for HEIC images. [1]";
    expect(answer("Which version added HEIC support?", changes)).toBe(quoted);
    expect(answer("When was HEIC support added?", changes)).toBe(quoted);
  });

  const facts =
    "Iwan Roberts was born in Bangor. Roberts has three daughters. Ellis Turner wrote the estimate of 2022.";
  it.each([
    ["a name that is missing", "Who is the father of Gareth Bale?", facts],
    ["a number that is missing", "Who wrote the estimate of 1998?", facts],
    ["an attribute that is missing", "What is the salary of Iwan Roberts?", facts],
    ["no date", "When was the estimate of Ellis Turner written?", "Ellis Turner wrote the estimate by hand."],
    [
      "a number that is part of a date",
      "How many members are there?",
      "There are members and statutes of 30 August 2024.",
    ],
    ["the number of a paragraph", "How many members are there?", "(3) There are members of all ages."],
    [
      "no day of the week",
      "On which days is the workshop open?",
      "The workshop is open, last changed on 23 June 2020.",
    ],
    ["no number", "How many daughters does Roberts have?", "Roberts has daughters and a garden."],
    ["no amount of money", "How much did the laptops cost?", "There were 200 laptops delivered in January."],
    ["another kind of what is counted", "How many sick days do I get?", "Employees get 25 vacation days per year."],
    [
      "the price of something else",
      "How much is the yearly membership of the club?",
      "The club rents its boat for £30 a day. Members meet on Mondays.",
    ],
    ["another price", "How much may dinner cost?", "Hotels may cost up to 120 euros per night."],
    ["no age", "How old is Mr Penrose?", "Old Mr Penrose had kept the light for thirty-one years."],
    ["no weight", "How heavy is the fan?", "The fan swings through 90 degrees."],
    ["a year instead of a count", "How many visitors does the museum have?", "The museum opened to visitors in 1988."],
    ["no year", "In what year did the museum open?", "The museum opens at 10 on Fridays."],
    ["no amount, but a word with 'free'", "What does a plot cost?", "Every gardener keeps the plot weed-free."],
    ["no number to call", "What number do I call if the bike breaks?", "If the bike breaks, call an ambulance first."],
    ["no phone number", "What is the phone number of the museum?", "The museum has a phone in room 12."],
    ["another day", "Is the shop open on Sundays?", "The shop is open until late."],
    ["keywords without their value", "locker fee", "The locker fee is on the list at the entrance."],
    ["no hour", "When does the shop open?", "The shop opens at 8 places."],
    ["no fee", "What is the monthly fee for members?", "Members pay the monthly fee that the board sets."],
    [
      "no dollars",
      "How many dollars is the yearly assessment?",
      "The board sets the yearly assessment before 2 March.",
    ],
    ["no calories", "How many calories does a cheese scone have?", "A cheese scone takes four extra minutes to bake."],
    ["no date", "On what date is the exam of course 4300?", "The exam of course 4300/6300 is written."],
    ["another row", "What is the price of coffee?", prices],
    ["another year", "How many tickets were sold in 2019?", "We held the fair of 2021 in June and sold 270 tickets."],
    ["a blank to fill in", "How much is the deposit for a single room?", "The deposit for a single room is €____."],
    ["hours of charging", "How much does the reader charge?", "The charge of the reader takes 3 to 5 hours."],
    ["the number of a list's item", "كم الحد الأدنى للأجور؟", "١- وضع الحد الأدنى للأجور في كل القطاعات."],
    ["a name alone", "What does Blue Sky Ltd do?", '"Blue Sky Ltd"'],
    ["the question itself", "Where is the source code?", "- Where is the source code?\n- Where are the packages?"],
  ])("is none for %s", (_what, question, content) => {
    expect(answer(question, content)).toMatch(/^\[0\] (?:The documents do not answer this question\.|لا)/);
  });

  it("keeps the best statement when others are quoted that begin before it", () => {
    const content = "Doors open at eight. Coats stay outside. Lunch is at noon. Guests leave at ten.";
    const chunk = new ReadChunk({ number: 1, title: "", source: "", sheet: "", heading: "", content }, "en");
    const scores = [1, 2, 0, 3];
    const measured = scores.map((score, position) => {
      return { candidate: { chunk, position }, features: { own: 1, score }, isOther: false };
    });
    const { statements = [] } = pick(measured, { bias: 0, weights: { score: 1 } }) ?? {};
    expect(statements.map((one) => quote(one)).join(" ")).toContain("Guests leave at ten.");
  });

  const faq = `# Häufige Fragen

## Kann ich auf Rechnung zahlen?
Ja, ab der zweiten Bestellung. Der Höchstbetrag liegt bei 250 €.

## Versendet ihr in die Schweiz?
Nein, wir liefern nur nach Deutschland und Österreich. Nach Österreich kostet der Versand 12,90 €.`;
  it.each([
    ["Kann ich auf Rechnung zahlen?", "Ja, ab der zweiten Bestellung. [1] Der Höchstbetrag liegt bei 250 €. [1]"],
    ["Kann ich auf Rechnung bezahlen?", "Ja, ab der zweiten Bestellung. [1] Der Höchstbetrag liegt bei 250 €. [1]"],
    [
      "Liefert ihr in die Schweiz?",
      "Nein, wir liefern nur nach Deutschland und Österreich. [1] Nach Österreich kostet der Versand 12,90 €. [1]",
    ],
  ])("to %j is what stands below that question, said once", (question, expected) => {
    expect(answer(question, faq)).toBe(expected);
  });

  it("about one country isn't what is said of another", () => {
    expect(answer("Was kostet der Versand nach Deutschland?", faq)).toBe(
      "[0] Die Dokumente beantworten diese Frage nicht.",
    );
    expect(answer("Was kostet der Versand nach Österreich?", faq)).toBe(
      "Nach Österreich kostet der Versand 12,90 €. [1]",
    );
  });

  it("about one Arabic word isn't what is said of another that shares its article and most letters", () => {
    expect(answer("بماذا يعرف السرطان؟", "كان السلطان يعرف بالعزيز.")).toBe("[0] لا تجيب الوثائق عن هذا السؤال.");
  });

  it.each([
    ["Wie lange dauert der Versand nach Österreich?", "Der Versand nach Österreich kostet 9,90 Euro."],
    ["Wie hoch ist der Mitgliedsbeitrag?", "Die Satzung mit dem Mitgliedsbeitrag gilt ab 30. August 2024."],
    ["Wer sitzt im Vorstand der noris.solar eG?", "Die Genossenschaft führt den Namen noris.solar eG."],
    ["Wer ist der Vermieter?", "Haustiere sind nach Absprache mit dem Vermieter erlaubt."],
  ])("to %j is none in a German text without it", (question, content) => {
    expect(answer(question, content)).toBe("[0] Die Dokumente beantworten diese Frage nicht.");
  });

  it.each([
    ["Wie viele Einwohner hat die Stadt Madrid?", "[0] Die Dokumente beantworten diese Frage nicht."],
    ["¿Cuántos habitantes tiene la ciudad de Madrid?", "[0] Los documentos no responden a esta pregunta."],
    ["Quelle est la population de la ville de Madrid ?", "[0] Les documents ne répondent pas à cette question."],
    ["マドリードの人口は何人ですか?", "[0] この質問の答えは文書の中にありません。"],
    ["How late can I come?", "[0] The documents do not answer this question."],
    ["Can Tom come?", "[0] The documents do not answer this question."],
    ["Qui a gagné ?", "[0] Les documents ne répondent pas à cette question."],
    ["Was kostet der Käse?", "[0] Die Dokumente beantworten diese Frage nicht."],
    ["Kto piecze chleb?", "[0] Dokumenty nie odpowiadają na to pytanie."],
    ["Preis?", "[0] Die Dokumente beantworten diese Frage nicht."],
    ["何時？", "[0] この質問の答えは文書の中にありません。"],
    ["Wat kost de kaas?", "[0] De documenten beantwoorden deze vraag niet."],
    ["كم عدد سكان مدينة مدريد؟", "[0] لا تجيب"],
    // Persian and Urdu aren't among the languages, and aren't Arabic.
    ["جمعیت شهر مادرید چقدر است؟", "[0] The documents do not answer this question."],
    ["میڈرڈ شہر کی آبادی کتنی ہے؟", "[0] The documents do not answer this question."],
  ])("is refused in the language of %j", (question, refusal) => {
    expect(answer(question, facts)?.startsWith(refusal)).toBe(true);
  });

  it("is refused with a hint at a real model when what was found is in another language", () => {
    const refusal = answer("Wie viele Einwohner hat die Stadt Madrid?", facts);
    expect(refusal).toMatch(/anderen Sprache.*LLM_API_KEY/);
    expect(answer("How many people live in the city of Madrid?", facts)).not.toContain("LLM_API_KEY");
  });

  const polls = `### Umfrage aufsetzen
Im Eingabefeld kannst du wie gewohnt einen Toot verfassen.

### Auswählbare Anzahl der Optionen
Links der Wahlfelder siehst du beim Erstellen einer Umfrage standardmäßig runde Kreise.

### Auslaufdauer
Rechts unten kannst du die Auslaufdauer der Umfrage einstellen. Du hast die Wahl zwischen Zeiträumen von 5 Minuten bis zu 7 Tagen (standardmäßig ist 1 Tag ausgewählt).`;
  const interviews = `# Informal/Coffee — 30 Minutes

A resume can tell us what a candidate has done. This interview can happen over the phone or out at a coffee shop.

The idea is to spend 30 minutes getting to know the candidate in the coffee interview.

# Technical Interview — 2 Hour

The technical interview is a chance to dive into the candidate's ability. It takes two hours.`;

  it.each([
    ["Wie lange kann eine Umfrage höchstens offen bleiben?", "Und standardmäßig?", polls, /^(?!.*Kreise).* 1 Tag/s],
    [
      "How long does the technical interview take?",
      "And the coffee interview?",
      interviews,
      /^The idea is to spend 30 minutes/,
    ],
  ])("to a follow-up of %j is what that question asks for", (first, second, content, expected) => {
    const chunk = { number: 1, title: "Guide", source: "", sheet: "", heading: "", content };
    const conversation = { context: `${second} (${first})`, earlierQuestions: [first], earlierAnswers: "" };
    expect(answerFromChunks(second, [chunk], conversation)).toMatch(expected);
  });

  it.each(["Und die Dichtung?", "Wie oft wird sie gewechselt?"])(
    "to %j is a sentence that was said before, if that has what is asked for now",
    (question) => {
      const seal = "Die Dichtung wird alle 12 Monate gewechselt und kostet 30 Euro.";
      const content = `# Pumpe X100\n\nDie Pumpe X100 kostet 450 Euro.\n\n## Dichtung\n\n${seal}\n\nHauptstraße 5, 12345 Berlin`;
      const earlierQuestions = ["Was kostet die Pumpe X100?"];
      const text = answerFromChunks(question, [{ number: 1, title: "", source: "", sheet: "", heading: "", content }], {
        context: `${question} (${earlierQuestions[0]})`,
        earlierQuestions,
        earlierAnswers: `Die Pumpe X100 kostet 450 Euro. [1]\n\n${seal} [1]`,
      });
      expect(text).toContain(seal);
      expect(text).not.toContain("Berlin");
    },
  );

  it("to a follow-up that only asks where may be the sentence that was said before", () => {
    const said = "Die nächste Sitzung ist am 3. Dezember in Raum 204.";
    const content = `${said} Der Elternrat dankt dem Caterer.`;
    const text = answerFromChunks("und wo?", [{ number: 1, title: "", source: "", sheet: "", heading: "", content }], {
      context: "und wo? (Wann ist die nächste Sitzung vom Elternrat?)",
      earlierQuestions: ["Wann ist die nächste Sitzung vom Elternrat?"],
      earlierAnswers: `${said} [1]`,
    });
    expect(text).toContain(said);
  });

  it("begins with its sentence, not with the reference of the one before", () => {
    const wiki = "They sold a computer to track traffic.[14][15][^2] In 1972, they founded Traf-O-Data.[^note]";
    const text = answer("When did they found Traf-O-Data?", wiki);
    expect(text).toBe("In 1972, they founded Traf-O-Data. [1]");
  });

  it("to a follow-up with another noun is that of the whole question", () => {
    const content = `# Mietvertrag

Der Mieter leistet eine Kaution in Höhe von drei Nettokaltmieten.

Die monatliche Miete beträgt 1.850,00 EUR zuzüglich 310,00 EUR für die Betriebskosten.

Die Kündigungsfrist beträgt sechs Monate zum Quartalsende.`;
    const chunk = { number: 1, title: "Mietvertrag", source: "", sheet: "", heading: "", content };
    const followUp = (question: string) =>
      answerFromChunks(question, [chunk], {
        context: `Wie hoch ist die Kaution? ${question}`,
        earlierQuestions: ["Wie hoch ist die Kaution?"],
        earlierAnswers: "Der Mieter leistet eine Kaution in Höhe von drei Nettokaltmieten. [1]",
      });
    expect(followUp("Und die Miete?")).toMatch(/^Die monatliche Miete beträgt 1\.850,00 EUR/);
    expect(followUp("Und die Kündigungsfrist?")).toBe(
      "Die Kündigungsfrist beträgt sechs Monate zum Quartalsende. [1]\n\nSources: [1] Mietvertrag",
    );
  });

  it("has no syntax of Markdown or HTML", () => {
    const content =
      "<!-- generated -->**Tenants.** Several teams share a *service*, see [the guide](docs/keys.md): `npm run keys` makes a key.";
    expect(answer("What makes a key?", content)).toBe(
      "Tenants. Several teams share a service, see the guide: npm run keys makes a key. [1]",
    );
  });
});
