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

/** Pictures that stand for a celebration. */
export const celebrationPicture = /[🎉🎊🥳🍾🎆🎇🥂🪅]/u;
