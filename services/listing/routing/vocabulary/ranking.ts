import { pattern } from "../text/pattern.ts";
import { Concept } from "./concept.ts";

/** Being ahead of others: best, most voted, leaderboard. */
export const ranking = new Concept(`
  top | tops | topped | topping | top* ranked | best | leaderboard* | leader | leaders | leading | in the lead | who leads | leads the | takes the lead | launches lead | products lead | ranking | rankings | rank | ranks | ranked | ranker*
  number one | number 1 | no 1 | no. 1 | winner | winners | winning | won | wins | champion* | podium | trending | trend | trends | trendy | hot | hottest | popular | most popular
  most voted | most upvoted | most upvotes | most votes | most liked | most loved | most comment* | most discussed | upvoted | voted | upvoting | highest | vote count* | vote total* | largest | number of votes | number of upvotes | amount of votes | who led | led the | led on | led in | launches led | products led | product of the day | product of the week | product of the month | product of the year | products of the day | products of the week | products of the month | products of the year | by votes | by upvotes | by vote | of votes | vote leader*
  front page | frontpage | homepage | home page | first place | second place | third place | chart | charts | toplist | hit list | favourites | favorites | people's favo* | crowd favo* | trended | poppin* | hits | rules the | most points | most likes | the most | people upvote* | people vote* | community upvote* | everyone upvote* | who's ahead | who is ahead | in front | came first | come first | was first | is first | came second | on top | who beat | voting for | biggest | greatest | finest | best performing | highlight* | hall of fame | front runner* | frontrunner* | crown | crowned | took the crown | on the throne | standings | scoreboard | big hits | the hits | which product leads | which launch leads | what leads | crushing it | killing it | number ones | dominated | dominates | dominating | beating every* | beats every* | outperform* | did well | went well | doing well | topper | toppers | the board | people excited about | everyone excited about | talking about | talks about | talk of the town | all the rage | going viral | viral | blowing up | making waves | most hyped | people love | people like | everyone loves | everybody loves | did best | does best

  mejor | mejores | mas votad* | mas popular* | mas votos | clasificacion | tendencia* | ganador* | gano | ganaron | gana | ganan | lider | lideres | destacad* | populares | popular | primeros puestos | primer puesto | primer lugar | va primero | van primero | es primero | numero uno | numero 1 | portada | ganando | lidera* | encabeza* | a la cabeza | en cabeza | arrasa* | va primera | mas valorad* | mas gustad* | en lo mas alto
  meilleur* | mieux classe* | mieux vote* | mieux note* | plus vote* | plus populaire* | plus de votes | classement* | tendance* | gagnant* | gagne | vainqueur* | en tete | en premier | premiere place | numero un | numero 1 | populaire* | palmares | mene le | qui mene | menent | domine* | gagnent | est premier | est premiere | cartonne* | plus aime* | au sommet | plus apprecie*
  beste | besten | bester | bestes | bestplatziert* | bestbewertet* | bestgevotet* | meistgewahlt* | meistgevotet* | meiste stimmen | meisten stimmen | beliebt* | rangliste* | bestenliste* | gewinner* | gewonnen | gewann | gewinnt | sieger* | spitzenreiter* | fuhrend* | angesagt* | topprodukt* | hitliste* | platz eins | platz 1 | an erster stelle | ganz oben | startseite | rangfolge | fuhrt | fuhren | in fuhrung | liegt vorn | liegen vorn | liegt vorne | liegen vorne | ist vorn | ist vorne | lag vorn | lag vorne | lagen vorn | lagen vorne | an der spitze | gewinnen gerade | auf dem ersten platz | erster platz | ersten platz | am besten bewertet* | meisten upvotes | hochste bewertung*
  melhor | melhores | mais votad* | mais popular* | mais votos | em alta | primeiro lugar | em primeiro | numero um | vencedor* | venceu | venceram | vence | ganhou | ganharam | lideres | lidera* | destaques | bombando | ganhando | na frente | no topo | em primeira posicao | mais curtid* | mais bem | melhor colocad* | campea*
  migliore | migliori | piu votat* | piu popolar* | piu voti | classific* | tendenz* | vincitor* | vinto | vince | vincono | in testa | primo posto | al primo | primo in | numero uno | in cima | popolar* | podio | in vetta | sta vincendo | stanno vincendo | e primo | capolist* | piu apprezzat* | piu amat* | prima posizione | vincente | vincenti
  best | beste | populair* | meest gestemd* | meest populair* | meeste stemmen | hoogst* | ranglijst* | winnaar* | gewonnen | won | wint | op nummer 1 | nummer een | nummer 1 | eerste plaats | bovenaan | op 1 | op een | koploper* | best beoordeelde | klassement | aan kop | leidt | leiden de | staat op 1 | staat op een | staat eerste | winnen | winnend* | won er | meest gewaardeerd* | meest geliefd*
  najlep* | najpopular* | najwyzej | najwiecej glosow | rankingu | ranking* | zwyciezc* | zwyciezyl* | wygral* | czolowk* | popularn* | na czele | pierwszym miejscu | pierwsze miejsce | numer jeden | numer 1 | lider* | prowadzi | prowadza | wygrywa* | na szczycie | najwyzej ocenian* | najwieksza liczba glosow | najwieksza liczba | zwyciez* | najwiecej
  en iyi* | en cok oy* | en cok oylanan* | en populer* | siralama* | liste basi* | kazanan* | kazandi | lider* | populer* | zirve* | en ustteki* | ilk sirada* | bir numara* | birinci* | en begenilen* | kazaniyor* | onde giden | one gecen | en yuksek oy* | en ust sira* | 1 numara* | ilk sira* | birincisi
  лучш* | топ | топа | топе | топ-* | попул* | самые популяр* | рейтинг* | победител* | победил* | выиграл* | лидер* | тренд* | больше всего голос* | на первом месте | первое место | первом месте | хиты | лидир* | впереди | выигрыва* | побежда* | побед* | номер один | на вершине | больше всех голос* | большинством голосов | по голосам | наибольш*
  शीर्ष | टॉप | नंबर वन | नंबर 1 | पहले नंबर | पहले स्थान | सबसे ऊपर | सबसे अच्छ* | सबसे लोकप्रिय | लोकप्रिय | बेहतरीन | सर्वश्रेष्ठ | सबसे ज्यादा वोट | सबसे ज़्यादा वोट | सबसे अधिक वोट | रैंकिंग | विजेता* | जीता | जीते | ट्रेंडिंग | सर्वोत्तम | जीत र* | जीतने वाल* | सबसे आगे | आगे चल | अव्वल | सबसे पसंदीदा | पहला स्थान | सबसे हिट
  トップ | 人気 | ランキング | 上位 | ベスト | 一番 | 最も | 首位 | 1位 | 一位 | 話題 | トレンド | 優勝 | 得票 | 投票数 | 順位 | 最高の | 票が多 | 票の多 | 勝った | 勝者 | 注目 | リードして | 先頭 | トレンディング | 高評価
  最佳 | 排行 | 排名 | 热门 | 熱門 | 最热 | 最火 | 榜 | 最好 | 最受欢迎 | 票数 | 得票 | 第一名 | 前十 | 前五 | 前三 | 冠军 | 获胜 | 领先 | 最高 | 最多票 | 最多赞 | 点赞最多 | 投票最多 | 票最多 | 赞最多 | 人气 | 人氣 | 排第一 | 第一的 | 榜首 | 夺冠 | 赢了 | 赢家 | 最高票 | 最高分 | 爆款
  인기 | 순위 | 랭킹 | 최고 | 상위 | 톱 | 탑 | 베스트 | 1위 | 일위 | 득표 | 우승 | 트렌드 | 트렌딩 | 가장 많은 | 제일 많은 | 이긴 | 이겼 | 앞서 | 선두 | 최다 | 핫한 | 제일 잘나가는 | 잘나가는 | 일등 | 1등 | 인기있
`);

