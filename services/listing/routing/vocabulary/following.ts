import { pattern } from "../text/pattern.ts";
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

/** Putting right what was asked for: "no, I meant …". */
export const correcting = new Concept(`
  actually | i meant | i mean | meant | wait | wrong | mistake | correction | make that | scratch that | let's say | let's make it | let's do
  ich meinte | ich meine | meinte | gemeint | nein | doch | doch lieber | eigentlich | falsch* | verzeihung | entschuldigung | sagen wir | machen wir | moment
  queria decir | quise decir | me referia | digo | perdon | perdona | en realidad | mejor | equivocad* | hagamos | pongamos
  je voulais dire | je parlais | pardon | desole* | en fait | plutot | non | mauvais* | erreur | disons | faisons | mettons
  volevo dire | intendevo | scusa | scusami | anzi | in realta | meglio | sbagliat* | facciamo | diciamo | mettiamo
  quis dizer | queria dizer | quer dizer | alias | na verdade | desculpa | desculpe | melhor | errad* | vamos fazer | digamos | nao
  ik bedoelde | ik bedoel | bedoelde | nee | eigenlijk | toch | verkeerd* | laten we | doe maar | maak er
  chodzilo mi o | mialem na mysli | mialam na mysli | mialo byc | przepraszam | jednak | wlasciwie | nie | zrobmy | niech bedzie | pomylka
  demek istedigim | demek istedim | kastettim | yani | aslinda | hayir | pardon | yanlis | yapalim | olsun
  я имел в виду | я имела в виду | имел в виду | имела в виду | нет | вернее | точнее | лучше | извини* | ошиб* | давай | сделай | сделаем
  मेरा मतलब | मतलब | नहीं | माफ़ कीजिए | माफ कीजिए | असल में | गलत
  やっぱり | やはり | いや | いいえ | 違う | 違います | じゃなくて | ではなく | ではなくて | すみません | ごめん | にして | 不是 | 不对 | 不對 | 我是说 | 我是說 | 我的意思是 | 抱歉 | 还是 | 還是 | 应该是 | 아니 | 아니요 | 아니라 | 말고 | 제 말은 | 미안 | 죄송
`);

/** Refuses the time, zone or number after it. */
export const refusingNext = pattern(
  String.raw`(?<![\p{L}'])(?:not|nicht|kein\p{L}*|no|pas|non|nao|niet|geen|nie|не|instead of|rather than|(?:an)?statt|en (?:vez|lugar) de|au lieu d[eu']|invece d[ie]\p{L}*|em vez d[eao]|in plaats van|zamiast|вместо)(?![\p{L},.]) ?|不是|不要`,
  "g",
);

/** Refuses the time, zone or number before it. */
export const refusingLast = pattern(
  String.raw`じゃなく|ではなく|じゃなし|말고|이? ?아니|の?代わりに|대신|के बजाय|(?<!\p{L})(?:degil|yerine)(?!\p{L})|(?<!\p{L})नहीं`,
  "g",
);

/** A new end for the time that was asked for. */
export const extending = new Concept(`
  extend* | until | till | up to | through | bis | verlanger* | hasta | ampli* | jusqu'a | jusqu'au | prolong* | etend* | fino a | fino al | estend* | prolung* | ate | tot | tot en met | t/m | verleng* | az do | do konca | przedluz* | kadar | uzat*
  по | до | продл* | तक | まで | 延長 | 到 | 直到 | 延长 | 延長 | 까지 | 연장
`);

/** As many as before, times so much. */
export const factors: readonly (readonly [factor: number, phrases: Concept])[] = [
  [
    2,
    new Concept(
      "twice as many | twice | double | double that | doppelt* | verdopp* | el doble | doble | deux fois plus | le double | doppio | il doppio | o dobro | dobro | dubbel* | twee keer zoveel | dwa razy wiecej | dwa razy tyle | iki kati | вдвое больше | в два раза больше | दोगुने | दोगुना | 2倍 | 倍 | 两倍 | 兩倍 | 加倍 | 두 배 | 2배",
    ),
  ],
  [
    0.5,
    new Concept(
      "half as many | half that | half of them | half | halb so viele | halfte | la mitad | la moitie | moitie | la meta | meta | metade | de helft | helft | polowa | polowe | yarisi | вдвое меньше | половин* | आधे | आधा | 半分 | 一半 | 절반 | 반만",
    ),
  ],
];

