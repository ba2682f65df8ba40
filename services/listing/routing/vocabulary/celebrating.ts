import { anyOf, pattern } from "../text/pattern.ts";
import { Concept } from "./concept.ts";

/** The animation itself. */
export const confetti = new Concept(`
  confetti | confettis | confeti | confetis | confete | confetes | konfetti* | konfeti* | konfettis | coriandoli | streamers | party popper* | ticker tape | fireworks | firework | balloons | sparkles
  lluvia de papelitos | papelitos | feuerwerk | fuegos artificiales | feux d'artifice | fogos de artificio | fuochi d'artificio | vuurwerk | fajerwerk* | havai fisek
  конфетти | салют | фейерверк* | कंफ़ेटी | कंफेटी | कॉन्फेटी | कन्फेटी | कॉन्फ़ेटी | पटाखे
  紙吹雪 | コンフェッティ | コンフェティ | クラッカー | 花火 | 彩纸 | 彩紙 | 彩带 | 撒花 | 礼花 | 烟花 | 煙花 | 五彩纸屑 | 纸屑 | 꽃가루 | 색종이 | 컨페티 | 콘페티 | 폭죽
`);

/** Joy and the wish to celebrate. */
export const celebrating = new Concept(`
  celebrate | celebrates | celebrating | celebration | party | let's party | hooray | hurray | hurrah | woo | wooo* | woohoo | woo hoo | wohoo | woot | w00t | yay | yayy* | yeah baby | yippee | yahoo we | hell yes | let's gooo* | lets gooo* | let's go* we | champagne | cheers to | high five | toast to | congrats | congratulations | congratulate | kudos to us | bravo | pop the champagne | hip hip | victory dance | happy dance | i'm so happy | so excited we | ship ship hooray | tada | ta-da | boom we | crack open
  celebra | celebrar | celebremos | celebrem | celebrarlo | celebralo | festejar | festejemos | fiesta | felicidades | enhorabuena | hurra | viva
  youpi | youhou | fete | feter | fetons | feten | celebrer | celebrons | felicitations | hourra | bravo a
  juchhu | jippie | feier | feiern | feiere | gefeiert | party | juhu | gluckwunsch | herzlichen gluckwunsch | hurra
  uhu | uhuu* | oba | comemorar | comemora | comemore | comemoremos | festa | festejar | parabens | viva
  festeggia* | festeggiamo | evviva | congratulazioni | complimenti | festa
  vieren | vier het | feest | feestje | gefeliciteerd | hoera | joepie
  swietuj* | swietowac | swietujemy | uczcijmy | impreza | gratulacje | hura
  kutla* | kutlayalim | kutlama* | tebrikler | yasasin | parti zamani
  праздн* | отпразд* | ура | поздравля* | вечеринк*
  जश्न | बधाई | मुबारक | हुर्रे
  お祝い | 祝おう | 祝って | おめでとう | やった | パーティー | 祝い
  庆祝 | 慶祝 | 恭喜 | 祝贺 | 太棒了我们 | 万岁 | 派对
  축하 | 만세 | 파티 | 자축
`);

const achievementAbroad = new Concept(`
  lo logramos | lo conseguimos | lo hemos logrado | lo hemos conseguido | ganamos | hemos ganado | estamos en linea | estamos en vivo | ya lanzamos | hemos lanzado | somos los primeros | somos primeros | somos numero uno
  on a reussi | on l'a fait | on est en ligne | nous sommes en ligne | on a gagne | nous avons gagne | nous avons reussi | c'est en ligne | on est premiers | on est numero un | on a lance
  wir haben es geschafft | geschafft | wir sind live | wir sind online | wir haben gewonnen | wir sind erster | wir sind auf platz 1 | wir haben gelauncht
  conseguimos | estamos no ar | vencemos | ganhamos | lancamos | somos os primeiros | estamos em primeiro
  ce l'abbiamo fatta | abbiamo vinto | siamo online | siamo primi | abbiamo lanciato | siamo in testa
  het is gelukt | we zijn live | we hebben gewonnen | we staan op 1 | we zijn eerste
  udalo sie | wygralismy | wystartowalismy | jestesmy pierwsi | jestesmy na pierwszym miejscu
  basardik | yayindayiz | kazandik | birinci olduk | lansmani yaptik
  мы сделали это | мы победили | мы выиграли | мы запустились | мы первые | мы на первом месте | получилось
  हम जीत गए | हमने कर दिखाया | हम पहले नंबर पर हैं | हम लाइव हैं
  リリースしました | 公開しました | ローンチしました | 1位になりました | 1位を取りました | 達成しました
  我们上线了 | 我们成功了 | 我们赢了 | 我们第一 | 我们做到了 | 拿到第一
  우리 1위 | 우리가 1위 | 해냈 | 출시했어 | 출시했습니다 | 성공했 | 우리가 이겼
`);
const achievementInEnglish = pattern(String.raw`
  \b(?:we|i|our (?:team|launch|product|app|startup)|my (?:launch|product|app|startup))(?:'re|'ve|'m| are| have
  | has| is| am)?(?: now| just| finally| officially| actually| already| totally| went| got| gone| made it to
  | made it| did| all)* ?(?:(?<=\b(?:are|'re|is|'s|am|'m|went|now|finally|officially|gone|have
  |has) (?:now |finally |officially |already |just )*)live|launched|shipped
  |(?:hit|reached|crossed|passed|broke|got|cracked|surpassed) (?:the )?(?:#?\s?\d|top|first|number|no\.?|one
  |a (?:hundred|thousand|million)|our)|won|did it|done it|made it|nailed it|featured|#\s?1|number one|no\.? 1
  |first (?:place|paying|customer)|product of the (?:day|week|month)|out of beta|raised)\b
  |^[\s,]*(?:(?:finally|just|officially|at last|today we)[, ]+)+(?:launched|shipped|live|did it|made it|hit
  |reached|released|out)\b|^[\s,]*(?:hit|reached|crossed|passed) (?:the )?(?:#|\d)\b
`);

/** What a team says when its launch has gone well. */
export const achievement = anyOf(achievementInEnglish, { test: (text) => achievementAbroad.isIn(text) });

/** What a team has won; said with an exclamation mark it is a cry of joy. */
export const award = /\bproduct of the (?:day|week|month|year)\b|#\s?1\b|\bnumber one\b|\bfirst place\b/;

/** Pictures that stand for a celebration. */
export const celebrationPicture = /[🎉🎊🥳🍾🎆🎇🥂🪅]/u;

/** What turns an achievement into a complaint or a worry. */
export const disappointment = pattern(String.raw`
  \b(?:flop\w*|fail\w*|nobody|no one|only|bad|badly|worse|worst|lost|sad|disappoint\w*|broken|broke down
  |crash\w*|bug\w*|not|didn'?t|hasn'?t|haven'?t|never|worried|nervous|zero|few|barely|dropp?\w*|but|tomorrow
  |next|soon|should|if|before|why|how|what|which|when|tips?|advice|help)\b
`);
