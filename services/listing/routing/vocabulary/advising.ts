import { anyOf, fitsAt, pattern, Steps } from "../text/pattern.ts";
import { Concept } from "./concept.ts";

/** What people say to be polite, in any number and order. */
export const politeness = new Concept(`
  hi | hello | hey | heya | hiya | howdy | yo | sup | what's up | good morning | top of the morning | to you | good afternoon | good evening | good night | good day | morning | greetings | welcome | there | everyone | all | team | folks | friend | bot | again
  thanks | thank you | thx | ty | cheers | much appreciated | appreciated | appreciate it | so much | a lot | very much | a million | you're the best | you're great | you're awesome | you the best | that's | that is | it's | this is | was | very | really | super | so | too | pretty
  ok | okay | k | kk | sure | yes | yep | yeah | no | nope | nah | cool | nice | great | awesome | perfect | good | fine | got it | understood | right | wow | lol | hah* | hehe | hmm* | alright | helpful | that helped | it helped | this helped | helped | useful | amazing | excellent | interesting | good job | well done | nice work | never mind | nevermind | sorry | my bad | oops | oh | ah | me | you | i see | ok then | that works | works | worked | done
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

/** Attempts to make the agent leave its job. They end the routing at once. */
export const misbehaviour = pattern(String.raw`
  \b(?:ignore|disregard|forget|override|bypass|skip) (?:\w+ ){0,4}(?:instructions?|prompts?|rules|guidelines
  |directives|training|restrictions|filters?|above|previous|prior)\b
  |\b(?:system|hidden|initial|developer|secret|original|internal|your) (?:prompt|instructions|directives)\b
  |\b(?:system|developer) messages?\b|\b(?:api|secret|access|private) (?:keys?|tokens?)\b(?! (?:manage|rotat|vault|tool|app))
  |\b(?:your|the) (?:(?:admin|root|system|user|server|database) )?(?:credentials?|passwords?|env(?:ironment)? variables?|config(?:uration)?|secrets?|tokens?
  |\.env|source code)\b|\bprocess\.env\b|\bjailbr(?:eak|oken)\b|\bdan mode\b|\bdeveloper mode\b|\bgod mode\b
  |\byou are now\b|\byou (?:must|shall|are required to|will now)\b
  |\b(?:pretend|act|roleplay|behave|respond|answer) (?:to be|like|as)\b|\bfrom now on\b
  |\b(?:call|invoke|run|execute|trigger|use) (?:the |your )?(?:\w+ )?(?:tool|function|endpoint|command|code
  |shell|script)\b|\b(?:hack|ddos|exploit|steal|leak) (?:the|your|my|their|someone|some|a)\b
  |\b(?:buy|sell|fake|bot|purchase|generate|cast|manipulate|rig
  |inflate)(?:ing)? (?:me )?(?:\d+ )?(?:some |fake |more |the )?(?:up)?votes?\b|\bvote manipulation\b
  |\bvote bots?\b|^\s*(?:system|assistant|developer|admin|tool) ?:|\[/?(?:inst|system)\]|<\|
`);

/** Code that is meant for a machine. Searching for it is harmless. */
export const injection = pattern(String.raw`
  \b(?:drop|truncate|alter) (?:table|database)\b|\bdelete from\b
  |^\s*(?:select|insert|update) .*\b(?:from|into|set)\b|<\s*/?\s*(?:script|iframe|img|svg|style)\b
  |\b(?:rm -rf|sudo |curl http|wget |/etc/passwd|eval\(|os\.system)
`);

const asks = pattern(
  String.raw`
  ^[\s,:(¿¡-]*|[,:(¿¡-]\s*|\b(?:and|but|so|or|then|also|ok|okay|please|hey|hi|hello|now|well|me|know|wondering|wonder|idea
  |advise|explain|understand|decide|tell|out|sure|curious|question|asking)[,:]? (?!(?:and|but|so|or|then|also|please|now|well) )
`,
  "g",
);

/** Questions about doing a launch, as opposed to questions about what others have launched. */
export const launchQuestion = new Steps({
  opening: asks,
  between: /(?:and|but|so|or|then|also|ok|okay|please|hey|hi|hello|now|well),? /y,
  most: 3,
  endings: [
    [
      "how",
      String.raw`
        how(?! (?:cool|great|awesome|amazing|crazy|nice|exciting|wild|insane)\b)(?! many (?:products|launches|tools|apps
        |posts|startups|upvotes?|votes?)\b(?! (?:do|does|should|will|would|can|could|is|are|did|to|for) (?:i|we|you|it
        |one|a|needed|enough|considered)\b))(?!'?s? about)|how product ?hunt
      `,
    ],
    [
      "why whether whom must ought should shouldn shouldnt shall",
      "why|whether|whom|must|ought|should|shouldn'?t|shall",
    ],
    [
      "what",
      String.raw`
        what(?:'?s)? next|what now|what if|what should|what would you|what (?:do|can|could|did|shall|am|are|were) (?:i
        |we)(?! miss)|what to|what (?:makes?|made|happens|happened (?:to|if|with|when|after)|counts?|goes|matters|helps?|works|kind|sort|type
        |price|size|dimensions?|time|day|hour|metrics?|goals?|assets?|image|category|categories|budget|team|else should
        |do (?:(?:top|good|great|successful|the best) )?(?:people(?! (?:up)?vote| like| love)|makers|teams|hunters|founders|journalists|you think
        |you suggest|you recommend|i))|what does (?:it|a|an|being|getting|the badge|featured|success)|what(?:'?s| is
        | are) (?:the )?(?:a |an )?(?:difference|secret|trick|point|purpose|meaning|algorithm|process|catch|rule|rules
        |policy|good (?:goal|tagline|number|time|way|day|result|strategy|launch)|realistic|typical|average|normal|ideal
        |right|hunter|maker|upvote|your|my|our|launch|benefits?|cost|chance|chances|(?:[\p{L}-]+ ){0,2}(?:goals?
        |number of|target|size|length|price|budget|kpis?|metrics?)|odds|etiquette|success|risk)|what (?:did|do|have) (?:\S+ ){1,5}(?:do|in common|right|differently)|what(?:'?s| is| are) (?:an? )?(?:upvot(?:e|es|ing)|voting|hunting|featuring|shipping|makers?)|what time ?zone
      `,
    ],
    ["now", "now what"],
    [
      "when",
      String.raw`
        when(?! (?:did|was|were) (?!i\b|we\b|my\b|our\b))
      `,
    ],
    ["where", "where (?:should|can (?:i|we)(?! (?:find|see|get|look))|could|do i|do we|does)"],
    ["who", "who should|who can|who do|who would"],
    [
      "which",
      String.raw`
        which (?:\S+ ){0,3}?(?:should|is better|works? (?:best|better)|do you (?:recommend|suggest|think)|day|days|time
        |category|categories|hour|weekday|metrics?|channels?|social|image|gif|tagline|headline)
      `,
    ],
    [
      "is are was were isn isnt aren arent am",
      String.raw`
        (?:is|are|was|were|isn'?t|aren'?t|am) (?:(?:it|this|that)(?! (?:on|in|here|there|listed)\b)|i|we|my|our|a|an|they|you|asking|getting|having|being
        |using|paying|posting|launching|buying|sharing|hunters?|upvotes?|votes|comments|makers?|the (?:launch|tagline
        |badge|hunter|algorithm|order|site|video|maker|first|best time|ranking|homepage|day|community|early)|there (?:a |any )?(?:rules?|way|limit|point|best|good (?:time|way|day)|penalty|risk|chance|cost|fee|guide|checklist|words?
        |trick|secret|minimum|maximum|benefits?|benefit|downside|need|deadline|difference|people|ways|limits
        |restrictions)|(?:mon|tues|wednes|thurs|fri|satur|sun)day|weekends?|video|images?)|(?:is
        |are) [^?]*\b(?:an? (?:good |bad |great |big )?(?:fit|idea|sign|thing|mistake|problem|risk|must|requirement
        |waste|red flag)|allowed|worth|suitable|better|enough|necessary|required|ok|okay|important|useful|possible
        |too (?:early|late|many|much|long|short)|good (?:for|idea|enough)|mandatory|needed|overrated|dead|relevant)
        |is launching
      `,
    ],
    [
      "do does did don dont doesn doesnt will would could can cant may might has have had",
      String.raw`
        do the (?:votes|upvotes|comments|rules|hunters?|makers?)|do (?:(?:all|most|the|many) )?(?:top|best|successful
        |winning|popular|good|great|big) (?:products|launches|makers|posts|teams|startups)|(?:do(?! the
        | a (?:celebration|party|dance|little))|does|did|don'?t|doesn'?t|will|would|could|can|can'?t|may|might|has|have
        |had) (?:i|we|it|my|our|a|an|the|they|people|hunters?|makers?|upvotes?|votes|comments|this|that|journalists
        |investors|users|supporters|launching|posting|being|getting|anyone|someone|one|weekends?|new accounts?|launches
        |animations|videos|gifs)(?! (?:see|find|search|look up|trouble you|bother you|ask (?:you )?for|get (?:the|a
        |today|some|me|top|list)|have (?:the|a|today|some|top|list)|celebrate|party|please)\b)|does product ?hunt
      `,
    ],
    ["product the", "(?:product hunt|the site) (?:uses?|allows?|works?|counts?|ranks?|requires?)"],
    [
      "need dare any tips advice worth",
      `
        need i|dare i|any (?:tips?|advice|ideas?|suggestions?|tricks?|thoughts|recommendations? (?:on|for (?:my|our
        |the) launch)|feedback|pointers|hints|lessons|best practices)|tips|advice|worth it
      `,
    ],
  ],
});

const asksForeign = /^[\s,:(¿¡]*|[,:(¿¡]\s*|[-–]\s/g;

const foreignQuestion = new Steps({
  opening: asksForeign,
  between: /(?:y|e|und|et|en|i|ve) /y,
  most: 1,
  ending: pattern(
    `(?:${[
      "como(?! notion| slack)|por que|cuando|cuanto|cuanta|deberia|debo|conviene|donde puedo|que (?:debo|debería|deberia|hago|dia|hora|necesito)|vale la pena|es (?:mejor|bueno|buena|necesario)|necesito un(?!a? (?:app|herramienta|aplicacion|programa|software|editor|gestor))|quien deberia|cual es (?:el|la) (?:mejor|secreto|diferencia) ?(?:momento|dia|hora|forma|manera|estrategia|entre)?",
      "comment|pourquoi|quand|combien|dois-je|devrais-je|faut-il|est-ce (?:que je|qu'il faut|une bonne|utile)|ai-je besoin|ou puis-je|que dois-je|quel(?:le)? (?:est le (?:meilleur|bon) (?:moment|jour)|jour|heure|est la (?:meilleure|difference))",
      "wie(?! notion| slack| (?:staat|stond|won|wint|heeft|leidt|voert|zijn|was er|is (?:er|de|nummer|eerste|vandaag))\\b| sieht| sehen| ist das ranking| lautet)|warum|wieso|wann|soll(?:te)? ich|sollen wir|sollten wir|muss ich|mussen wir|brauche ich|brauchen wir|darf ich|lohnt|ist (?:ein(?:e|en)?|mein\\w*|unser\\w*)|ist es (?:sinnvoll|besser|gut)|welche(?:r|s|n)? (?:tag|wochentag|monat|zeit|uhrzeit|kategorie)|was (?:soll|muss|kostet|macht|bringt|ist (?:der|die|das) (?:beste|unterschied))|an welchem",
      "como (?:eu|posso|preparo|conseguir|consigo|lancar|faco|devo|fazer|divulgar)|quando|por que|devo|preciso(?! de (?:um|uma|algum|alguma) )|vale a pena|qual (?:e )?o melhor (?:momento|dia|horario)|quanto|onde posso|o que (?:devo|preciso|faco)",
      "come(?! notion| slack)|perche|quando|dovrei|devo|quanto|dove posso|conviene|qual e (?:il|la) (?:miglior|differenza|giorno|momento|modo|ora)|serve|bisogna|che (?:giorno|ora)|cosa (?:devo|dovrei)|quanti",
      "hoe|waarom|wanneer|moet ik|moeten we|zal ik|heb ik|kan ik|is het|hoeveel|welke (?:dag|tijd)|wat (?:moet|is de beste|kost)|waar kan",
      "jak(?! notion| slack)|dlaczego|kiedy|czy(?! (?:jest|sa|istnieja?|macie|znasz) )|ile|gdzie moge|po co|co (?:powin|zrobic|robic)\\p{L}*|jaki jest najlepszy (?:dzien|moment|czas)|ktory dzien",
      "nasil|neden|nicin|ne zaman|ne kadar|hangi gun|en iyi zaman|kac",
    ].join("|")})(?![\\p{L}\\p{M}])`,
    "y",
  ),
});
const questionWord = pattern(
  `(?<=\\p{L}{2})(?:meli|mali)(?:yim|yiz|miyim|miyiz)?(?![ \\p{L}])|nasil |ne zaman|(?<![\\p{L}])(?:как(?! notion| slack)|почему|зачем|когда|стоит ли|нужно ли|нужен ли|надо ли|можно ли|сколько|где можно|что делать|какой день|в какой день)(?![\\p{L}])|कैसे|क्यों|कब |कब$|न[ाीे] चाहिए|क्या .*चाहिए|どうやって|どうすれば|どうしたら|なぜ|いつ(?!も)|べき|方法|コツ|したほうが|怎么|怎樣|怎样|如何|为什么|為什麼|什么时候|什么时间|哪一?天|几点|什麼時候|何时|应该|應該|该不该|要不要|需要[^。！？]*[吗嗎]|有必要|值得|技巧|建议|어떻게|왜 |왜$|언제|해야|할까|방법|팁|좋을까`,
);

/** The same in the other languages. */
export const launchQuestionForeign = anyOf(foreignQuestion, questionWord);

/** Superlatives of things that one does, has or decides for a launch: "the best time", "top 5 mistakes". */
const englishSuperlative = new Steps({
  opening: pattern(
    String.raw`
  \b(?:top|best|biggest|main|most important|most common|common|good|right|ideal|perfect|optimal|number one|#1
  |no\.? ?1|worst|first|key|proven|secret|essential)(?: \d+| ten| five| three)? `,
    "g",
  ),
  between: pattern(
    String.raw`
  (?!of\b|from\b|in\b|on\b|this\b|last\b|for\b|products?\b|launches\b|posts?\b|apps?\b|tools?\b|ai\b)[\p{L}'-]+[ ]`,
    "y",
  ),
  most: 2,
  ending: pattern(
    String.raw`
  (?:tips?|advice|practi[cs]es?|mistakes?|reasons?
  |time(?!-? ?(?:track|zone|manag|sheet|line|block))|times(?= to\b| for\b)|ways?
  |(?:week)?days? (?:to|for|of (?:the week|(?:this|last|next) week|the month))|hours?|moments?|strategy|strategies
  |tactics?|tricks?|hacks?|lessons?|questions?|approach|things? to (?:do|know|avoid)|subject lines?|taglines?
  |headlines?|ideas?|methods?|months?|week (?:to|for)|channels?|places? to|length|sizes?|format|cta|copy
  |checklists?|playbooks?|resources?|metrics?|kpis?|goals?|angles?|hooks?|pitch(?:es)?|advice|steps|secrets?
  |excuses?|priorit(?:y|ies)|concerns?|worry|worries|fear|comment to|person to|people|subreddits?|communit(?:y|ies)(?! (?:\p{L}{3,}(?:ors?|ers?)|apps?|tools?|software|platforms?)\b)|hunters? (?:to|for)|move|guide|factors?|signals?
  |(?:price|pricing|discount|category|categories|topics?|names?|logo|image|images|gif|video|screenshots?|cover
  |description|title|response|reply|audience|offer|subreddit|forum|font
  |colou?rs?)(?! (?:\p{L}{3,}(?:ors?|ers?)|apps?|tools?|software|platforms?|ai)\b)|habits (?:of|before)
  |do'?s and|faq)\b
`,
    "y",
  ),
});
const foreignSuperlative = new Steps({
  opening: /\b(?:mejor|mejores|meilleure?s?|beste[nrs]?|migliore?i?|melhor(?:es)?|najlepsz[a-z]+|en iyi) /g,
  ending: pattern(
    String.raw`
  (?:momento|moment|dia|jour|giorno|dag|tag|zeit|zeitpunkt|hora|heure|ora|horario|uhrzeit|forma
  |maniere|facon|modo|strategi\p{L}+|tijd|moment|manier|czas|dzien|sposob|zaman\p{L}*|gun\p{L}*|yol\p{L}*
  |consejos?|conseils?|consigli|dicas?|tipps?|praticas?|practicas?)\b
`,
    "y",
  ),
});
const otherSuperlative = pattern(String.raw`
  лучш\p{L}+ (?:врем|день|момент|способ|совет|практик)|最好的(?:时间|时机|方法|方式|日子)|最佳(?:时间|时机|方法|方式|实践|发布)
  |सबसे अच्छा (?:समय|दिन|तरीका)|(?:最適|ベスト)な(?:タイミング|時間|日|方法)|가장 좋은 (?:시간|날|방법|요일)|최고의 (?:방법|시간)
`);
export const craftSuperlative = anyOf(englishSuperlative, foreignSuperlative, otherSuperlative);

/** Lists of what to do, as opposed to lists of products. */
export const craftList = pattern(String.raw`
  \b(?:things|steps|ways|reasons|lessons|mistakes|rules|questions|secrets|tactics|tricks|hacks|tips) (?:to|i
  |we|why|for|of|makers?|founders?|before|after|when|about|from|on|that)\b
`);

/** Requests for a text, an opinion or an explanation. */
export const craftRequest = pattern(String.raw`
  ^\W*(?:(?:please|pls|hey|hi|hello|ok|now|and|can you|could you|would you|will you|i need you to
  |i want you to|let'?s|help me(?: to)?|help us(?: to)?|i need help|i'?d like you to)[, ]+)*(?:write|draft
  |rewrite|review|improve|critique|proofread|summari[sz]e|explain|describe|compare|contrast|teach|brainstorm
  |plan|prepare|translate|rate|roast|polish|shorten|edit my|fix my
  |help (?:me |us )?(?:with|to|write|plan|prepare|decide|choose|pick|my|our|understand|craft|come up)|walk me
  |guide me|advise|convince|give (?:me|us) (?:(?:some|a|an|your|honest|a few|\d+|quick|more
  |good) )*(?:feedback|advice|tips?|ideas?|pointers|suggestions|checklist|plan|summary|explanation|guide
  |hints?|opinion|thoughts|examples? of (?:a |an )?(?:good|great)|template|overview of (?:the process|how)
  |names?|taglines?|joke|story|poem|recipe)|suggest (?:a |an |some |me )?(?:tagline|headline|name|title|time
  |day|copy|plan|strategy|hunters?|ways|ideas)|tell me (?:a (?:joke|story)|about yourself|how|why|when|whether
  |if|what to|something)|sing|calculate|solve|schedule|remind me|notify
  |(?:up)?vote (?:for|my|our|this|us|me|it)|submit|post (?:my|our|this)|publish|delete|cancel my|buy|pay|book
  |order me|make (?:me |us )?(?:a |an )?(?:plan|checklist|tagline|strategy|logo|schedule|timeline|press)
  |create (?:a |an |my |our )?(?:plan|checklist|tagline|strategy|launch|account|post|schedule|timeline|press)
  |recommend (?:a |an |some |me a )?(?:time|day|strategy|hunter|date|plan|way|approach)
  |put (?:these|those|the two|both))\b
`);

/** What a launch is made of. Without a request to list or look something up, a sentence about it asks for advice. */
export const launchCraft = new Concept(`
  tip | tips | advice | idea | ideas | goal | checklist | strategy | strategies | best practice* | playbook | tagline* | headline* | thumbnail* | gallery | hunter | hunters | maker comment* | first comment | press release* | press kit | journalist* | waitlist | wait list | landing page | goals | kpi | kpis | metrics | assets | discount | promo code | coupon | launch day | launch plan | launch date | launch week | launch strategy | launch checklist | launch email | launch video | launch post | soft launch | hard launch | prelaunch | pre-launch | relaunch* | self-hunt* | go to market | gtm | momentum | guidelines | supporters | early adopters | beta testers | etiquette | algorithm | moderat* | teaser* | coming soon page | outreach plan | post-launch | timeline for | pricing advice | pricing tips | launch pricing | retention | conversion rate | press coverage | pr advice | upvote ring* | karma | streaks | badge | embed badge
  consejo* | estrategia* | conseil* | strategie* | tipps | ratschlag* | dicas | consigli* | advies | porad* | tavsiye* | совет* | सलाह | アドバイス | 建议 | 조언
`);

/** Ambition: wanting to be at the top, as opposed to asking who is. */
export const ambition = pattern(String.raw`
  \b(?:i|we|my|our|me|us|i'?m|we're|to)\b.{0,40}\b(?:be|become|becoming|reach|get|getting|gets?|got|make it
  |hit|land|climb|crack|rank|ranking|ranked|stay|finish|end up|win|winning|aim(?:ing)?|push|go|compete|beat
  |stand out|trend|featured|shoot)\b.{0,24}\b(?:top|#1|number one|no\.? ?1|front ?page|home ?page|first
  |product of the|win|featured|leaderboard|ranking|ranked|podium|higher|trending)\b
`);

/** "It's an app that finds the best coffee." */
export const ownDescription = pattern(String.raw`
  ^[\s,]*(?:it'?s|it is|this is|mine is|ours is|(?:we|i)(?:'ve)? (?:have|built|build|made|make|created)) (?:basically |just |also )?
  (?:an?|my|our) (?:\S+ ){0,4}?(?:app|tool|product|platform|service|extension|plugin|bot|website|startup|software|marketplace|api|agent|game)\b
`);

/** "I hate leaderboards" */
export const opinion =
  /^[\s,]*(?:i|we) (?:really |just |do )?(?:hate|love|like|dislike|despise|enjoy|prefer|loathe|can'?t stand|(?:am|'m|are|'re) (?:sick|tired|bored) of)\b/;

/** The writer's own launch. */
export const ownLaunch = pattern(String.raw`
  \b(?:i|we|i'?m|i am|we're|we are|i'?ve|we'?ve|i'?ll|we'?ll|my|our)\b.{0,50}\b(?:launch(?:ed|ing|d)?(?! of)
  |ship(?:s|ped|ping)?|releas\w*|relaunch\w*|announc\w*|go(?:ing)? live|went live|are live|is live
  |post(?:ed|ing)|submit\w*|featured)\b|\b(?:my|our)\b.{0,30}\b(?:product|page|post|startup|app|tagline
  |gallery|team|upvotes?|votes?|comments?|ranking|rank|slug|hunter|listing|stats|numbers|day)\b
`);

/** Asking to be shown something. */
export const showing = pattern(String.raw`
  \b(?:show|list|give me|gimme|display|print|get me|fetch|tell me (?:the|who|which|what)|send me|let me see
  |i want to see|i'?d (?:like|love) (?:to see|the|a list)|make (?:me |us )?a (?:table|list)|i want (?:the|a list|to know)|want to see|wanna see|see the
  |who(?: is|'s|s| are| was| were)? (?:the )?(?:top|best|leading|winn|won|#1|number|on top|first|ahead
  |in the lead)|who won|who leads|which (?:products?|launch(?:es)?|posts?|apps?|tools?|startups?)
  |what (?:are|were|is|was) the|what launched|rank (?:all|every|the)|pull|refresh|recap|digest|snapshot)\b
`);
