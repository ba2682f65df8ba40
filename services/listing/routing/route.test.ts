import { listingActions } from "@agent-backends/contract";
import { describe, expect, test } from "vitest";
import { TimeframeError } from "../timeframe/error.ts";
import { resolveTimeframe } from "../timeframe/resolve.ts";
import { readLabelledMessages } from "./model/examples.ts";
import type { Route, RouteOptions } from "./route.ts";
import { readMessage, route } from "./route.ts";

/** A Friday. */
const options: RouteOptions = { now: new Date("2026-11-20T12:00:00Z"), timezone: "UTC" };

/** The window of a timeframe, or the code of its refusal. */
function findWindow(timeframe: string | undefined, tz?: string, { now, timezone } = options): string {
  try {
    const { postedAfter, postedBefore } = resolveTimeframe(timeframe ?? "", { now, timezone: tz ?? timezone });
    return `${postedAfter} ${postedBefore}`;
  } catch (error) {
    if (error instanceof TimeframeError) return error.code;
    throw error;
  }
}

function check(parameter: string, got: Route, at: RouteOptions): void {
  const space = parameter.indexOf(" ");
  const value = parameter.slice(space + 1);
  const name = parameter.slice(0, space);
  switch (name) {
    case "limit":
      expect(got.limit).toBe(Number(value));
      break;
    case "timeframe":
      expect(findWindow(got.timeframe, got.tz, at)).toBe(findWindow(value, got.tz, at));
      break;
    case "tz":
      expect(got.tz).toBe(value);
      break;
    case "refused":
      expect(findWindow(got.timeframe, got.tz)).toBe(value);
      break;
    case "ascending":
      expect(String(got.ascending === true)).toBe(value);
      break;
    case "excluded":
      expect(got.excluded_topics?.join(" ")).toBe(value);
      break;
    case "min_votes":
    case "max_votes":
    case "sort":
    case "topic":
    case "counted":
    case "offset":
      expect(String(got[name])).toBe(value);
      break;
    case "pieces":
      expect(String(got.particleCount)).toBe(value);
      break;
    case "query":
      expect(got.query?.toLowerCase()).toContain(value);
      break;
    default:
      throw new Error(`unknown parameter: ${parameter}`);
  }
}

const examples = readLabelledMessages();
const routed = examples
  .filter(({ label }) => label !== "follow_up")
  .map((example) => ({ ...example, got: route(example.message, example.options) }));

/** The share of examples that get another action, and a line for each of them. */
function findWrong(examples: typeof routed) {
  const wrong = examples.filter(({ label, got }) => got.action !== label);
  const report = wrong.map(({ label, file, message, got }) => `${file}: ${label}, not ${got.action}: ${message}`);
  return { share: wrong.length / examples.length, report: report.join("\n") };
}

test("nearly every example gets its action", () => {
  const { share, report } = findWrong(routed);
  expect(share, report).toBeLessThan(0.01);
});

test.each(listingActions)("%s is recognised in nearly all of its examples", (action) => {
  const { share, report } = findWrong(routed.filter(({ label }) => label === action));
  expect(share, report).toBeLessThan(0.05);
});

test.each(routed.filter(({ parameters, got, label }) => parameters.length > 0 && got.action === label))(
  "the parameters of $message ($file)",
  ({ parameters, got, options: at }) => {
    for (const parameter of parameters) check(parameter, got, at);
  },
);

describe("what decides", () => {
  test.each([
    ["", "advice", "chatter"],
    ["  \n ", "advice", "chatter"],
    ["thank you very much!", "advice", "chatter"],
    ["/top 3", "top", "command"],
    ["/top 3 yesterday", "top_timeframe", "command"],
    ["/week", "top_timeframe", "command"],
    ["/search mail", "search", "command"],
    ["/party", "confetti", "command"],
    ["/nonsense", "advice", "command"],
    ["q: kanban", "search", "command"],
    ["make it ten", "advice", "doubt"],
    ["how do we get to the top?", "advice", "model"],
    ["best of yesterday", "top_timeframe", "model"],
  ])("about %j", (message, action, decidedBy) => {
    expect(route(message, options)).toMatchObject({ action, decidedBy });
  });
});

