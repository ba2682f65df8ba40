import { pattern } from "../text/pattern.ts";
import { Concept } from "./concept.ts";

const slash = (commands: string): RegExp => pattern(`^\\s*[/!](?:${commands})(?![\\p{L}])`);
export const slashSearch = slash("search|find|lookup|s");
export const slashConfetti = slash("confetti|celebrate|party");
export const slashWindow = slash("today|yesterday|week|month|daily|weekly|monthly|day|lastweek|last-week");
export const slashTop = slash("top|best|leaderboard|ranking|trending|list|posts");
export const slashOther = /^\s*\/[a-z]/;

export const queryField = /^\s*(?:q|query|keywords?|search term)\s?[=:]\s?\S|^\s*search\s?:\s?\S/;
export const searchOpening = pattern(String.raw`
  ^[\s,.:;¿¡-]*(?:(?:hi|hey|hello|yo|ok|okay|and|so|now|please|pls|plz|kindly|just|bot|can you|could you
  |would you|will you|i want(?: you)? to|i'?d like(?: you)? to|i need(?: you)? to|let'?s|let me
  |help me(?: to)?|go|do a|run a|por favor|bitte|s'il te plait|i'?m|we'?re|i am|we are|trying to
  |want to)[, ]+)*(?:search\w*|find(?:ing)?|look(?:ing)? (?:up|for|around)|lookup|query|browse|locate|google
  |grep|dig up|pull up|bring up|hunt down|explore|discover)\b
`);
export const lookItUp =
  /\b(?:look|search|find) (?:it|them|that|this|those|for it|for them)(?: up)?\b|\bsearch it\b|[,.?!;] ?(?:and )?search\s*$/;

export const rankingTopic = pattern(String.raw`
  \b(?:rank|ranking|leaderboard|charts?|trends?|upvote|upvoting|vote|voting|poll|lead|top|best|winner|hot
  |popular)s? (?:track\w*|widgets?|librar\w+|plugins?|apis?|sdks?|generators?|checkers?|builders?
  |makers? (?:app|tool)s?|bots?|software|monitor\w*|systems?|components?|extensions?|generation|capture
  |scoring|analysis|analytics|keys?|desk|air)\b
`);
export const confettiTopic = pattern(String.raw`
  \b(?:confetti|firework|fireworks|celebration|party|balloon)(?:\.js|-js)?s? (?:librar\w+|packages?
  |components?|plugins?|(?:effect|animation)s? (?:librar\w+|for|in|tool|app|package)|apps?|tools?|products?
  |generators?|code|npm|css|alternatives?|scripts?|sdks?|(?:greeting |gift )?cards?|invitations?|invites?|plann\w+|supplies|games?|ideas|makers?|startups?
  |on (?:a|my|our|the) (?:landing|web|home|page|site))\b|\bconfetti\.?js\b
  |\b(?:librar\w+|plugins?|packages?|components?|apps?|tools?|widgets?|products?) (?:that|which|to|for|with)\b.{0,24}\b(?:confetti|fireworks?|celebrat\w+)\b
  |\b(?:third|1st|first|3rd|second|political|search)[- ]party\b|\b(?:ways|ideas|tips) (?:to|for) celebrat
`);
export const aboutConfetti = pattern(String.raw`
  ^[\s,.:;]*(?:what|what's|whats|who|where|which|why|how|is|are|does|did|do (?:you|i|we|launches|products|people|pages|posts|animations|users|makers|visitors|sites)|was|should|when)\b
  |\bconfetti (?:is|are|was|looks?|feels?|seems?)\b
  |^[\s,]*(?:do|does|will|would|can|could) (?:the |a |some )?confetti(?: effects?| animations?)? (?:\w+ ){0,2}(?:slow|help|hurt|work|convert|annoy|look|make|affect|improve|distract|break|count|matter)\w*\b
`);

