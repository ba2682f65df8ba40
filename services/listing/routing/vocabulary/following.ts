import { Concept } from "./concept.ts";

/** How a message begins that goes on from the one before: "and …", "what about …", "only …", "same for …". */
export const followingOn = new Concept(`
  and | what about | how about | what of | now | then | same | the same | likewise | also | instead | only | just | but | make it | make that | change it | change that | switch | switch it | limit it | limit them | limit that | narrow it | cut it | reduce it | do the same | this time
  und | was ist mit | was war mit | wie ist es mit | wie war es | wie sieht es aus | jetzt | nun | dann | dasselbe | das gleiche | das selbe | gleiches | genauso | auch | stattdessen | nur | lieber | aber | mach
  y | que tal | que hay de | que paso | ahora | entonces | lo mismo | igual | tambien | solo | solamente | pero | en su lugar
  et | qu'en est-il | quid | maintenant | alors | la meme chose | meme chose | pareil | idem | aussi | plutot | seulement | juste | uniquement | mais
  e | ed | che ne dici | che mi dici | adesso | ora | allora | lo stesso | la stessa cosa | stessa cosa | uguale | anche | invece | soltanto | solamente | ma
  quanto a | agora | entao | o mesmo | a mesma coisa | mesma coisa | tambem | so | somente | apenas | mas
  en de | en het | hoe zit het met | wat met | hoe was | nu | dan | hetzelfde | ook | alleen | slechts | enkel | maar
  a co z | teraz | to samo | tylko | tez | a jak | ya | peki | simdi | ayni | aynisi | aynisini | sadece | yalnizca
  а | и | что насчет | как насчет | теперь | тогда | то же | то же самое | тоже | только | лишь | также
  और | अब | वही | सिर्फ | केवल
  じゃあ | では | それでは | 同じ | 那 | 那么 | 那麼 | 现在 | 一样 | 同样 | 只要 | 只 | 仅 | 改成 | 换成 | 그럼 | 그러면 | 그리고 | 이제 | 똑같이
`);

/** The same, anywhere in a message. */
export const insteadOf = new Concept(
  "instead | ones | as well | too | rather | stattdessen | en su lugar | tambien | a la place | aussi | invece | anche | em vez disso | tambem | in plaats daarvan | ook | тоже | вместо этого | だけ | のみ | 만",
);

/** Words that add nothing to what is asked for. */
export const addingNothing = new Concept(`
  it | them | those | these | that many | the | a | an | for | from | of | in | on | at | by | with | to | during | me | us | you | i | we | show | give | gimme | list | display | get | see | tell | want | need | like | please | pls | can | could | would | do | did | was | were | is | are | there | that | this | my | one | first | number | number of | how many | many | results | result | entries | items | rows | page | pages | votes | time | time zone | timezone | any | try | let's | let me | check | in total | in all | altogether | look | looked | up | about | day | days
  der | die | das | den | dem | des | ein | eine | einen | von | vom | am | im | in | fur | mit | bei | zeig | zeige | gib | mir | uns | ich | will | mochte | es | ersten | bitte | wie viele | insgesamt | es | gibt | war | waren | ist | sind | nach | uhr | zeit | ergebnisse | tag
  el | la | los | las | lo | de | del | en | para | por | con | muestra | muestrame | dame | me | quiero | primeros | primeras | cuantos | cuantas | hora | resultados | fue | el dia | dia
  le | les | la | l' | du | des | de | d' | en | pour | a | au | avec | dans | montre | montre-moi | donne | donne-moi | moi | je | veux | voudrais | premiers | premieres | combien | heure | resultats | jour | c'etait
  il | lo | gli | i | le | del | della | dei | di | da | dal | nel | per | con | alle | mostra | mostrami | dammi | voglio | vorrei | mi | primi | prime | quanti | quante | ora | ore | risultati | giorno
  o | os | as | um | uma | do | da | dos | das | no | na | em | com | mostra | mostre | quero | primeiros | primeiras | quantos | quantas | hora | horario | resultados
  en | het | een | van | voor | op | met | bij | toon | laat zien | laat | zien | geef | mij | ik | wil | graag | eerste | hoeveel | tijd | resultaten | dag
  i | z | ze | w | na | dla | od | do | pokaz | daj | mi | prosze | pierwsze | pierwszych | ile | czasu
  olsun | icin | ile | goster | ver | bana | ilk | kac | lutfen | saati | saatiyle | tane
  за | на | в | во | с | со | для | по | покажи | дай | мне | первые | первых | сколько | пожалуйста | времени
  के लिए | का | की | के | में | पर | दिखाओ | दिखाइए | बताओ | पहले | कितने | कृपया
  は | も | 呢 | 는 | 은 | 도 | の | を | で | に | と | 最初の | 見せて | 教えて | ください | お願いします | お願い | どう | どうですか | ですか | です | 何件 | 件 | 个 | 個 | 的 | 给我 | 看 | 显示 | 请 | 怎么样 | 如何 | 前 | 多少 | 에 | 의 | 로 | 으로 | 보여줘 | 보여 주세요 | 보여주세요 | 알려줘 | 어때 | 어때요 | 처음 | 개 | 해줘 | 해주세요 | 주세요
`);