/** Words that add nothing to what is asked for. */
export const addingNothing = new Concept(`
  since | go with | seit | desde | depuis | dal | dalla | sinds | od | с | со | how was | how was it | how were | how did | how did it look | how about it
  wie sah es | wie sah | wie sieht es | aus | wie war | wie waren | wie war's | wie lief es | wie lief | was war | was lief
  como fue | como estuvo | como fueron | como quedo | como le fue | comment c'etait | comment etait | ca donnait quoi | ca donne quoi | c'etait comment | com'era | com'e andata | come e andata | come era | come sono andati
  como foi | como foram | como estava | como ficou | hoe was het | hoe was | hoe zag | er uit | eruit | hoe ging het | jak bylo | jak wygladal* | jak poszlo | nasildi | nasil gecti
  как было | как прошл* | а что | कैसा था | कैसा रहा | どうだった | どうでした | どうでしたか | 怎么样 | 怎麼樣 | 如何 | 어땠어 | 어땠어요 | 어땠나요 | 어떻게 됐어
  it | them | those | these | that many | the | a | an | for | from | of | in | on | at | by | with | to | during | me | us | you | i | we | show | give | gimme | list | display | get | see | tell | want | need | like | please | pls | can | could | would | do | did | was | were | is | are | there | that | this | one | first | number | number of | how many | many | results | result | entries | items | rows | page | pages | votes | time | time zone | timezone | any | try | let's | let me | check | in total | in all | altogether | look | looked | up | about | day | days
  davon | daraus | der | die | das | den | dem | des | ein | eine | einen | von | vom | am | im | in | fur | mit | bei | zeig | zeige | gib | mir | uns | ich | will | mochte | es | ersten | bitte | wie viele | insgesamt | es | gibt | war | waren | ist | sind | nach | uhr | zeit | ergebnisse | tag
  de ellos | de esos | el | la | los | las | lo | de | del | en | para | por | con | muestra | muestrame | dame | me | quiero | primeros | primeras | cuantos | cuantas | hora | resultados | fue | el dia | dia
  d'entre eux | le | les | la | l' | du | des | de | d' | en | pour | a | au | avec | dans | montre | montre-moi | donne | donne-moi | moi | je | veux | voudrais | premiers | premieres | combien | heure | resultats | jour | c'etait
  di questi | di quelli | il | lo | gli | i | le | del | della | dei | di | da | dal | nel | per | con | alle | mostra | mostrami | dammi | voglio | vorrei | mi | primi | prime | quanti | quante | ora | ore | risultati | giorno
  deles | delas | o | os | as | um | uma | do | da | dos | das | no | na | em | com | mostra | mostre | quero | primeiros | primeiras | quantos | quantas | hora | horario | resultados
  ervan | en | het | een | van | voor | op | met | bij | toon | laat zien | laat | zien | geef | mij | ik | wil | graag | eerste | hoeveel | tijd | resultaten | dag
  z nich | i | z | ze | w | na | dla | od | do | pokaz | daj | mi | prosze | pierwsze | pierwszych | ile | czasu
  olsun | icin | ile | goster | ver | bana | ilk | kac | lutfen | saati | saatiyle | tane
  из них | за | на | в | во | с | со | для | по | покажи | дай | мне | первые | первых | сколько | пожалуйста | времени
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

/** Refusing what was done before, in a message that says nothing else. */
export const stopping = new Concept(`
  no | nope | nah | stop* | enough | that's enough | no more | not | not now | not again | never | don't | do not | cancel | quit
  nein | nicht | nicht mehr | hor auf | horen sie auf | aufhoren | genug | das reicht | reicht | schluss | para | parad | basta | ya basta | ya no | arrete | arretez | ca suffit | assez | non | pas | basta cosi | smettila | smetti | fermati
  chega | pare | nao | genoeg | hou op | niet | nee | dosc | przestan | wystarczy | nie | yeter | dur | hayir
  хватит | стоп | нет | не надо | прекрати | बस | रुको | नहीं | やめて | 止めて | ストップ | いや | いらない | 停 | 停止 | 够了 | 不要 | 그만 | 멈춰 | 됐어
`);

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
  "reverse | reversed | reverse order | opposite order | backwards | from the bottom | flip it | flip | invert* | other way round | other way around | upside down | umgekehrt* | andersrum | anders herum | andersherum | al reves | a la inversa | orden inverso | a l'envers | en sens inverse | ordre inverse | dans l'autre sens | inverse* | al contrario | ordine inverso | al rovescio | ao contrario | ordem inversa | invert* | andersom | omgekeerd* | odwrotn* | odwroc* | od konca | tersine | tersten | ters sira* | в обратном порядке | обратн* порядк* | наоборот | उल्टा | उल्टे | 逆順 | 逆に | 逆から | 下から | 反过来 | 反過來 | 倒序 | 倒过来 | 거꾸로 | 역순 | 반대로",
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

/** Moves by a stretch of time, rather than to the one beside: "a week earlier" than a day is a day. */
export const moving = pattern(
  String.raw`(?<!\p{L})(?:an?|one|exactly|another|more|further|ein\p{L}*|genau|weiter\p{L}*|une?|exactement|una?|otr[oa]|exact\p{L}*|esattamente|altr[oa]|uma?|outr[oa]|een|precies|nog|jeszcze|dokladnie|tam|еще|ровно|もう|ちょうど|再|整整|정확히) $`,
);

/** Choosing one of what was shown: "which was the worst?" */
export const choosing = new Concept(`
  which | who | what was | what were | the best one | the worst one | the best ones | the worst ones | welche* | wer | cual | cuales | quien | quel | quelle | quels | quelles | lequel | laquelle | qui | quale | quali | qual | chi | quem | quais | welke | wie
  ktory | ktora | ktore | hangisi | hangi | кто | какой | какая | какое | какие
`);

/** Words around such a choice. */
export const choosingWords = new Concept(`
  did | do | had | has | got | came | performed | ranked | out | hatte | hat | tuvo | que | etait | etaient | est | sont | a eu | a ete | e stato | e stata | sono stati | stato | stata | ha avuto | era | foi | teve | had | byl | byla | bylo | был | была | было
`);

/** Words around a count of what was shown: "¿y cuántos fueron?", "combien y en a-t-il eu ?" */
export const countingShown = new Concept(`
  in the list | have been | has been | exist | gab | gab es | waren das | hubo | habia | hay | han sido | hubieron | fueron | eran | son | ha habido | en total
  il | ils | y | y en a | en a | eu | ete | t | avait | etait | etaient | sont | ont | elles | ce | au total | en tout
  ce | c'e | ne | n'erano | sono | stati | state | erano | furono | in totale | in tutto | houve | foram | havia | ha | sao | eram | no total | ao todo | waren | zijn | er | in totaal | bylo | ich | jest | lacznie | vardi | var | toplam | их | было | всего
`);

/** The same day or month of another time. */
export const sameSpan = pattern(
  String.raw`(?<!\p{L})(?:same|gleich\p{L}*|selbe\p{L}*|mism[oa]|meme|stess[oa]|mesm[oa]|(?:het)?zelfde|ten sam|tego samego|ayni|тот же|того же)(?!\p{L})`,
);

/** Asking for advice, or speaking of a launch that is to come, beside a time or a number. */
export const weighing = new Concept(`
  should | better | think | recommend* | suggest* | worth | launch* | relaunch* | ship | publish*
  besser | sollte* | meinst | findest | empfiehl* | empfehl* | lohnt | launche* | veroffentlich*
  deberia* | conviene | recomiend* | recomend* | crees | lanzar* | publicar*
  devrais | faut | conseil* | recommand* | penses | lancer | publier
  dovrei | conviene | consigl* | pensi | lanciare | pubblicare
  deveria | acha | lancar | publicar
  zou | moet | beter | raad | lanceren | uitbrengen
  powinien* | powinnam | lepiej | warto | polecasz | opublikowac | wypuscic
  daha iyi | onerir* | mali | meli | yayinla* | cikar*
  стоит | следует | посовету* | считаешь | запустить | выпустить
  चाहिए | बेहतर | लॉन्च | べき | いいと思 | おすすめ | 公開 | ローンチ | 应该 | 應該 | 建议 | 推荐 | 发布 | 上线 | 좋을까 | 추천 | 출시 | 런칭
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
      उससे पहले हफ्ते | उससे पिछले हफ्ते | 前の週 | 前一周 | 前一週 | 그 전주 | 전주
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
      "month last year | day last year | week last year | monat letztes jahr | monat im letzten jahr | mes del ano pasado | mois l'an dernier | mois de l'annee derniere | mese dell'anno scorso | mes do ano passado | maand vorig jaar | years before | years earlier | year before | previous year | prior year | year earlier | jahr davor | jahr zuvor | vorjahr* | ano anterior | annee d'avant | annee precedente | anno prima | anno precedente | jaar ervoor | jaar daarvoor | rok wczesniej | onceki yil* | предыдущ* год* | 前の年 | 前一年 | 그 전해",
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
      "one before | one before that | before that | previous one | the previous | davor* | zuvor | vorherige* | anterior | anteriores | antes de eso | precedent* | celui d'avant | celle d'avant | avant ca | quello prima | quella prima | prima di quello | precedente | precedenti | antes disso | vorige | die ervoor | daarvoor | ervoor | wczesniej* | poprzedni* | ondan once* | bir onceki* | onceki* | предыдущ* | до этого | перед этим | до того | उससे पहले | उसके पहले | その前 | 前の | 一つ前 | ひとつ前 | 之前 | 上一个 | 再往前 | 그 전 | 이전 것 | 그 이전",
    ),
  ],
  [
    "same",
    1,
    new Concept(
      "one after | one after that | after that | danach | darauf* | siguiente | suivant | successiv* | despues de eso | apres ca | celui d'apres | celle d'apres | dopo quello | depois disso | daarna | erna | ondan sonra* | после этого | その次 | 之后 | 그 다음",
    ),
  ],
];