export const listing = pattern(String.raw`
  \b(?:did|has|have|was) (?:there )?(?:anything|something|anyone|any \w+)\b|\banything (?:i|we) (?:should|need to|must|have to)\b
  |\b(?:what|wat|which|who|anything|whatever)(?: (?:products?|launch(?:es)?|apps?|tools?|startups?|posts?|makers?
  |things|else|has|have|got|did|was|were|is|are|'s))* ?(?:launched|shipped|came out|come out|dropped|released
  |went live|going live|go live|topped|tops|hunted|posted|featured|happened|happening|was big
  |did (?:i|we) miss|i missed|we missed|debut\w*|new|hot|won|winning|on top|up)\b
  |\b(?:what'?s|whats) (?:on|new|hot|up|out|live|launching|trending|leading|good)\b
  |\b(?:digest|recap|roundup|round-up|rundown|snapshot|summary of|overview|results?|archive|time travel
  |catch me up|what did (?:i|we) miss|i missed|show|list|give me|gimme|send me|display|print|fetch|get me
  |tell me about|see)\b|que (?:se lanzo|salio|hay|productos)|quoi de neuf|(?:est|sont) sorti\p{L}*|was (?:gab|gibt|ist|war|kam)
  |o que (?:saiu|lancou|teve|foi|houve)|cosa (?:e uscito|c'e)|wat (?:is|was|kwam)|co (?:wyszlo|nowego)|ne (?:cikti|var)
  |что (?:вышло|нового|было|запустил\p{L}*)|क्या (?:लॉन्च|आया|नया)|何が|有什么|有哪些|发布了|뭐|무엇이|나온 거|나왔|出た|出ました|出てる|リリースされ
`);
/** Asking who, what or which, in any of the languages. */
export const interrogative = pattern(String.raw`
  \b(?:wh?ich|who|what|whats|anything|something|que|quien(?:es)?|cual(?:es)?|qui|quoi|quel(?:le)?s?|wer|was|welche[nrs]?|quem|o que|qual|quais
  |chi|cosa|quali|quale|wie|wat|welke|kto|co|ktor\p{L}+|kim|ne|neler|hangi\p{L}*)(?!\p{L})
  |(?<!\p{L})(?:кто|что|как(?:ой|ая|ие|ое))(?!\p{L})|कौन|क्या|何|誰|どの|どれ|什么|谁|哪|뭐|무엇|누구|누가|어떤
`);
/** Speaking of oneself, or of the clock and the calendar as such. */
export const notTheSite = pattern(String.raw`
  \b(?:i|we|my|our|mine|ours|ich|wir|mein\w*|unser\w*|yo|mis?|nuestr\w+|je|nous|mon|mes|notre|nos|eu|nos|meus?|minhas?|noss[oa]s?|io|noi|mi[oa]|miei|nostr\w
  |ik|wij|mijn|onze|moj\w*|nasz\w*|ben|biz\w*|you|your)\b|(?<!\p{L})(?:я|мы|мой|моя|мне|нам|наш\p{L}*)(?!\p{L})|मैं|मुझे|हम|मेर|हमार|私|僕|我|나는|내가|우리|제가
  |\b(?:time|day|date|year|month|timezone)\b
`);
export const voteCount = /\bhow (?:many|much)\b.{0,40}\b(?:up)?votes?\b|\bvote counts?\b/;
/** Asking for a number. */
export const howMany = new Concept(`
  how many | number of | total of | total number | count of | cuantos | cuantas | numero de | combien | nombre de | wie viele | wieviele | wie viel | anzahl | quantos | quantas | quanti | quante | numero di | hoeveel | aantal | ile | liczba | kac | сколько | количество
  कितने | कितनी | いくつ | 何件 | 何個 | 何本 | 多少 | 几个 | 幾個 | 몇 개 | 몇개 | 얼마나 많은
`);
/** What is counted there and is no launch. */
export const countedElse = pattern(String.raw`
  ^ ?(?:\w+ )?(?:(?:up)?votes?|comments?|stars?|points|likes|days?|hours?|minutes|weeks?|months?|years?|people|users|visitors|makers|hunters
  |screenshots|images|times|votos?|stimmen|voti|stemmen|comentarios|kommentare|tage|dias|jours|giorni|dagen|personas|leute)\b
`);
/** Speaking of the writer's own affairs. */
export const ofOneself = pattern(String.raw`
  \b(?:i|we|my|our|ich|wir|mein\w*|unser\w*|mis?|nuestr\w+|je|nous|mon|mes|notre|nos|eu|meus?|minhas?|noss[oa]s?|io|noi|mi[oa]|miei|nostr\w|ik|wij|mijn|onze)\b
`);
export const stateOfRanking = pattern(String.raw`
  \bhow(?:'?s| is| are| was)\b.{0,24}\b(?:going|looking|shaping up|doing)\b.{0,16}\b(?:leaderboard|rankings?|charts?|front ?page)\b|
  \b(?:how(?:'?s| is| are| does| do| did)?|what(?:'?s| does| is)?)\b.{0,24}\b(?:leaderboard|rankings?|charts?
  |front ?page|home ?page|top (?:\d+|ten|five|products|launches|posts)|launches
  |standings)\b.{0,16}\b(?:look\w*|doing|going|shaping up|do|end(?:ed)? up|turn(?:ed)? out|finish\w*|go|went|perform\w*|like|right now|today|yesterday)\b
`);
export const offTopic = pattern(String.raw`
  \b(?:weather|world cup|super ?bowl|elections?|president|movies?|films?|songs?|restaurants?|football|soccer
  |basketball|nba|oscars?|grammys?|stock (?:price|market)|horoscope|lottery|traffic|dinner|lunch|breakfast
  |capital of|population of|bitcoin price|joke)\b
`);
export const personOrCraft = pattern(String.raw`
  ^(?:(?:a|an|the|some|my|our|more|good|great|best|perfect|right|ideal|new|early|beta|first|real|other|fellow
  |potential|experienced|famous|big|top) )*(?:hunters?|testers?|adopters?|investors?|supporters?|upvoters?
  |customers?|users?|audience|feedback|advice|tips?|help|co-?founders?|journalists?|press|reporters?
  |influencers?|inspiration|ideas?|communit(?:y|ies)|ways?|time|times|timing|(?:launch )?(?:day|date|time|plan|strategy|page)|days|strateg(?:y|ies)
  |someone|somebody|people|partners?|answers?|information|info|guidance|mentors?|friends|guidelines|rules
  |best practices|examples? of)(?: (?:to|for|who|that|about|on|in|of|with|how|why|willing|when|early)\b.*)?$
  |^(?:(?:the|some|more|good|best) )*(?:reasons?|ways?|how|why|when|whether|examples of)\b
`);
export const obligation =
  /\b(?:i|we) (?:should|must|ought|have to|need to know)\b(?! (?:know about|see|look at|check|try|not miss))|\b(?:should|must) (?:i|we)\b/;