/** Wanting the same once more. */
export const repeating = new Concept(`
  again | once more | one more time | repeat | refresh | reload | redo | rerun | update it | same again
  nochmal | noch mal | nochmals | noch einmal | erneut | wiederhol* | otra vez | de nuevo | nuevamente | repite | repitelo | repetir | encore une fois | encore un coup | a nouveau | de nouveau | repete | repetez | di nuovo | ancora una volta | ancora | ripeti | de novo | outra vez | novamente | repita | repete | mais uma vez | opnieuw | nog een keer | nog eens | nogmaals | herhaal
  jeszcze raz | ponownie | powtorz | tekrar* | bir daha | yeniden | еще раз | снова | повтори | повторите | फिर से | दोबारा | もう一度 | もう一回 | 再来一次 | 再来一遍 | 再一次 | 再次 | 다시 | 한 번 더 | 한번 더
`);

/** Thanks and greetings, which go with "again" and repeat nothing. */
export const thanking = new Concept(
  "thanks | thank you | thx | ty | cheers | hi | hello | hey | bye | goodbye | see you | welcome | danke | hallo | gracias | hola | merci | bonjour | salut | grazie | ciao | obrigado | obrigada | ola | bedankt | dank | dzieki | merhaba | tesekkurler | спасибо | привет | धन्यवाद | ありがとう | 谢谢 | 감사합니다 | 고마워",
);

/** Wanting what comes after the list that was shown. */
export const continuing = new Concept(`
  next | following | further | subsequent | continue | go on | keep going | nachste* | folgende* | siguientes | siguiente | suivants | suivantes | suivant | prossimi | prossime | successivi | successive | seguenti | proximos | proximas | seguintes | volgende
  nastepn* | kolejn* | sonraki* | следующ* | дальше | अगले | 次の | 続き | 接下来 | 下面 | 后面的 | 다음
`);

/** The same, in words that may also say "most". */
export const wantingMore = new Concept(`
  more | the rest | rest of them | rest of it | additional | others | other | another | weitere* | mehr | noch | andere* | mas | otros | otras | de plus | autres | encore | altri | altre | mais | outros | outras | meer | verdere | nog | wiecej | daha fazla | daha | еще | और दिखाओ | もっと | さらに | 更多 | 再来 | 再 | 더
`);

/** Wanting the most votes first again. */
export const descending = new Concept(
  "best | top | highest | most voted | most popular | most votes | descending | beste* | meisten stimmen | mejores | mas votad* | meilleur* | migliori | melhores | mais votad* | najlepsz* | en iyi* | лучш* | トップ | 上位 | 最佳 | 最好 | 최고 | 상위",
);

/** Wanting another order. */
export const sorting = new Concept(
  "sort | sorted | sort by | sorted by | order by | ordered by | votes first | sortier* | ordena* | trie | trier | trie par | ordina* | sorteer* | sorteren",
);

/** Wanting the order turned round. */
export const reversing = new Concept(
  "reverse | reversed | reverse order | other way round | other way around | upside down | umgekehrt | andersrum | andersherum | al reves | a l'envers | en sens inverse | al contrario | ao contrario | andersom | odwrotnie | tersine | наоборот | उल्टा | 逆順 | 逆に | 反过来 | 倒序 | 거꾸로",
);

/** Wanting only the one that leads. */
export const onlyFirst = new Concept(
  "winner | the top one | the best one | number one | number 1 | leader | top one | gewinner | sieger | den ersten | ganador | primero | gagnant | vainqueur | premier | vincitore | primo | vencedor | primeiro | winnaar | победитель | 优胜者 | 冠军 | 優勝 | 1위",
);

/** Wanting no time at all. */
export const allTime = new Concept(`
  of all time | all time | all-time | ever | overall | aller zeiten | insgesamt | de todos los tiempos | de siempre | historico | de tous les temps | di tutti i tempi | di sempre | de todos os tempos | de sempre | aller tijden
  wszech czasow | tum zamanlar* | за все время | всех времен | अब तक के | 歴代 | 全期間 | 史上 | 有史以来 | 所有时间 | 역대 | 전체 기간
`);

export type Span = "day" | "week" | "month" | "year" | "same";

