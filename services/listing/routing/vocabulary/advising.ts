import { fitsAt, pattern } from "../text/pattern.ts";
import { Concept } from "./concept.ts";

/** What people say to be polite, in any number and order. */
export const politeness = new Concept(`
  hi | hello | hey | heya | hiya | howdy | yo | sup | what's up | good morning | top of the morning | to you | good afternoon | good evening | good night | good day | morning | greetings | welcome | there | everyone | all | team | folks | friend | bot | again
  thanks | thank you | thx | ty | cheers | much appreciated | appreciated | appreciate it | so much | a lot | very much | a million | you're the best | you're great | you're awesome | you the best | that's | that is | it's | this is | was | very | really | super | so | too | pretty
  ok | okay | k | kk | sure | yes | yep | yeah | no | nope | nah | cool | nice | great | awesome | perfect | good | fine | got it | understood | right | wow | lol | hah* | hehe | hmm* | alright | helpful | that helped | it helped | this helped | helped | useful | amazing | excellent | interesting | good job | not bad | not bad at all | well done | nice work | never mind | nevermind | sorry | my bad | oops | oh | ah | me | you | i see | ok then | that works | works | worked | done
  please | pls | bitte | por favor | porfa | s'il te plait | s'il vous plait | stp | svp | per favore | alsjeblieft | prosze | lutfen | пожалуйста
  bye | goodbye | good bye | see you | see ya | later | tomorrow | cya | take care | best wishes | best of luck | good luck | all the best | best regards | kind regards | regards | have a nice day | have a good day | have a great day | have a nice one | have a good one | have a great one | have a nice weekend | have a good weekend | have a great weekend | have a nice evening | have a good evening | have a great evening | until next time | talk later | talk to you later | soon
  for the list | for the help | for your help | for the info | for that | for this | for now | for today | for everything | that's all | that is all | that's it | all good | all set | no worries | no problem
  who are you | what are you | are you real | are you human | are you a human | are you a robot | are you a real | are you a bot | are you an ai | are you ai | are you there | are you alive | are you ok | how are you | how are you today | how are you doing | how are you doing today | how's it going | what can you do | what do you do | what's your name | help | help me | test | testing | ping | start
  hola | buenas | buenos dias | buenas tardes | buenas noches | gracias | muchas | adios | hasta luego | que tal | vale | bonjour | bonsoir | salut | merci | beaucoup | au revoir | ca va | hallo | guten | tag | morgen | abend | danke | schon | sehr | vielen dank | tschuss | servus | moin | ola | oi | bom dia | boa tarde | boa noite | obrigado | obrigada | tchau | tudo bem | ciao | salve | buongiorno | buonasera | grazie | mille | arrivederci | prego | dag | goedemorgen | goedemiddag | dank je | dank u | wel | bedankt | doei | czesc | dzien dobry | dzieki | dziekuje | bardzo | do widzenia | merhaba | selam | gunaydin | tesekkur | tesekkurler | ederim | sagol | hosca kal | nasilsin
  привет | здравствуй | здравствуйте | спасибо | большое | пока | добрый день | до свидания | как дела | नमस्ते | धन्यवाद | शुक्रिया | अलविदा
  こんにちは | こんばんは | おはよう | ありがとう | ございます | さようなら | 你好 | 您好 | 谢谢 | 多谢 | 再见 | 早上好 | 안녕 | 안녕하세요 | 감사합니다 | 고마워 | 고마워요 | 고맙습니다 | 잘 가
`);
const betweenWords = pattern(String.raw`(?:[\s\ue000,.!?:;'"()\p{Extended_Pictographic}\u200d\ufe0f-])*`, "y");

/** A sentence of nothing but politeness and signs. */
export function isSmallTalk(text: string): boolean {
  let at = fitsAt(betweenWords, text, 0) ?? 0;
  while (at < text.length) {
    const end = politeness.endAt(text, at);
    if (end === undefined) return false;
    at = fitsAt(betweenWords, text, end) ?? end;
  }
  return text !== "";
}

/** What a launch is made of. Without a request to list or look something up, a sentence about it asks for advice. */
export const launchCraft = new Concept(`
  tip | tips | advice | idea | ideas | goal | checklist | strategy | strategies | best practice* | playbook | tagline* | headline* | thumbnail* | gallery | hunter | hunters | maker comment* | first comment | press release* | press kit | journalist* | waitlist | wait list | landing page | goals | kpi | kpis | metrics | assets | discount | promo code | coupon | launch day | launch plan | launch date | launch week | launch strategy | launch checklist | launch email | launch video | launch post | soft launch | hard launch | prelaunch | pre-launch | relaunch* | self-hunt* | go to market | gtm | momentum | guidelines | supporters | early adopters | beta testers | etiquette | algorithm | moderat* | teaser* | coming soon page | outreach plan | post-launch | timeline for | pricing advice | pricing tips | launch pricing | retention | conversion rate | press coverage | pr advice | upvote ring* | karma | streaks | badge | embed badge
  consejo* | estrategia* | conseil* | strategie* | tipps | ratschlag* | dicas | consigli* | advies | porad* | tavsiye* | совет* | सलाह | アドバイス | 建议 | 조언
`);