export const forWhom = pattern(String.raw`\b(?:for|para|pour|fur|per|voor|dla|icin|для) \p{L}`);
export const superlativeBest = pattern(
  String.raw`\b(?:best|mejor(?:es)?|meilleur(?:e|es|s)?|beste[nrs]?|melhor(?:es)?|miglior[ei]|najlepsz\p{L}+|лучш\p{L}+|recommended)\b`,
);

export const alternatives = pattern(String.raw`
  ^[\s,]*(?:any |an? |something )?(?:cheaper|simpler|lighter)(?: than)? [\p{L}\d.]+[\s,.]*$
  |\b(?:alternatives?|competitors?|rivals?|replacements?|substitutes?)(?: (?:to|for|of))?\b
  |\b(?:similar|comparable|close) to\b|\b(?:(?<!'d |would |do |you |i |we )like (?!to\b|that\b|this\b|it\b
  |the\b|a\b)|such as )[\p{L}\d]|alternat(?:iv|yw|iev)\p{L}+|альтернатив\p{L}*|аналог\p{L}*
  |\b(?:parecid[oa]s?|similar(?:es)?|semelhantes?) (?:a[ol]?|com)\b|\bsimilaires? (?:a|au)\b|\bahnlich\p{L}* wie\b|\bsimil[ei] a\b|\bvergelijkbaar met\b
  |\bpodobn\p{L}+ do\b|(?<!\p{L})похож\p{L}+ на|替代|代替|代わる|類似|代わり|대안|대체|विकल्प
  |benzeri|alternatif
`);
export const productQuestion = pattern(String.raw`
  \b(?:do you know|do you have (?:any|an?|some)|have you (?:heard|seen|got)|heard of|know of|is there (?:a|an|any|some)\w*
  |are there (?:any|some)|any(?:thing|one
  |body)? (?:good |new |similar |else |built |made |powered |based |like |from |by |for |about |with |that |to |on |in |which )
  |something (?:like|for|that|to|similar|with)|who(?: makes| made| built| created| launched|(?:'s| is) behind)
  |when (?:did|was|were)|has|did|is|was) .*|\b(?:which|what) (?:[\p{L}-]+ ){0,3}?(?:products?|tools?|apps?
  |startups?|launches|editors?|platforms?|software|bots?|extensions?|plugins?|services?|builders?|managers?
  |trackers?|generators?|collections?)\b|\bhow many (?:products|launches|tools|apps|posts|startups)\b
  |\b(?:launches|products?|posts?|tools|apps|things|stuff|something) (?:by|from|about|for|that|which|with|on
  |mentioning|tagged|in|using|built|made|to)\b|\bgot (?:any|anything|something|a|an)\b
  |\b(?:i|we) (?:need|want|am looking|'m looking|could use|would like) (?!to\b|you\b|it\b|this\b|that\b|my\b|our\b|your\b)
  |\b(?:what'?s|what is) (?:out there|available|around|there) (?:for|to|in|that)\b|\b(?:recommend|suggest)\b
`);
export const aboutOne = pattern(String.raw`
  ^[\s,.]*(?:is|was|did|does|has|have|do you know|have you heard of|when (?:did|was)
  |who(?: makes| made| built| created| launched|(?:'s| is) behind)|know)\b.*(?:\bon (?:product ?hunt|ph|here|the site|this site
  |there)|\b(?:in|on) (?:your|the) (?:index|database|catalog(?:ue)?|list|site|directory)|\bhere|\blaunch\w*(?! (?:page|day|date|week|video|email|post|plan))|\blisted|\bfeatured|\bposted|\bhunted|\breleased|\bdo you know|heard of)
  |[,-] (?:is|was|has) (?:it|that|this) (?:been )?(?:on )?(?:here|there|listed|launched|ph|product hunt|the site)[\s.]*$
  |^[\s,.]*(?:built|made|powered|written) (?:with|on|by|in|using) \S
  |^[\s,.]*(?:do you know|have you heard (?:of|about)|ever heard of|who(?: makes| made| built| created| launched|(?:'s| is) behind)
  |know)\b
`);
/** "what can you tell me about Framer" */
export const asksAboutName = pattern(String.raw`
  \b(?:tell (?:me|us)(?: more| something)?|do you know(?: anything| more)?|info(?:rmation)?|details|have you got anything|anything|something) (?:about|on) (?!how|why|what|when|my|our)
`);
/** "Someone mentioned Miro. Is it on the site?" */
export const asksAboutIt = pattern(String.raw`
  \b(?:is|was|has|did|does) (?:it|that|this) (?:been |ever )?(?:on |in )?(?:here|there|listed|launch\w*|ph|product hunt|the site|the index|your index|exists?)\b
  |\bdo you (?:have|know) (?:it|that|this)\b|^[\s,]*(?:any |some |the )?(?:alternatives?|competitors?|something similar|similar (?:tools|products|apps|ones)|anything (?:similar|like (?:it|that|this)))[\s,]*(?:please|pls|exists?|out there|there)?[\s,]*$
  |^[\s,]*(?:find|show|search for|look for|list)(?: me)? (?:similar|comparable|alternative|other|more) \p{L}+[\s,]*$|\bwhat else is (?:there|out there)\b
`);
export const checkWhether = pattern(String.raw`
  \b(?:check|see|know|tell me|find out) (?:if|whether) .*\b(?:on (?:product ?hunt|ph|here|the site|there)|here|launched|listed
  |featured|posted|hunted|released|exists?)\b
`);
export const asksForQuoted = pattern(String.raw`
  \b(?:do you (?:have|know)|have you (?:got|heard|seen)|is it (?:here|there|listed)|heard of|any sign of|what is|what's)\b
`);
/** "an app that tells me when to water plants" */
export const wantedProduct = pattern(String.raw`
  \b(?:is there|are there|do you know|have you got|i need|i want|i'm after|looking for|find|search|any) .{0,24}\b(?:app|tool|product
  |extension|plugin|service|software|website|bot|gadget|platform)s? (?:that|which|to|for|who)\b
`);
/** "a product called Today" */
export const namedProduct = pattern(String.raw`
  \b(?:products?|apps?|tools?|startups?|launch|projects?|services?|something|anything|one|thing) (?:called|named|titled
  |by the name of) \S
`);
/** One word that looks like a product's name: "bolt.new", "1password", "PostHog". */
export const nameShaped =
  /^(?:[\p{L}\d-]+\.(?:ai|app|co|com|dev|fm|gg|io|js|me|new|net|org|sh|so|to|tv|xyz)|\d+[a-z]{4,}|[a-z]+\d+[a-z]+|\p{L}*\p{Ll}\p{Lu}\p{L}*)$/u;