/** Being behind all others, or the wish to see the fewest votes first. */
export const fewestVotes = new Concept(`
  worst | least voted | least upvoted | least popular | least liked | least loved | least votes | fewest votes | fewest upvotes | lowest votes | lowest voted | lowest ranked | lowest ranking | lowest rated | lowest scoring | lowest first | fewest first | least first | worst first | unpopular | bottom ranked | last place | flops | biggest flop* | bottom of the list | bottom of the ranking | bottom of the leaderboard | ascending | bottom ones | bottom of it
  peor | peores | menos votad* | menos votos | menos popular* | menos valorad* | orden ascendente
  pire | pires | moins vote* | moins bien vote* | moins de votes | moins populaire* | moins aime* | moins apprecie* | ordre croissant
  schlechteste* | schlechtesten | wenigsten stimmen | wenigste stimmen | am wenigsten | unbeliebt* | aufsteigend
  pior | piores | menos curtid* | ordem crescente
  peggior* | meno votat* | meno voti | meno popolar* | meno apprezzat* | ordine crescente
  slechtste | slechtst | minste stemmen | minst gestemd* | minst populair* | minst gewaardeerd* | oplopend
  najgorsz* | najmniej glosow | najmniej popularn* | rosnaco
  en kotu* | en az oy* | en az begenilen* | en az populer*
  худш* | меньше всего голос* | наименее | самые непопулярн* | наименьш* голос*
  सबसे खराब | सबसे कम वोट | सबसे कम लोकप्रिय
  最下位 | ワースト | 最も少ない | 一番少ない | 最低の | 最悪 | 票の少ない | 票が少ない | 少ない順 | 低い順 | 最差 | 最少票 | 票数最少 | 票数少 | 票少 | 少的在前 | 票最少 | 最不受欢迎 | 垫底 | 최악 | 최하위 | 꼴찌 | 가장 적은 | 인기 없는
`);
const bottomOfMany = /\bbottom (?:\d|two\b|three\b|four\b|five\b|ten\b|twenty\b|launches\b|products\b|posts\b)/;