/** The words of a span, which stand beside one of the two below: "one week further back", "その前の月". */
export const spanWords: readonly (readonly [span: Span, words: Concept])[] = [
  [
    "day",
    new Concept(
      "day | days | tag | tage | tagen | dia | dias | jour | jours | giorno | giorni | dag | dagen | dzien | dni | dnia | gun* | день | дня | дней | दिन | दिनों | 日 | 天 | 날",
    ),
  ],
  [
    "week",
    new Concept(
      "week | weeks | woche | wochen | semana | semanas | semaine | semaines | settimana | settimane | weken | tydzien | tygodni* | hafta* | недел* | हफ्ते | हफ्तों | सप्ताह | 週 | 周 | 星期 | 주일 | 한 주",
    ),
  ],
  [
    "month",
    new Concept(
      "month | months | monat* | mes | meses | mois | mese | mesi | maand | maanden | miesiac* | miesiec* | ay | ayi | ayin | месяц* | महीने | महीनों | 月 | 달 | 개월",
    ),
  ],
  [
    "year",
    new Concept(
      "year | years | jahr | jahre | jahren | ano | anos | annee | annees | ans | anno | anni | jaar | rok | roku | lata | yil* | год | года | साल | 年 | 년",
    ),
  ],
];

/** What makes of a span the one before, after or around what was asked for. */
export const directions: readonly (readonly [steps: -1 | 0 | 1, words: Concept])[] = [
  [
    -1,
    new Concept(`
      earlier | before | prior | previous | preceding | back | davor* | zuvor | vorher* | vorig* | fruher* | zuruck | anterior* | antes | previo | previa | avant | plus tot | precedent* | en arriere | prima | precedente* | indietro | atras | eerder | ervoor | daarvoor | vorige | terug | poprzedn* | wczesniej* | wstecz | onceki* | once | oncesi* | предыдущ* | раньше | назад
      पहले | पिछले | पीछे | 前 | 上 | 之前 | 以前 | 이전 | 전 | 직전 | 앞
    `),
  ],
  [
    1,
    new Concept(`
      later | after | following | next | danach | darauf* | spater* | nachst* | folgend* | siguiente* | despues | posterior* | suivant* | apres | plus tard | dopo | successiv* | seguent* | seguinte* | depois | erna | daarna | volgende | nastepn* | pozniej* | sonraki* | sonra | следующ* | спустя | позже
      बाद | अगले | 次 | 後 | 后 | 下 | 之后 | 다음 | 뒤 | 후
    `),
  ],
  [
    0,
    new Concept(
      "whole | entire | full | all | ganze* | gesamte* | entera | entero | toda | todo | completa | completo | entiere | entier | toute | tout | intera | intero | tutta | tutto | inteira | inteiro | hele | caly | cala | tum | butun | весь | всю | целый | पूरे | पूरा | 全体 | 丸 | まる | 整 | 整个 | 전체 | 온",
    ),
  ],
];
