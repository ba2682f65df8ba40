import type { Language } from "@agent-backends/language";
import { hasNumberWord } from "../text/number-words.ts";

/** What kind of value a question asks for. */
export type AnswerType = "person" | "version" | "time" | "duration" | "number" | "money" | "place" | "reason";

/** Question words by type. The first that fits counts. Written without accents, in lower case. */
const questionPatterns: [AnswerType, RegExp][] = [
  [
    "version",
    /\b(?:(?:which|what|whose) (?:version|release)|welche[rn]? version|quelle version|(?:que|cual) version|(?:che|quale) versione|que versao|welke versie)\b/u,
  ],
  [
    "duration",
    /\b(?:how far (?:in advance|ahead)|how much (?:notice|time)|(?:for )?how long (?:do|does|did|is|are|was|were|will|would|has|have|had|may|can|must|should)\b.*\b(?:take|takes|last|lasts|wait|stay|keep|kept|stored|valid|open|closed|have|need|run|runs|work|live|reign)\w*|(?:wie lange|hoelang|combien de temps|cuanto (?:tiempo|dura\w*|tarda\w*)|quanto (?:tempo|dura\w*)|quanto tempo|hoe lang duurt|как долго|сколько (?:времени|длится))|how many (?:\w+ )?(?:years|months|weeks|days|hours|minutes|seconds)|wie ?viele? (?:\w+ )?(?:jahre|monate|wochen|tage|stunden|minuten)|combien d['e] ?(?:annees|ans|mois|semaines|jours|heures|minutes)|cuant[oa]s (?:anos|meses|semanas|dias|horas|minutos)|how soon|jak d[lł]ugo|ile (?:czasu|minut|godzin|dni|tygodni|miesiecy|lat)|hur l(?:ange|ang tid)|hvor l(?:ae|æ|e)nge)\b/u,
  ],
  [
    "money",
    /\b(?:quelle somme|combien d'argent|wie ?viel geld|cuanto dinero|quanto denaro|(?:how|wie) (?:expensive|teuer)|how much (?:(?:do|does|did|can|may|will|would|should|is|per)\b(?!.*\bweigh)|.*(?:cost|price|pay|charge|fee|money))|(?:most|amount of|how much) money|cost(?:s)?|price|what (?:do|does|did|must|should|would|will) .*pay|was (?:muss|mussen|soll|sollen) .*zahlen|wie ?viel (?!prozent).*(?:kostet|kosten|zahlt)|(?:wie hoch|welche[rnms]?) (?:\w+ ){0,3}\w*(?:beitrag|gebuhr|kosten|preis|miete|steuer|entgelt|betrag|tarif)|was (?:zahlt|zahle|zahlen)|was kostet|kostet|combien .*(?:cout|pay|revien|touch)\w*|prix|tarif|montant|cuanto (?:cuesta|cost|hay que pagar|se paga|vale)\w*|precio|tarifa|importe|quanto cost\w+|prezzo|quanto custa\w*|preco|mensalidade|hoeveel kost\w*|wat kost\w*|prijs|ile kosztuj\w+|cena|op[lł]ata|vad kostar|hvad? koster|сколько стоит|цена)\b|いくら|値段|多少钱|价格|كم (?:سعر|يكلف|تكلف|ثمن|رسوم|تبلغ رسوم)/u,
  ],
  [
    "number",
    /\b(?:(?:percentage|proportion|share|percent)|how (?:many|much|long|old|tall|high|large|big|far|deep|heavy|wide|often|frequently)|wie ?viele?|wie (?:lange|alt|hoch|gross|weit|tief|schwer|breit|oft|haufig)|combien|quel age|quelle (?:proportion|part|quantite|taille|distance|duree)|quel pourcentage|proportion|pourcentage|porcentaje|percentuale|porcentagem|prozent\w*|anteil|cuant[oa]s?|quant[oaie]s?|a che quota|hoeveel|hoe (?:lang|oud|hoog|groot|ver|zwaar)|ile|jak (?:cz[eę]sto|daleko|du[zż]y)|hur (?:manga|mycket|ofta|stor|gammal|langt)|hvor (?:mange|meget|mye|ofte|stor|gammel|langt)|сколько)\b|何[人個年日回歳台枚本度階時間分%]|いくつ|どのくらい|多少|几[个天年人次]|多[长大高久远快]|割合|몇|얼마|(?<!\p{L})كم(?!\p{L})/u,
  ],
  [
    "time",
    /\b(?:when|(?:opening|business|visiting|office) (?:hours|times)|(?:offnungs|besuchs|geschafts|sprech)zeiten|horaires?|horarios?|orar[io]|openingstijden|how late|wie spat|um wie ?viel uhr|what (?:year|date|day|time|month)|which (?:year|date|day|month)|since when|wann|welche[sm]? (?:jahr|datum|tag|monat)|quand|quelle (?:date|annee|heure)|quel (?:jour|mois)|a quelle heure|cuando|que (?:ano|fecha|dia|horas?)|quando|che (?:anno|data|giorno|ora)|em que (?:ano|data|dia)|wanneer|welk jaar|kiedy|o ktorej|nar|hvornar|когда|каком году)\b|いつ|何[年月日時曜]|什么时候|何时|哪[一]?[年天日]|متى/u,
  ],
  [
    "person",
    /\b(?:(?:which|what) (?:company|firm|supplier|person|brand)|welche[rs]? (?:firma|unternehmen|person|betrieb|marke)|quelle (?:entreprise|societe|personne|marque)|que (?:empresa|persona|marca)|(?:quale|che) (?:azienda|ditta|impresa|persona|marca)|qual empresa|welk bedrijf|who|whom|whose|wer|wem|wen|wessen|qui|quien|quienes|chi|quem|wie (?:is|was|heeft|zijn|waren)|kto|komu|kim|vem|hvem|кто|кому|кем)\b|誰|だれ|谁|\bمن (?:هو|هي|قام|كتب|أسس|الذي)/u,
  ],
  ["place", /\b(?:where|wo|woher|wohin|ou|donde|dove|onde|waar|gdzie|hvor|^var|где|куда|откуда)\b|どこ|哪里|哪儿|أين/u],
  [
    "reason",
    /\b(?:why|warum|wieso|weshalb|pourquoi|por que|perche|waarom|dlaczego|varfor|hvorfor|почему|зачем)\b|なぜ|どうして|为什么|لماذا/u,
  ],
];

/** "How often": a number of times, or one of the words for how often. */
const asksFrequency =
  /\b(?:how (?:often|frequently)|wie (?:oft|haufig)|(?:a quelle frequence|combien de fois|tous les combien)|(?:con que frecuencia|cada cuanto|cuantas veces)|(?:ogni quanto|con che frequenza|quante volte)|(?:com que frequencia|quantas vezes)|hoe vaak|hur ofta|как часто)\b|как часто|何回|どのくらいの頻度|多久|多长时间一次/u;
const frequency =
  /(?<!\p{L})(?:every|each|once|twice|daily|weekly|monthly|quarterly|yearly|annually|never|always|jede[nrms]?|täglich|wöchentlich|monatlich|vierteljährlich|jährlich|einmal|zweimal|dreimal|\p{L}+mal|nie|immer|chaque|tou(?:s|tes) les|quotidien\p{L}*|hebdomadaire\p{L}*|mensuel\p{L}*|annuel\p{L}*|une fois|jamais|cada|todos los|todas las|diari[oa]\p{L}*|semanal\p{L}*|mensual\p{L}*|anual\p{L}*|una vez|nunca|ogni|giornalier\p{L}*|settimanal\p{L}*|mensil\p{L}*|annual\p{L}*|una volta|mai|todos os|todas as|uma vez|mensal\p{L}*|elke?|ieder\p{L}*|dagelijks|wekelijks|maandelijks|jaarlijks|eenmaal|nooit|varje|dagligen|кажд\p{L}+|ежедневно|еженедельно|ежемесячно|ежегодно|раз)(?!\p{L})|毎[日週月年]|每[天日周月年]/iu;

const monthNames =
  "january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro|maart|mei|augustus|stycznia|lutego|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|januari|februari|augusti|maj";
const month = new RegExp(
  String.raw`\b(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|okt|nov|dec|dez)\b|\b(?:${monthNames})\b`,
  "iu",
);
const asksWhichDay =
  /\b(?:(?:which|what) (?:week)?days|wochentag\w*|welche[nm]? tage?n?|quels jours|que dias|che giorni|quais dias|welke dagen)\b/u;
const weekday =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun|week)days?|daily|every day)\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag|werktag)(?:s|en?)?\b|täglich|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s?\b|\b(?:lunes|martes|miércoles|jueves|viernes|sábados?|domingos?)\b|\b(?:luned|marted|mercoled|gioved|venerd)ì|\bsabato\b|\b(?:segunda|terça|quarta|quinta|sexta)\b|\b(?:maan|dins|woens|donder|vrij|zater|zon)dag/iu;
/** "Wed-Fri", "Di–Fr 10–18 Uhr". */
const shortWeekday =
  /(?<!\p{L})(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)(?!\p{L})|(?<!\p{L})(?:Mo|Di|Mi|Do|Fr|Sa|So|Lu|Ma|Me|Je|Ve|Lun|Mar|Mer|Mié|Jeu|Jue|Ven|Vie|Sam|Sáb|Sab|Dim|Dom|Gio|Qua|Qui|Sex|Seg|Ter|Wo|Vr|Za|Zo)\.?(?=\s?[–,/-]|\s\p{Nd})/u;