/** The text asks for the fewest votes first. */
export const isAscending = (text: string): boolean => fewestVotes.isIn(text) || bottomOfMany.test(text);

/** The hash sign with a place: "#1", "rank 3". */
export const place = pattern(
  String.raw`(?:^|[^\p{L}\p{N}&])#\s?\d{1,3}(?!\w)|\b(?:rank(?:s|ed)?|places?|spots?|positions?) \d`,
);

/** "los tres primeros", "ilk on", said with a number. */
export const firsts = new Concept(
  "primeros | primeras | premiers | premieres | ersten | primi | prime | primeiros | primeiras | eerste | eersten | pierwsz* | ilk | первы* | पहले | 最初の",
);

/** Asking for an order: "posts, highest first", "sort by votes". */
export const ordering = pattern(String.raw`
  \b(?:top|best)\d+\b|\b(?:sort|order|rank)(?:[ _-]?by)? ?[=:] ?(?:up)?votes?\b|\b(?:up)?votes? (?:desc\w*|first|high\w* to low\w*)\b|\b(?:ilk|primeros|primeras|premiers|premieres|primi|primeiros|ersten|pierwsz\p{L}+) \d|前 ?(?:\d|[二三四五六七八九十两])|第一|\d ?(?:위|位)|\b(?:sort|order|rank)(?:ed|s
  |ing)?(?: \p{L}+){0,3} by\b|\b(?:highest|most \w+|best|top) first\b
  |\bmost (?:up[ -]?)?(?:voted|liked|loved|hyped|shared|saved|viewed|visited|clicked|praised|starred|followed|commented|discussed|mentioned|talked about|bookmarked|favou?rited|supported|endorsed|appreciated|reviewed|celebrated|admired)\b
  |\brank (?:all|every|the|them|every\w*|products?|launches|posts)\b
`);

/** What the newest arrivals are asked with. */
export const newest = new Concept(`
  new | newest | latest | recent | recently | fresh | just launched | just out | what's new | whats new
  nuevos | nuevas | recientes | ultimos | nouveau* | nouvelles | derniers | recents | neue | neuen | neueste* | neu | novos | novas | recentes | nuovi | nuove | recenti | nieuwe | nieuwste | nowe | nowosci | najnowsze | yeni | en yeni | новые | новинки | свежие | नए | नये | 新しい | 新着 | 最新 | 新产品 | 新品 | 新的 | 신규 | 새로운 | 신제품
`);