describe("parameters", () => {
  test.each([
    ["confetti in red, white and #0af please", ["#FF0000", "#FFFFFF", "#00AAFF"]],
    ["konfetti in blau und gelb", ["#0066FF", "#FFFF00"]],
    ["紙吹雪 ピンク", ["#FF69B4"]],
    ["confetti!", undefined],
  ])("%s has the colours %j", (message, colors) => {
    expect(route(message, options)).toMatchObject({ action: "confetti" });
    expect(route(message, options).colors).toEqual(colors);
  });

  test.each([
    ["search for PostgreSQL clients", "PostgreSQL clients"],
    ["please find me apps for Dog Walkers, thanks", "Dog Walkers"],
    ['look up "The Best of Today" on the site', "The Best of Today"],
    ["find C++ tools", "C++"],
    ["find 🍓", "🍓"],
    ["alternatives to Notion launched last week", "Notion"],
    ["search for time-tracking tools", "time tracking"],
    ["search for no-code tools", "no-code"],
    ["find 3 kanban boards", "kanban boards"],
    ["nah, password managers instead", "password managers"],
    ["look for Blue Top, the surfing app", "Blue Top"],
    ["invoice scanners, what is there?", "invoice scanners"],
    ["is there anything simpler than Jira?", "Jira"],
    ["kennt ihr eigentlich Obsidian?", "Obsidian"],
    ["vous avez quoi comme alternative à Asana ?", "Asana"],
    ["¿Raycast está en la lista?", "Raycast"],
    ["o Figma está no site?", "Figma"],
    ["ersättare till Notion", "Notion"],
    ["Obsidianみたいなアプリある？", "Obsidian"],
    ["有没有和Figma差不多的", "Figma"],
    ["노션 같은 앱 있어?", "노션"],
    [
      "I've been a midwife in a small town for many years and paperwork eats my evenings, so I'd like to know which apps there are for shift plans. Could you check?",
      "shift plans",
    ],
    [
      "Je suis prof de maths depuis longtemps et mes élèves s'ennuient souvent en classe, je cherche des applis de quiz",
      "quiz",
    ],
    // What "that" stands for is in the story.
    ["so I have dyslexia and now I would want like an app or a plugin that helps with that", /dyslexia/],
  ])("%s asks the index for %j", (message, query) => {
    expect(route(message, options).query).toEqual(query instanceof RegExp ? expect.stringMatching(query) : query);
  });

  test.each([
    ["top 2,500 products", 2500],
    ["top 0", 0],
    ["top -3", -3],
    ["top twenty-five", 25],
    ["top 1k launches", 1000],
    ["best products of 2025", undefined],
    ["top products of the last 7 days", undefined],
    ["who is #1 today", undefined],
    ["just the number one from yesterday", 1],
    ["give me the #1 of last week", 1],
    ["muéstrame unas 12 de ayer", 12],
    ["unas 12 de ayer", 12],
    ["show about 10 from yesterday", 10],
    ["i migliori lanci di agosto, ne bastano 4", 4],
    ["lo mejor de agosto, me bastan 4", 4],
    ["najlepsze z sierpnia, wystarczą 4", 4],
    ["лучшее за август, хватит 4", 4],
    ["bästa i augusti, det räcker med 4", 4],
    ["terbaik Agustus, cukup 4", 4],
  ])("%s asks for %j items", (message, limit) => {
    expect(route(message, options).limit).toBe(limit);
  });

  test.each([
    ["AI tools launched last week", "last week", "ai"],
    ["best developer tools today", "today", "developer"],
    ["tools for developers launched last week", "last week", "developers"],
    ["fintech or health launches this week", "this week", "fintech or health"],
    ["KI- und Design-Tools von gestern", "yesterday", "ai or design"],
    ["both AI and design tools of yesterday", "yesterday", "ai design"],
    ["top devloper tools this wek", "this week", "developer"],
    ["Welche KI-Tools kamen letzten Monat raus?", "last month", "ai"],
    ["Beste Produktivitäts-Apps letzte Woche", "last week", "productivity"],
    ["Quels outils d'IA sont sortis le mois dernier ?", "last month", "ai"],
    ["Mejores apps de diseño de ayer", "yesterday", "design"],
    ["Quali strumenti di IA sono usciti il mese scorso?", "last month", "ai"],
    ["лучшие приложения для продуктивности за вчера", "yesterday", "productivity"],
    ["先月のAIツールを教えて", "last month", "ai"],
    ["上周最好的人工智能工具", "last week", "ai"],
    ["AI の昨日のトップ", "yesterday", "ai"],
    ["昨日の AI トップ3", "yesterday", "ai"],
    ["昨日最も人気のデザイン", "yesterday", "design"],
    ["昨天的开发工具前三", "yesterday", "developer"],
    ["设计类昨天前五", "yesterday", "design"],
    ["关于音乐的上周排名", "last week", "music"],
    ["어제의 AI 톱 5", "yesterday", "ai"],
    ["yesterday's AI ranking", "yesterday", "ai"],
    ["kal ki ranking kya thi", "yesterday", undefined],
    ["quanti prodotti sono usciti ieri", "yesterday", undefined],
    ["welche Produkte haben gestern gewonnen, ich reise viel", "yesterday", undefined],
    ["who won yesterday? I write a newsletter", "yesterday", undefined],
    ["top 5 of today, my startup needs inspiration", "today", undefined],
  ])("%s is a list of %s about %j", (message, timeframe, topic) => {
    expect(route(message, options)).toMatchObject({ action: "top_timeframe", timeframe });
    expect(route(message, options).topic).toBe(topic);
  });

  test.each([
    ["show me cryptozoology launches from last week", "cryptozoology"],
    ["sleep tracking apps from last month", "sleep tracking"],
    ["anything good for knitting this month?", "knitting"],
    ["search for note apps from yesterday", "note"],
    ["find chess apps launched last week", "chess"],
    ["lanceringen over duurzaamheid van vorige week", "duurzaamheid"],
    ["лучшие приложения для шахмат за неделю", "шахмат"],
    ["今天的宠物应用", "宠物"],
    ["昨日のペットアプリ", "ペット"],
    ["昨日の面白いアプリ", undefined],
    ["大家都喜欢的产品", undefined],
    ["strongest launches since Tuesday", undefined],
    ["We are beekeepers. Top 5 of today?", undefined],
  ])("%s may be about %j", (message, topic) => {
    const { topic: known, unknown_topic } = route(message, options);
    expect([known, unknown_topic]).toEqual([undefined, topic]);
  });

  test.each([
    ["Cherche des applis de prise de notes", "prise de notes"],
    ["Suche nach Notiz-Apps", "Notiz"],
    ["Zoek notitie-apps", "notitie"],
    ["Busca aplicaciones de notas", "notas"],
    ["Trouve-moi des outils de gestion de projet", "gestion de projet"],
    ["Suche No-Code-Tools", "No-Code"],
  ])("%s searches for %j", (message, query) => {
    expect(route(message, options)).toMatchObject({ action: "search", query });
  });

  test.each(["Was machst du heute?", "Was machst du gerade?", "Que fais-tu aujourd'hui ?", "How are you today?"])(
    "%s asks for no list",
    (message) => {
      expect(route(message, options).action).toBe("advice");
    },
  );

  test("days without a year are reckoned on the calendar of the timezone", () => {
    const late = new Date("2026-11-20T23:30:00Z");
    expect(route("top on Friday", { now: late, timezone: "UTC" }).timeframe).toBe("2026-11-20");
    expect(route("top two days ago", { now: late, timezone: "Asia/Tokyo" }).timeframe).toBe("2026-11-19");
    expect(route("top 3 tomorrow?", { now: late, timezone: "UTC" }).timeframe).toBe("2026-11-21");
    expect(route("top on 21 November", { now: late, timezone: "UTC" }).timeframe).toBe("2025-11-21");
    expect(route("top on 21 November", { now: late, timezone: "Asia/Tokyo" }).timeframe).toBe("2026-11-21");
  });

  test.each([
    ["best of August, 4 are enough", "August 2026", 4],
    ["die besten vom August, 4 reichen", "August 2026", 4],
    ["les meilleurs d'août, 4 me suffiront", "August 2026", 4],
    ["os melhores de agosto, 4 chegam", "August 2026", 4],
    ["ok so not this week, the week before that. top 6", "last week", 6],
    ["top 5, not yesterday but the day before", "2026-11-18", 5],
    ["not last month, the month before that, top 10", "September 2026", 10],
    ["nicht diese Woche, die Woche davor. Top 6", "last week", 6],
    ["nicht letzte Woche, sondern die Woche davor. Top 3", "from:2026-11-02 to:2026-11-08", 3],
    ["no esta semana, la semana anterior, top 6", "last week", 6],
    ["pas cette semaine, la semaine d'avant. top 6", "last week", 6],
    ["non questa settimana, quella prima. top 6", "last week", 6],
    ["niet deze week, de week ervoor. top 6", "last week", 6],
    ["nie w tym tygodniu, tydzień wcześniej. top 6", "last week", 6],
    ["не на этой неделе, а на предыдущей неделе. топ 6", "last week", 6],
    ["bukan minggu ini, minggu sebelumnya. top 6", "last week", 6],
  ])("%s is a list of %s with %i items", (message, timeframe, limit) => {
    const got = route(message, options);
    expect([got.action, findWindow(got.timeframe), got.limit]).toEqual(["top_timeframe", findWindow(timeframe), limit]);
  });

  test.each([
    ["since the beginning of the year", "since 2026-01-01"],
    ["since the beginning of October", "since 2026-10-01"],
    ["launches since the start of November", "since 2026-11-01"],
    ["since the first week of October", "since 2026-10-01"],
    ["since the end of October", "since 2026-10-21"],
    ["was kam seit Anfang Oktober raus?", "since 2026-10-01"],
    ["seit Jahresanfang", "since 2026-01-01"],
    ["seit Jahresbeginn", "since 2026-01-01"],
    ["seit Monatsbeginn", "since 2026-11-01"],
    ["desde principios de octubre", "since 2026-10-01"],
    ["desde principios de año", "since 2026-01-01"],
    ["depuis le début du mois", "since 2026-11-01"],
    ["dall'inizio dell'anno", "since 2026-01-01"],
    ["od początku października", "since 2026-10-01"],
    ["с начала года", "since 2026-01-01"],
    ["10月初めから", "since 2026-10-01"],
  ])("%s goes on until today", (message, timeframe) => {
    expect(route(message, options)).toMatchObject({ action: "top_timeframe", timeframe });
  });

  test.each([
    ["was kam am 5.10. raus", "2026-10-05", undefined],
    ["was kam am 3.11. raus?", "2026-11-03", undefined],
    ["Top 3 vom 5.10.", "2026-10-05", 3],
    ["Hallo. Top 3 vom 5.10.", "2026-10-05", 3],
    ["seit dem 1.10.", "since 2026-10-01", undefined],
    ["nach dem 1.10.", "since 2026-10-02", undefined],
    ["zwischen dem 3.10. und dem 9.10.", "from:2026-10-03 to:2026-10-09", undefined],
    ["am 30.12.", "2025-12-30", undefined],
    ["18.10.26", "2026-10-18", undefined],
    ["was kam am 18.10.26 raus?", "2026-10-18", undefined],
    ["what launched on 3.11.", "2026-11-03", undefined],
    ["top 5 of 3.11.", "2026-11-03", 5],
    ["melhores de 04/11/2026", "2026-11-04", undefined],
    ["04/11/2026 melhores produtos", "2026-11-04", undefined],
    ["die Besten, 04/11/2026", "2026-11-04", undefined],
    ["beste lanceringen 04/11/2026", "2026-11-04", undefined],
    ["najlepsze 04/11/2026", "2026-11-04", undefined],
    ["04/11/2026 en iyileri", "2026-11-04", undefined],
    ["лучшее 04/11/2026", "2026-11-04", undefined],
    ["lançamentos entre 03/11/2026 e 05/11/2026", "from:2026-11-03 to:2026-11-05", undefined],
  ])("%s names a day before its month", (message, timeframe, limit) => {
    const got = route(message, options);
    expect(got).toMatchObject({ action: "top_timeframe", timeframe });
    expect(got.limit).toBe(limit);
  });

  test.each([
    ["Tuesday, Wednesday and Friday of last week", "from:2026-11-10 to:2026-11-13"],
    ["top 5 on Monday and Tuesday last week", "from:2026-11-09 to:2026-11-10"],
    ["last week's Tuesday, Wednesday, and Friday", "from:2026-11-10 to:2026-11-13"],
    ["Dienstag, Mittwoch und Freitag letzter Woche", "from:2026-11-10 to:2026-11-13"],
    ["mardi, mercredi et vendredi de la semaine dernière", "from:2026-11-10 to:2026-11-13"],
    ["lo mejor del martes, miércoles y viernes de la semana pasada", "from:2026-11-10 to:2026-11-13"],
    ["terça, quarta e sexta da semana passada", "from:2026-11-10 to:2026-11-13"],
    ["الثلاثاء والأربعاء والجمعة من الأسبوع الماضي", "from:2026-11-10 to:2026-11-13"],
    ["Tuesday and Friday of the week before last", "from:2026-11-03 to:2026-11-06"],
    ["вторник, среда и пятница прошлой недели", "from:2026-11-10 to:2026-11-13"],
    ["先週の火曜、水曜と金曜のトップ", "from:2026-11-10 to:2026-11-13"],
    ["上周二、周三和周五最好的产品", "from:2026-11-10 to:2026-11-13"],
    ["지난주 화요일, 수요일과 금요일 인기 제품", "from:2026-11-10 to:2026-11-13"],
    ["top launches of the 3rd, 5th and 7th of October", "from:2026-10-03 to:2026-10-07"],
    ["am 3., 5. und 7. Oktober", "from:2026-10-03 to:2026-10-07"],
    ["Top for monday, tuesday and wednesday", "from:2026-11-16 to:2026-11-18"],
    ["best of Friday, Saturday and Monday", "from:2026-11-13 to:2026-11-16"],
    ["die Besten am Montag und am Dienstag", "from:2026-11-16 to:2026-11-17"],
    ["el top del lunes y el martes", "from:2026-11-16 to:2026-11-17"],
    ["el top del lunes, del martes y del miércoles", "from:2026-11-16 to:2026-11-18"],
    ["les meilleurs de lundi et de mardi", "from:2026-11-16 to:2026-11-17"],
    ["i migliori di lunedì e di martedì", "from:2026-11-16 to:2026-11-17"],
    ["o melhor da segunda e da terça", "from:2026-11-16 to:2026-11-17"],
    ["melhores de segunda, terça e quarta", "from:2026-11-16 to:2026-11-18"],
    ["top op maandag en op dinsdag", "from:2026-11-16 to:2026-11-17"],
    ["najlepsze w poniedziałek i we wtorek", "from:2026-11-16 to:2026-11-17"],
    ["лучшее в понедельник и во вторник", "from:2026-11-16 to:2026-11-17"],
    ["найкраще у понеділок і у вівторок", "from:2026-11-16 to:2026-11-17"],
    ["terbaik hari Senin dan hari Selasa", "from:2026-11-16 to:2026-11-17"],
    ["أفضل يوم الاثنين ويوم الثلاثاء", "from:2026-11-16 to:2026-11-17"],
    ["lo mejor de ayer y de hoy", "from:2026-11-19 to:2026-11-20"],
    ["die Besten von gestern und vom Montag", "from:2026-11-16 to:2026-11-19"],
    ["wie sah das Ranking am Wochenende 17./18. Oktober aus", "from:2026-10-17 to:2026-10-18"],
    ["i migliori del 3 ottobre e del 5 ottobre", "from:2026-10-03 to:2026-10-05"],
  ])("in %s the window is that of all days", (message, timeframe) => {
    expect(route(message, options)).toMatchObject({ action: "top_timeframe", timeframe });
  });

  test.each(["top 5 of 04/11/2026", "what won on 04/11/2026?", "top startups 04/11/2026"])(
    "%s names a month before its day",
    (message) => {
      expect(route(message, options).timeframe).toBe("2026-04-11");
    },
  );

  test("a version isn't a date", () => {
    expect(route("Suche Python 3.11.", options)).toMatchObject({ action: "search", query: "Python 3.11" });
  });

  test.each([
    ["was kam zwischen dem 3. und dem 9. raus?", "from:2026-11-03 to:2026-11-09"],
    ["entre le 3 et le 9", "from:2026-11-03 to:2026-11-09"],
    ["entre el 3 y el 9", "from:2026-11-03 to:2026-11-09"],
    ["między 3 a 9", "from:2026-11-03 to:2026-11-09"],
    ["między 3 a 9 października", "from:2026-10-03 to:2026-10-09"],
    ["entre le 25 et le 3", "from:2026-10-25 to:2026-11-03"],
    ["gestern und heute", "from:2026-11-19 to:2026-11-20"],
  ])("%s are days of the latest month", (message, timeframe) => {
    expect(findWindow(route(message, options).timeframe)).toBe(findWindow(timeframe));
  });

  test.each([
    ["launches on 31 November", "2026-11-31"],
    ["31 June", "2026-06-31"],
    ["launches of 30 February", "2026-02-30"],
    ["launches of 29 February", "2024-02-29"],
  ])("%s without a year is %s", (message, timeframe) => {
    expect(route(message, options).timeframe).toBe(timeframe);
  });

  test("dates that don't exist, ranges that run backwards and unknown zones are handed on to be refused", () => {
    expect(findWindow(route("top on 31 June 2026", options).timeframe)).toBe("invalid_date");
    expect(findWindow(route("ranking from 5 May 2026 to 1 May 2026", options).timeframe)).toBe("inverted_range");
    const { timeframe, tz } = route("today's top, tz Mars/Phobos", options);
    expect(findWindow(timeframe, tz)).toBe("invalid_timezone");
  });
});

test("very long and odd messages are read without harm", () => {
  for (const piece of [
    "top ",
    "1 ",
    "(",
    "昨日の",
    "no ",
    "last 3 ",
    '"',
    "we are ",
    "\u0000",
    "🎉",
    "find ",
    "a-",
    "only ",
    "5-",
    "a year ago today ",
  ]) {
    expect(route(piece.repeat(20_000), options).action).toMatch(/^(?:top|top_timeframe|search|confetti|advice)$/);
  }
});

test("of a message with hundreds of sentences the first ones are read", () => {
  expect(readMessage("Again. ".repeat(280), options).sentences).toHaveLength(50);
  expect(route("Show me the top 3. ".repeat(100), options)).toMatchObject({ action: "top", limit: 3 });
});

test("eight digits are a date only if there is such a day", () => {
  expect(route("top products of 20261118", options).timeframe).toBe("2026-11-18");
  for (const number of ["00000000", "00000123", "20260231", "99999999"]) {
    expect(route(`top products, order ${number}`, options)).toMatchObject({ action: "top" });
  }
});