export const notOneProduct =
  /\b(?:it|this|that|i|we|my|our|you|your|they|he|she|asking|getting|someone|anyone|people)\b/;
export const finiteVerb = pattern(String.raw`
  \b(?:i|we|(?<!thank )you|he|she|it|they|i'?m|we'?re|my|our|your|is|was|were|am|be|been|will|would|should|could|might
  |have|had|did|does|feel|think|hope|love|hate|like it|don'?t|didn'?t|can'?t|isn'?t|wasn'?t|went)\b
`);

export const categoryHead = pattern(String.raw`
  \b(?:products?|apps?|tools?|stuff|software|startups?|things|launches|posts|projects|services|platforms
  |aplicacion(?:es)?|herramientas?|productos?|applications?|applis?|logiciels?|outils?|produits?|produkte?|anwendung(?:en)?|ferramentas?
  |aplicativos?|produtos?|strument[io]|prodott[io]|applicazion[ei]|producten|narzedzi[ae]|aplikacj\p{L}+|produkty|menedzer\p{L}*|uygulama\p{L}*|arac\p{L}*|urun\p{L}*
  |\p{L}{4,}(?:programme?n?|software|apps|tools|planer|verwaltung))\b
  |(?<!\p{L})(?:приложени|инструмент|сервис|продукт)\p{L}*|ऐप|टूल|アプリ|ツール|製品|软件|工具|应用|앱|도구|서비스
`);
/** "background remover": what does something is a product, unless it is a person. */
export const doer = pattern(String.raw`
  \p{L}[ -](?!other|better|later|earlier|number|order|hunter|maker|founder|user|customer|together|ever|never|whatever
  |after|under|offer|answer|winner|leader|weather|dinner|matter|letter|error|color|supporter|adopter|tester
  |investor|partner|member|owner|subscriber|follower|newcomer|banner|header|footer|poster|flyer|teaser|easter
  |summer|winter|september|october|november|december|over|later|launcher)\p{L}{3,}(?:er|or)s?$
`);