const timeWord =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun|week)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b|\b(?:before|after|until|once|as (?:soon|long) as|within|daily|weekly|monthly|yearly|annually|noon|midnight|(?:century|year|month|week|day|hour|minute)s?|o'clock|sobald|solange|nachdem|bevor|innerhalb|täglich|jährlich|uhr|jahr(?:en?|s|es)?|monat(?:en?|s)?|wochen?|tag(?:en?|s)?|stunden?|années?|mois|semaines?|jours?|heures?|años?|meses|semanas?|días?|horas?|ann[oi]|mes[ei]|settiman[ae]|giorn[oi]|or[ae]|anos?|mês|dias?|nadat|zodra|jaar|maand(?:en)?|we(?:ek|ken)|dag(?:en)?|uur)\b|[年月日時时点曜週]|\p{sc=Cyrillic}*(?:час|год|лет|дня|дней|недел|месяц|после)\p{sc=Cyrillic}*|بعد|قبل|حتى|الساعة|يوم|عام|سنة|في ال/iu;
const asksYear =
  /\b(?:(?:what|which) year|welche[mns] jahr|quelle annee|(?:que|cual) ano|che anno|que ano|welk jaar|каком году)\b|何年|哪一?年|\b(?:when (?:was|were)|wann (?:wurde|ist|war)|quand (?:a|ont|fut|est)|cuando (?:se|fue)|quando (?:e|fu|foi)|wanneer (?:is|werd)) .*\b(?:founded|built|established|introduced|invented|born|created|gebaut|gegrundet|eroffnet|geboren|erbaut|erfunden|fonde\w*|construit\w*|cree\w*|nee?|fundad[oa]|fundo|construido|construyo|nacio|fondat[oa]|costruit[oa]|nat[oa]|construid[oa]|nasceu|gebouwd|opgericht)\b/u;
const century = /century|jahrhundert|si[eè]cle|siglo|secolo|século|eeuw/iu;
const yearNumber = /^(?:1\d{3}|20\d{2})$|[./-](?:1\d{3}|20\d{2})$|^(?:1\d{3}|20\d{2})[./-]/;
const asksHour = /\b(?:what time|um wie ?viel uhr|a quelle heure|que hora|a che ora|que horas|hoe laat)\b|何時|几点/u;
/** A year, or numbers that make a date or a time. */
const dateNumber = /^(?:1\d{3}|20\d{2})$|\d[:/-]\d|\d\.\d{1,2}\.\d|^(?:0?\d|1\d|2[0-4])h[0-5]?\d?$/;
/** A German day without its year, such as "bis 31.12." */
const shortDate =
  /(?<!\p{L})(?:bis|am|ab|zum|vom|seit|vor|nach)\s+(?:(?:zum|dem|den)\s+)?(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?!\d)/iu;
/** An hour with its unit, such as "9 am", "22h" or "8.30 Uhr", or with the part of the day. */
const hourWithUnit =
  /(?<![\p{L}\p{N}])(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)?\s?(?:[ap]\.?\s?m\b|hrs?\b|h(?![\p{L}])|uhr\b|o['’]clock|uur\b|часов|часа|ч\.|[點点時时]|시)|(?:صباحا|عصرا|مساء|ظهرا|ليلا|فجرا)/iu;
/** An hour after a preposition of time. What follows doesn't make it a number of something: "at 8 on weekdays", but not "at 8 places". */
const hourAfterPreposition =
  /(?<![\p{L}\p{N}])(?:at|by|until|till|from|opens?|closes?|um|ab|bis|gegen|von|öffnet|schließt|à|dès|de|jusqu['’]à|(?:a|hasta|desde|de) las?|alle|dalle|all['’]|às|das|até as|om|vanaf|tot|klo|klockan|kl\.?|saat|o|od|в|с|до)\s+(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)?(?=\s*(?:$|\.(?!\d)|[,;!?)]|[–-]|(?:and|to|till|until|on|in the|at|daily|every|und|bis|am|an|et|à|le|du|y|a|de la|por la|los|e|alle|di|da|do|en|tot|до|утра|вечера)(?!\p{L})))/iu;
/** A time of day written with a point: "Doors open 19.30". */
const pointedTime =
  /(?<![\p{L}\p{N}.,€$£])(?:0\d|1\d|2[0-3])\.[0-5]\d(?!\d|[.,]\d|\s?[%€$£]|\s?(?:eur|usd|chf|m|k|g|c|km|kg|cm|mm|gb|mb)(?!\p{L}))/iu;
const hasHour = (text: string): boolean =>
  hourWithUnit.test(text) || hourAfterPreposition.test(text) || pointedTime.test(text) || hourInWords.test(text);

/** What questions about a size ask for, and how its values look. */
const measures: [asks: RegExp, has: RegExp][] = [
  [
    /\b(?:how old|(?:what|which|minimum) age|mindestalter|wie alt|welche[mns]? (?:mindest)?alter|quel age|(?:que|cual es la) edad|quanti anni|che eta|que idade|quantos anos|hoe oud|welke leeftijd)\b/u,
    /(?<!\p{L})(?:aged?|born|(?:years?|months?) old|alter|alt|mindestalter|lebensjahr\p{L}*|geboren|âge\p{L}*|née?|edad|naci\p{L}+|età|nat[oa]|idade|nasce\p{L}+|leeftijd|oud)(?!\p{L})|\p{Nd}-year-old|jährige?[nrsm]?(?!\p{L})|(?<!\p{L})(?:over|under|above|below|from|ab|unter|über|bis|dès|(?:à partir|moins|plus) de|desde|(?:a partir|mayores|menores|maiores|menores|más|menos|más) de|(?:a partire|meno|più) (?:da|di|dai)|vanaf|onder|boven|aos|a los|dai|ai|à)\s(?:l[oae]s\s|den\s)?(?:\p{Nd}+(?![\p{L}\p{N}])(?!\s?[%€$£:.,]\p{Nd}?|\s(?:uhr|uur|h|[ap]m|euro?s?)(?!\p{L}))|\p{L}+\s(?:years?|jahren?|ans|años|anni|anos|jaar)(?!\p{L}))|歳|岁|살/iu,
  ],
  [
    /\b(?:how heavy|how much (?:does|do|did) .*weigh|weight|wie schwer|gewicht|(?:quel|combien) .*\b(?:poids|pese)\w*|cuanto pesa\w*|peso|quanto pesa\w*|hoe zwaar|gewicht)\b/u,
    /(?<!\p{L})(?:m?g|kg|kilos?|lbs?|oz|t|grams?|grammes?|kilogram\p{L}*|pounds?|ounces?|tons?|tonnes?|gramm|tonnen?|gramos?|toneladas?|gramm[io]|tonnellat[ae]|gramas?|weigh\p{L}*|wiegt|pèsent?|pesan?|weegt)(?!\p{L})/iu,
  ],
  [
    /\b(?:how (?:deep|tall|wide|thick|far(?! (?:in advance|ahead|back)))|wie (?:tief|breit|dick|weit(?! im voraus))|quelle (?:profondeur|distance)|a quelle (?:profondeur|distance)|(?:que|cual) profundidad|quanto (?:e|sono) (?:profond|alt|larg)\w+|hoe (?:diep|breed|ver))\b/u,
    /(?<!\p{L})(?:[cmkd]?m|ft|feet|foot|inch(?:es)?|miles?|yards?|\p{L}*met(?:er|re)s?n?|mètres?|\p{L}*mètres?|\p{L}*metros?|\p{L}*metr[io]|schritte|minut\p{L}+|blocks?)(?!\p{L})|メートル|キロ|米|公里/iu,
  ],
  [
    /\b(?:how (?:big|large)|wie gross|quelle (?:taille|superficie)|que (?:tamano|superficie)|quanto e grande|che dimensioni|que tamanho|hoe groot)\b/u,
    /[m²³]\p{Nd}|²|(?<!\p{L})(?:[cmkd]?m|qm|sqm|ha|ft|feet|inch(?:es)?|acres?|hectares?|hektar|ares?|gb|mb|tb|pixels?|\p{L}*met(?:er|re)s?n?|\p{L}*mètres?|\p{L}*metros?|\p{L}*metr[io]|size|größe|taille|people|persons?|personen|leuten?|personn?es?|personas?|pessoas|members|mitgliedern?|mitarbeiter\p{L}*|\p{L}*köpfig\p{L}*|employees|inhabitants|einwohner\p{L}*|habitants|habitantes|abitanti|inwoners|square)(?!\p{L})|\p{Nd}\s?[x×]\s?\p{Nd}|平方|大きさ/iu,
  ],
  [
    /\b(?:(?:phone|fax|mobile) number|telefonnummer|faxnummer|handynummer|(?:numero|numéro) de (?:telephone|tel|fax|telefono)|quel est .*\btelephone|cual es .*\btelefono|numero di (?:telefono|fax)|numero de telefone|qual e .*\btelefone|telefoonnummer)\b|電話番号|电话号码/u,
    /(?:\p{Nd}[\s/().-]{0,2}){5}/u,
  ],
  [
    /\b(?:(?:what|which|wie lautet|welche|quelle|cual|qual|wat) .*\b(?:e-?mail|mailadresse|emailadresse|courriel|correo electronico)|adresse (?:e-?mail|mail))\b/u,
    /\S@\S/u,
  ],
  [
    /\b(?:(?:what|which) street|what is .*(?<!\b(?:ip|mail|email|web|mac) )address|welche[rn]? strasse|wie (?:lautet|ist) .*(?<!(?:ip|mail|web|mac)-?)adresse|quelle rue|quelle est l'adresse(?! (?:ip|mail|e-?mail|mac|web))|(?:que|cual) calle|cual es la direccion(?! (?:ip|mac|web|de correo))|(?:che|quale) via|qual e l'indirizzo(?! (?:ip|mac|web|e-?mail|mail))|que rua|qual e a morada|welke straat)\b/u,
    /(?<!\p{L})(?:street|st|road|rd|avenue|ave|lane|square|drive|way|close|terrace|hill|str|\p{L}*(?:straße|strasse|weg|platz|allee|gasse|ring|ufer|damm|markt)|rue|place|boulevard|chemin|quai|impasse|allée|calle|avenida|plaza|paseo|camino|via|viale|piazza|corso|vicolo|rua|praça|travessa|largo|\p{L}*(?:laan|straat|plein|kade|gracht))(?!\p{L})/iu,
  ],
  [
    /\b(?:what(?: is|'s) .*\b(?:code|pin)|wie (?:lautet|ist) .*(?:code|pin)|quel est .*\b(?:code|pin)|(?:cual|que) es .*\b(?:codigo|pin)|qual e .*\b(?:codice|codigo|pin)|wat is .*\b(?:\w*code|pin))\b/u,
    /\p{Nd}{2}|(?<!\p{L})\p{Lu}{3}|[`"“„»]/u,
  ],
  [
    /\b(?:(?:what|which) temperature|how (?:hot|cold|warm)|welche[rn]? temperatur|wie (?:heiss|kalt|warm)|wie ?viel grad|quelle temperature|combien de degres|(?:que|cual es la) temperatura|che temperatura|quanti gradi|quantos graus|welke temperatuur|hoe (?:heet|warm|koud))\b|何度|多少度/u,
    /[°℃℉]|(?<!\p{L})(?:degrees?|grad|degrés?|grados|gradi|graus|graden)(?!\p{L})|\p{Nd}\s?[度CF](?!\p{L})/iu,
  ],
];

/** "How many …": what is counted is in the group. */
const asksCount =
  /\b(?:how many|wie ?viele|combien d(?:e |')|cuant[oa]s|quant[ie]|quant[oa]s|hoeveel)\s*(\p{L}+)((?:\s\p{L}+){0,2})/u;
/** Units are counted as in "60 euros", and their parts are no years. */
const unitOrPart =
  /^(?:euros?|dollars?|pounds?|cents?|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|percent|points?|degrees?|grams?|litres?|liters?|met(?:er|re)s?|\w*(?:sekunden|minuten|stunden|tage|wochen|monate|jahre)|euro|prozent|grad|gramm|punkte|mal|secondes|jours|semaines|mois|ans|fois|degres|pour|segundos|minutos|horas|dias|semanas|meses|anos|veces|grados|second[io]|minuti|ore|giorni|settimane|mesi|anni|volte|gradi|vezes|graus|dagen|weken|maanden|jaar|uur|keer|mange)$/u;
/** Numbers that count something else: amounts of money, times, spans of time, years, temperatures, shares. */
const otherMeasure =
  /\p{Nd}{1,2}(?:[.:]\p{Nd}{2})?\s?[–-]\s?\p{Nd}{1,2}(?:[.:]\p{Nd}{2})?\s?(?:uhr|h|[ap]m)(?!\p{L})|[€$£]\s?\p{Nd}[\p{Nd}.,]*|\p{Nd}[\p{Nd}.,]*(?:[\s\u202f]\p{Nd}{3})*\s?(?:[€$£%°]|(?:euros?|eur|usd|dollars?|cents?|uhr|[ap]m|[ckm]?m|kg|g|degrees?|grad|degrés?|grados|gradi|percent|prozent)(?!\p{L}))|\p{Nd}{1,2}\s?[:h]\s?\p{Nd}{0,2}(?!\p{L})|(?<!\p{L})(?:dalle|alle|entro le|ore|[ah] las|de las|hasta las|um|às|das)\s\p{Nd}{1,2}(?!\p{Nd})|\p{Nd}{1,2}\s(?:tot|bis|to|à|a|alle|até)\s\p{Nd}{1,2}\s?(?:uhr|uur|h|[ap]m)(?!\p{L})/giu;
const phoneNumber = /(?<![\p{L}\p{N}])(?:\+\p{Nd}{2}|0)\p{Nd}+(?:[\s/-]\p{Nd}{2,})+/u;
const spanOfTime =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}.,-]+\s(?:seconds?|minutes?|hours?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tagen?|wochen?|monaten?|jahren?|secondes?|heures?|jours?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?|second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|dias?|mês|anos?|uur|dagen|we(?:ek|ken)|maand(?:en)?|jaar)(?!\p{L})/giu;

/** What "how many" counts, with the words after it: "guests can stay". Undefined for units. */
export function findCounted(question: string): string | undefined {
  const [, first = "", others = ""] = asksCount.exec(stripAccents(question)) ?? [];
  return first === "" || unitOrPart.test(first) || /^temps$|^tempo$/.test(first) ? undefined : first + others;
}

/** Whether a text has a number that may count what "how many" asks for. A year counts only with what is asked for: "2000 members". */
function hasCount(text: string, { text: asked, language }: { text: string; language: Language | undefined }): boolean {
  const body = [otherMeasure, spanOfTime, phoneNumber, hourWithUnit, hourAfterPreposition].reduce(
    (rest, pattern) => rest.replaceAll(new RegExp(pattern, "giu"), " "),
    text,
  );
  if (hasNumberWord(body, language) || chineseNumber.test(body)) return true;
  const known = stripAccents(asked);
  return [...body.matchAll(/(?<![\p{sc=Latn}\p{N}])(\p{Nd}+(?:[.,:/-]\p{Nd}+)*)\s*(\p{L}{4})?/gu)].some(
    ([, number = "", next]) =>
      !asked.includes(number) &&
      (!/^(?:1[5-9]|20)\d{2}$/.test(number) || (next !== undefined && known.includes(stripAccents(next)))),
  );
}

/** A time of day in letters: "at six", "noon". */
const hourInWords =
  /(?<!\p{L})(?:at|by|until|from|to|um|ab|bis|gegen|om|tot|vanaf|в|a las?|hasta las?|alle|all['’]|às)\s+(?:half\s+|halb\s+|quarter\s+\p{L}+\s+|viertel\s+\p{L}+\s+)?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|twee|drie|vijf|zes|zeven|negen|tien|twaalf)(?!\p{L})|(?<!\p{L})(?:noon|midnight|mittags?|mitternacht|midi|minuit|mediodía|medianoche|mezzogiorno|mezzanotte|meio-dia|meia-noite|(?:une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze)\s+heures?)(?!\p{L})/iu;
/** A number with a unit of time, or a unit in words: "until revoked". */
const durationUnit =
  /(?<!\p{L})(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|nights?|evenings?|afternoons?|mornings?|lessons?|decades?|centur(?:y|ies)|sekunden?|minuten?|stunden?|tag(?:en?|s)?|wochen?|monat(?:en?|s)?|jahr(?:en?|s|es)?|nächten?|abenden?|nachmittagen?|secondes?|heures?|jours?|semaines?|mois|ans?|années?|nuits?|soirées?|après-midis?|matinées?|segundos?|minutos?|horas?|días?|noches?|tardes?|mañanas?|semanas?|mes(?:es)?|años?|second[oi]|minut[oi]|or[ae]|giorn[oi]|nott[ei]|ser[ae]|settiman[ae]|mes[ei]|ann[oi]|dias?|noites?|mês|anos?|seconden|minuut|minuten|u(?:ur|ren)|secs?|hrs?|h|yrs?|sek|std|dni|dzień|godzin\p{L}*|minut\p{L}*|miesi\p{L}+|tygod\p{L}+|lat|roku|dag(?:ar|er|e)|timm\p{L}+|timer|veck\p{L}+|uge[rn]?|uker?|månad\p{L}*|måned\p{L}*|år|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|jaar|jaren|секунд\p{L}*|минут\p{L}*|час\p{L}*|дн\p{L}+|день|недел\p{L}*|месяц\p{L}*|год\p{L}*|лет)(?!\p{L})|\p{L}(?:minuten|stunden|tage|wochen|monate|jahre)(?!\p{L})|(?:minüt|stünd|täg|wöch(?:ent)?|monat|jähr)ige?[nmrs]?(?!\p{L})|[年月日週周]|時間|分間?|秒|小时|分钟|天|시간|[일분년]|يوم|أيام|ساع|دقيق|شهر|أشهر|سن[ةو]|عام|أسبوع|أسابيع/iu;
/** One unit of time: "a year". */
const singleUnit =
  /(?<!\p{L})(?:an?|one|the whole|einen?|eine[rs]?|une?|una|uno|um|uma|een|один|одну)\s+(?:\p{L}+\s+)?(?:second|minute|hour|day|week|month|year|sekunde|stunde|tag|woche|monat|jahr|heure|jour|semaine|mois|an|année|segundo|minuto|hora|día|semana|mes|año|giorno|settimana|mese|anno|ora|dia|mês|ano|uur|dag|week|maand|jaar|час|день|неделю|месяц|год)(?!\p{L})/iu;
const limitlessDuration =
  /(?<!\p{L})(?:until|forever|indefinite(?:ly)?|permanent(?:ly)?|lifetime|unlimited|overnight|bis|unbegrenzt|unbefristet|lebenslang|jusqu['’]|illimité\w*|hasta|fino|até|tot)(?!\p{L})/iu;
const chineseNumber = /[一二三四五六七八九十百千万]/;

const currency =
  /[€$£¥₹₽]|(?<![\p{L}])(?:eur|usd|chf|gbp|jpy|euros?|dollars?|francs?|franken|pounds?|cents?|centimes?|c[eé]ntimos?|centesimi|cêntimos?|yen|rubles?|kr|kronor|kroner|zł|złot\p{L}+|pln|kč|reais|pesos?)(?!\p{L})|[円元圓]|руб|ريال|درهم|دينار|دولار|يورو|free of charge|(?<!\p{L})free(?!\p{L})|kostenlos|kostenfrei|unentgeltlich|umsonst|gratuit|gratis|(?<!\p{L})(?:cost|pay|kost|zahl)\p{L}*\s(?:\p{L}+\s){0,4}(?:nothing|nichts|niets)(?!\p{L})/iu;
const priceWord = /\b(?:costs?|price|fee|charge|kosten|preis|gebühr|prix|tarif|precio|prezzo|preço|prijs)\b/iu;
/** In the name of a column, a sheet or a file. A net weight is no price. */
const priceName =
  /(?<!\p{L})\p{L}*(?:preise?|preisliste|kosten|gebühr(?:en)?|tarife?|entgelte?|prices?|fees?|prix|tarifs?|precios?|prezz[io]|preços?|prij(?:s|zen))(?!\p{L})|^(?!.*(?:gewicht|weight)).*(?<!\p{L})(?:netto|brutto)(?!\p{L})/iu;

/** Whether a name says that what stands below it are prices, even without a sign of a currency. */
export const speaksOfPrices = (name: string): boolean => priceName.test(name.replaceAll("_", " "));
const links = /\]\([^)]*\)|https?:\S+/g;
/** Section numbers, markers of list items and references to paragraphs or tables. They aren't values. */
const numbering =
  /^\s*(?:\d{1,3}\.)+\d*\s+|^\s*\d{1,3}[.)]\s+|^[\s*_]*\(\d{1,3}\p{L}?\)|(?:§+|(?<!\p{L})(?:abs(?:atz|\.)|satz|nr\.|nummer|art(?:ikel|icle|ículo|\.)|section|chapter|kapitel|chapitre|table|tabelle|tableau|tabla|figure|abb\.|version|v\.))\s*\d[\d.]*\p{L}?/giu;

/** "30. August 2024", "May 3, 2026", "3/9/18". A part of a date is no count. */
const date = new RegExp(
  String.raw`(?<!\p{L})(?:\d{1,2}\.?\s+(?:de\s+)?(?:${monthNames})\.?(?:\s+(?:de\s+)?\d{4})?|(?:${monthNames})\.?\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?|\d{1,4}[./-]\d{1,2}[./-]\d{2,4})(?![\p{L}\p{N}])`,
  "giu",
);

const ordinals =
  /^(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|erste[rnms]?|zweite[rnms]?|dritte[rnms]?|vierte[rnms]?|fünfte[rnms]?|premi(?:er|ère)|deuxième|troisième|quatrième|primer[oa]?|segund[oa]|tercer[oa]?|prim[oa]|second[oa]|terz[oa]|primeir[oa]|terceir[oa])$/u;

/** Whether a word is a number in letters, or an ordinal. */
export const isNumberWord = (word: string, language: Language | undefined): boolean =>
  ordinals.test(word) || hasNumberWord(word, language);

/** Lower case without accents. Unlike `fold` it keeps the variants of Arabic letters, which the patterns contain. */
const stripAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss");

/** The type of value that a question asks for, or undefined if its question words don't show one. */
export function findAnswerType(question: string): AnswerType | undefined {
  const text = stripAccents(question);
  if (asksWhichDay.test(text)) return "time";
  if (measures.some(([asks]) => asks.test(text))) return "number";
  const asked = questionPatterns.find(([, pattern]) => pattern.test(text))?.[0];
  return asked ?? (asksIfOpen(question) ? "time" : findKeywordType(text));
}

/** Keywords instead of a question, such as "late fee first reminder", ask for the value that they name. */
function findKeywordType(text: string): AnswerType | undefined {
  if (text.split(/\s+/).length > maxKeywords || yesOrNo.test(text)) return undefined;
  return keywordPatterns.find(([, pattern]) => pattern.test(text))?.[0];
}

const maxKeywords = 6;
const yesOrNo =
  /^(?:is|are|am|do|does|did|can|could|may|must|should|will|has|have|gibt|ist|sind|hat|habe|haben|kann|darf|muss|soll|wird|est|sont|peut|puis|dois|faut|hay|es|puedo|puede|debo|tengo|c'e|posso|puo|devo|bisogna|tem|ha|pode|kan|mag|moet|moge|czy)\b/u;
const keywordPatterns: [AnswerType, RegExp][] = [
  [
    "money",
    /\b(?:fees?|dues|fare|rent|\w*(?:gebuhr(?:en)?|kosten|beitrag|preise?|entgelt|miete|stundensatz|honorar)|cotisation|frais|loyer|cuota|tasa|alquiler|costo|costi|quota|affitto|custos?|taxa|propina|aluguel|contributie|huur|koszt|czynsz|avgift|gebyr)\b/u,
  ],
  [
    "number",
    /\b(?:maximum|minimum|max|min|speed|distance|capacity|(?:hochst|mindest)\w+|\w*(?:geschwindigkeit|anzahl|dauer|menge|grosse)|vitesse|nombre|capacite|velocidad|numero|capacidad|velocita|capacita|velocidade|capacidade|snelheid|aantal)\b/u,
  ],
  ["time", /\b(?:dates?|deadline|\w*(?:frist|termin|datum|zeiten)|fecha|plazo|scadenza|prazo|echeance|delai)\b/u],
];

/** "Are you open on Saturdays?" asks for days. */
const asksIfOpen = (question: string): boolean =>
  weekday.test(question) && !questionPatterns.some(([, pattern]) => pattern.test(stripAccents(question)));

/** Whether a text has a value of a type, in digits or letters, that the question doesn't have itself. */
export function hasAnswerOfType(
  text: string,
  type: Exclude<AnswerType, "place" | "reason">,
  question: { text: string; language: Language | undefined },
): boolean {
  const plain = text.replaceAll(links, "").replaceAll(numbering, "").replaceAll("_", " ");
  const body = type === "number" ? plain.replaceAll(date, "") : plain;
  const numbers = body.match(/(?<![\p{sc=Latn}\p{N}])\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu) ?? [];
  const newNumbers = numbers.filter((number) => !question.text.includes(number));
  const isNumberInLetters = hasNumberWord(body, question.language) || chineseNumber.test(body);
  const asked = stripAccents(question.text);
  switch (type) {
    case "number": {
      const measure = measures.find(([asks]) => asks.test(asked));
      if (measure) return measure[1].test(plain);
      if (findCounted(question.text) !== undefined) return hasCount(body, question);
      return newNumbers.length > 0 || isNumberInLetters || (asksFrequency.test(asked) && frequency.test(body));
    }
    case "money":
      return currency.test(body) || (newNumbers.length > 0 && priceWord.test(body));
    case "duration":
      return (
        (durationUnit.test(body) && (newNumbers.length > 0 || isNumberInLetters || singleUnit.test(body))) ||
        limitlessDuration.test(body)
      );
    case "time":
      if (asksWhichDay.test(asked) || asksIfOpen(question.text)) return weekday.test(body) || shortWeekday.test(body);
      if (asksYear.test(asked)) return newNumbers.some((number) => yearNumber.test(number)) || century.test(body);
      if (asksHour.test(asked)) return hasHour(body) || newNumbers.some((number) => /^\d{1,2}[:.h]\d{2}$/.test(number));
      return (
        hasHour(body) ||
        shortDate.test(body) ||
        newNumbers.some((number) => dateNumber.test(number)) ||
        month.test(body) ||
        weekday.test(body) ||
        shortWeekday.test(body) ||
        timeWord.test(body) ||
        (newNumbers.length > 0 && durationUnit.test(body))
      );
    case "version":
      return /(?<![\p{L}\p{N}.])v?\p{Nd}+\.\p{Nd}/u.test(text);
    case "person":
      if (/\S@\S+\.\p{L}/u.test(body)) return true;
      return question.language === "de" ? hasGermanName(body) : hasName(body, question.text);
  }
}

/** Whether a German text has a name. German capitalises every noun, so that only two words in a row or a title or verb before one show it. */
const hasGermanName = (text: string): boolean =>
  /(?<!\p{L})(?:(?:Herrn?|Frau|Dr\.|Prof\.|ist|war|sind|waren|durch|von)\s+\p{Lu}\p{L}+|\p{Lu}[\p{L}.-]*\s+(?:(?:von|van|de)\s+)?\p{Lu}\p{L}+|(?:vom|durch|ist|war) (?:das|die|der|den|dem|einer?|eine[mn])?\s*\p{Lu}\p{L}+)/u.test(
    text,
  );

/** Whether a text names someone by a role, or has a capitalised word that neither begins a sentence nor occurs in the question. Scripts without case pass. */
function hasName(text: string, question: string): boolean {
  if (/\bby (?:the|an?|our|your)\s/i.test(text)) return true;
  if (!/\p{Lu}/u.test(question) && !/\p{Lu}/u.test(text)) return true;
  const known = stripAccents(question);
  for (const { 0: word, index } of text.matchAll(/\p{Lu}[\p{L}'’.-]*/gu)) {
    const startsSentence = /(?:^|[.!?:]\s+|[|"“„]\s*)$/u.test(text.slice(0, index));
    const next = text.slice(index + word.length);
    const isFirstOfTwo = /^\s+\p{Lu}/u.test(next);
    if ((!startsSentence || isFirstOfTwo) && !known.includes(stripAccents(word))) return true;
  }
  return false;
}