/** Times that are meant from the one before: which span, and how many of them later. */
export const shifts: readonly (readonly [span: Span, steps: 1 | -1, phrases: Concept])[] = [
  [
    "day",
    -1,
    new Concept(`
      days before | days earlier | days prior | tage davor | tage zuvor | tage vorher | jours avant | jours plus tot | dias antes | giorni prima | dagen eerder | dagen ervoor | dni wczesniej | day before | previous day | prior day | preceding day | day earlier | day prior | tag davor | tag zuvor | tag vorher | vortag* | dia anterior | dia antes | dia previo | dia de antes | jour d'avant | jour avant | jour precedent | la veille | giorno prima | giorno precedente | dag ervoor | dag daarvoor | dag eerder | vorige dag | dzien wczesniej | poprzedni dzien | poprzedniego dnia | onceki gun* | предыдущ* день | день до | днем раньше | накануне
      उससे एक दिन पहले | उससे पहले दिन | एक दिन पहले | 前日 | 前の日 | 前一天 | 전날 | 하루 전
    `),
  ],
  [
    "day",
    1,
    new Concept(`
      days after | days later | tage danach | tage spater | jours apres | jours plus tard | dias despues | giorni dopo | dagen later | day after | next day | following day | day later | tag danach | tag darauf | nachsten tag | nachste tag | folgetag* | dia siguiente | dia despues | jour d'apres | jour suivant | lendemain | giorno dopo | giorno successivo | giorno seguente | dia seguinte | dag erna | dag daarna | volgende dag | dag later | nastepny dzien | nastepnego dnia | ertesi gun* | sonraki gun* | следующ* день | день спустя
      अगले दिन | 翌日 | 次の日 | 第二天 | 后一天 | 다음 날 | 다음날
    `),
  ],
  [
    "week",
    -1,
    new Concept(`
      weeks before | weeks earlier | wochen davor | wochen zuvor | semaines avant | semanas antes | settimane prima | weken eerder | week before | previous week | prior week | preceding week | week earlier | week prior | woche davor | woche zuvor | woche vorher | vorwoche | vorherige woche | semana anterior | semana antes | semana previa | semaine d'avant | semaine avant | semaine precedente | settimana prima | settimana precedente | week ervoor | week daarvoor | week eerder | tydzien wczesniej | poprzedni tydzien | poprzedniego tygodnia | onceki hafta* | предыдущ* недел* | неделей раньше | неделю до
      उससे पहले हफ्ते | 前の週 | 前一周 | 前一週 | 그 전주 | 전주
    `),
  ],
  [
    "week",
    1,
    new Concept(
      "weeks after | weeks later | wochen danach | semaines apres | semanas despues | week after | following week | the next week | week later | woche danach | woche darauf | folgewoche | semana siguiente | semana despues | semaine d'apres | semaine suivante | settimana dopo | settimana successiva | semana seguinte | week erna | week daarna | tydzien pozniej | следующ* недел* | 翌週 | 次の週 | 后一周 | 그 다음 주",
    ),
  ],
  [
    "month",
    -1,
    new Concept(
      "months before | months earlier | monate davor | mois avant | meses antes | mesi prima | maanden eerder | month before | previous month | prior month | preceding month | month earlier | monat davor | monat zuvor | vormonat | mes anterior | mes antes | mois d'avant | mois precedent | mese prima | mese precedente | maand ervoor | maand daarvoor | miesiac wczesniej | poprzedni miesiac | onceki ay* | предыдущ* месяц* | 前の月 | 前一个月 | 그 전달",
    ),
  ],
  [
    "month",
    1,
    new Concept(
      "month after | following month | the next month | month later | monat danach | folgemonat | mes siguiente | mes despues | mois d'apres | mois suivant | mese dopo | mese successivo | mes seguinte | maand erna | maand daarna | следующ* месяц* | 翌月 | 次の月 | 下一个月 | 그 다음 달",
    ),
  ],
  [
    "year",
    -1,
    new Concept(
      "years before | years earlier | year before | previous year | prior year | year earlier | jahr davor | jahr zuvor | vorjahr* | ano anterior | annee d'avant | annee precedente | anno prima | anno precedente | jaar ervoor | jaar daarvoor | rok wczesniej | onceki yil* | предыдущ* год* | 前の年 | 前一年 | 그 전해",
    ),
  ],
  [
    "year",
    1,
    new Concept("year after | following year | the next year | jahr danach | ano siguiente | annee suivante"),
  ],
  [
    "same",
    -1,
    new Concept(
      "one before | one before that | before that | previous one | the previous | davor | zuvor | vorherige* | el anterior | la anterior | antes de eso | celui d'avant | celle d'avant | avant ca | quello prima | quella prima | prima di quello | o anterior | antes disso | die ervoor | daarvoor | ervoor | wczesniej | ondan once* | до этого | перед этим | उससे पहले | その前 | 之前 | 再往前 | 그 전",
    ),
  ],
  [
    "same",
    1,
    new Concept(
      "one after | one after that | after that | danach | despues de eso | apres ca | celui d'apres | celle d'apres | dopo quello | depois disso | daarna | erna | ondan sonra* | после этого | その次 | 之后 | 그 다음",
    ),
  ],
];
