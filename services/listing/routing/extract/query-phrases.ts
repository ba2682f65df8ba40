import { pattern } from "../text/pattern.ts";

/** Filler words around a search query, per language, as regular expression sources for folded text. */
interface QueryPhrases {
  /** Verbs and polite phrases before the query. They also identify the language. */
  opening: string;
  /** Articles, prepositions and generic nouns before the query. */
  before: string;
  /** The same after the query. */
  after: string;
}

const generic =
  "products?|apps?|applications?|tools?|software|startups?|stuff|things?|launch(?:es)?|posts?|projects?|solutions?|services?|platforms?|sites?|websites?|results?|items?|entries|options?|companies|makers|listings?|ones?|makes?|releases?|saas";

const english: QueryPhrases = {
  opening:
    "hi|hey|hello|yo|i me(?:an|ant)|please|pls|plz|kindly|ok|okay|so(?! far)|well|also|and|then|now|just|only|thanks|hmm|bot|quick question|question|can (?:you|i|we)|could (?:you|i|we)|would you(?: mind)?|will you|i want(?: you)?(?: to)?|i'?d (?:like|love)(?: you)?(?: to)?|i would (?:like|love)(?: to)?|i wanna|wanna|(?:i|we) need(?: to)?|i'?m|i am|we'?re|we are|help me(?: to)?|let me|let'?s|try(?: to)?|trying to|want(?: to)?|go|do a|run a|do|(?:and )?search(?:ing)?(?! engine)(?: (?:the )?(?:index|site|directory|catalog(?:ue)?|launches|product hunt|posts|products|web))?(?: for| on| up| about| posts by)?|find(?:ing)?(?: me| us)?(?: out)?|look(?:ing)?(?: (?:up|for|into|around for|at|it up))?|hunt(?: down)?|dig up|pull up|bring up|query|browse|discover|explore|locate|google|grep|get|give|show|list|fetch|see|tell me(?= ?[:,])|recommend|suggest|check(?: (?:if|whether|out|for))?|tell me (?:about|of)|know(?: about| of)?|what about|how about|any idea of|surface|filter(?: by| for)?",
  before: `(?:date|day|timeframe|period|window)(?= ?[=:])|me|us|some|any|anything|something|for|of|on here|here|on|about|with|to|in|like|is there|are there|there(?: is|'s)?|is|are|was|were|do you (?:know|have|happen to know)|have you (?:heard|got|seen)|heard|does|do|did|has|have|had|they|anyone|launched|got|who (?:made|makes|built|builds|created|launched|is behind|are behind)|who's behind|when|what(?:'?s| is| are)?|which|who|whose|how many|a|an|the|all|every|other|another|good|great|big|huge|major|notable|nice|cool|interesting|useful|decent|new|newest|latest|recent|best|top|popular|trending|highest rated|most|(?:so |too )?many|existing|similar(?: to)?|more|(?:a )?few|several|different|those|these|people'?s|lists? of|kinds? of|(?:${generic}) (?:about|for|that|which|like|to|with|by|from|called|named|titled|who|using|built on|on|in|around|of|mention|mentioning|related to|similar to|do|help|can)|(?:products|apps|applications|tools|software|startups|stuff|things|launches|posts|projects|solutions|services|platforms|sites|results|items|options|companies|makers|listings|ones)|examples? of|alternatives? (?:to|for|of)|competitors? (?:to|of|for)|same as|such as|called|named|titled|tagged(?: with)?|(?:topic|category|keyword|tag|term|query|named?)(?: is)?|mention(?:s|ing|ed)?|related to|built (?:on|with|for|in)|powered by|made (?:by|with|in|for)|from|by|using|based on|around|out|that|which|help(?:s)?(?: me| us| you| with)?|let(?:s)?(?: me| you)|can|comparable to|close to|i can use|to use`,
  after: `please|pls|plz|cheers|tnx|🙏|👍|😊|🙂|thanks|thank you|thx|now|so far|for me|to me|me|us|here|on (?:product hunt|ph|the site|producthunt|here)|in (?:product hunt|(?:the|your) (?:index|list|database|catalog(?:ue)?|directory)|ph|here)|on (?:the|your) (?:list|site)|from (?:product hunt|the site|the index)|at (?:product hunt)|product hunt|look (?:it|them|that|this|those) up|search(?: (?:it|them|for it|for them|that|this))?|find (?:it|them|those|that)|exists?|out there|available|(?:been |have |has |were |was |that |which |got )*(?:launched|released|posted|listed|featured|around|published|hunted)|yet|already|before|have|has|is|are|was|were|did|do|does|do you know|got anything|any|some|anything|if possible|or something(?: like that| similar)?|or so|or the like|and (?:stuff|such|more|the like)|etc|up|and|or|the|a|an|of|for|to|that|which|in|on|with|there|too|as well|instead|(?:${generic})|launch|show me|list|list them|and list them|or similar|now please|by votes|sorted by votes`,
};

const spanish: QueryPhrases = {
  opening:
    "por favor|porfa|hola|oye|dime|me puedes|puedes|podrias|quiero|necesito|estoy buscando|busc(?:a|o|ar|ame|as|amos|alas|alos)|busqu(?:e|en)|alternativas? al?|encuentra(?:me)?|encontrar|muestra(?:me)?|recomienda(?:me)?|hay|dame",
  before:
    "algun(?:a|as|os)?|un|una|unos|unas|el|la|los|las|de|del|para|sobre|con|que|como|mi|herramientas?|aplicacion(?:es)?|apps?|productos?|alternativas? a|lanzamientos?|software|plataformas?|por|en|algo|parecid[oa]s? a|similar(?:es)? a|hacer",
  after:
    "por favor|gracias|herramientas?|aplicacion(?:es)?|apps?|productos?|busca(?:las|los|lo|la)|en product hunt|porfa",
};
const french: QueryPhrases = {
  opening:
    "s'?il (?:te|vous) plait|stp|svp|coucou|bonjour|salut|peux-tu|pouvez-vous|je veux|je voudrais|j'?ai besoin|(?:une |des )?alternatives? (?:a|au|aux)|je cherche|cherche(?:r|z)?(?:-moi)?|recherche(?:r|z)?|trouve(?:r|z)?(?:-moi)?|montre(?:z)?(?:-moi)?|recommande(?:-moi)?|y a-t-il|donne(?:-moi)?",
  before:
    "un|une|des|les?|la|l'|d'|de|du|pour|sur|avec|qui|que|comme|mes?|outils?|applications?|applis?|apps?|produits?|alternatives? (?:a|au|aux)|logiciels?|solutions?|lancements?|en|a|au|quelque chose|similaires? a|gerer|faire",
  after:
    "s'?il (?:te|vous) plait|merci|stp|svp|outils?|applications?|applis?|apps?|produits?|logiciels?|sur product hunt",
};
const german: QueryPhrases = {
  opening:
    "bitte|hallo|gab(?:'?s| es)(?: hier)?(?: schon)?(?: mal)?|gibt'?s|hier|kannst du|konnen sie|konntest du|alternativen? (?:zu|fur)|ich (?:suche|brauche|mochte|will)|such(?:e|en|t)?(?: mir)?|find(?:e|en|et)?(?: mir)?|zeig(?:e)?(?: mir)?|empfiehl(?: mir)?|gibt es|gib mir",
  before:
    "mir|uns|nach|ein(?:e|en|em|er|es)?|der|die|das|dem|den|des|fur|uber|mit|zu|zum|zur|wie|etwas|irgendwas|tools?|apps?|programme?|produkte?|alternativen? (?:zu|fur)|software|anwendungen?|werkzeuge?|von|aus|im|in|ahnlich wie",
  after:
    "bitte|danke|mal|hier|tools?|apps?|programme?|produkte?|software|anwendungen?|werkzeuge?|suchen|finden|auf product hunt|raus|heraus",
};
const portuguese: QueryPhrases = {
  opening:
    "por favor|ola|oi|voce pode|pode|quero|preciso|estou procurando|procur(?:a|e|o|ar|ando)|pesquis(?:a|e|ar|o)|busc(?:a|o|ar)|busqu(?:e|em)|alternativas? (?:ao?|para)|encontr(?:a|e|ar)|ach(?:a|e|ar)|mostr(?:a|e)(?: me)?|me mostra|recomend(?:a|e)|tem|existe",
  before:
    "me|algum(?:a|as)?|alguns|um|uma|uns|umas|o|a|os|as|de|do|da|dos|das|para|pra|sobre|com|que|como|por|ferramentas?|aplicativos?|apps?|produtos?|alternativas? (?:ao?|para)|softwares?|lancamentos?|em|algo|parecid[oa]s? (?:com|ao?)|similares? a",
  after: "por favor|obrigad[oa]|ferramentas?|aplicativos?|apps?|produtos?|no product hunt|ai",
};
const italian: QueryPhrases = {
  opening:
    "per favore|ciao|puoi|potresti|voglio|vorrei|sto cercando|ho bisogno|alternativ[ae] al?|mi serve|cerc(?:a|o|ami|are)|trov(?:a|ami|are|o)|mostra(?:mi)?|consiglia(?:mi)?|ricerca|c'?e|ci sono|esiste",
  before:
    "un|uno|una|un'|dei|degli|delle|il|lo|la|i|gli|le|di|del|della|per|su|con|che|come|strumenti?|applicazion[ei]|app|prodott[oi]|alternativ[ae] a|software|qualcosa|lanci|da|in|simil[ei] a",
  after: "per favore|grazie|strumenti?|applicazion[ei]|app|prodott[oi]|su product hunt",
};
const dutch: QueryPhrases = {
  opening:
    "alsjeblieft|hallo|hoi|kun je|kan je|alternatie(?:f|ven) voor|ik (?:zoek|wil|heb nodig)|zoek(?:en)?(?: (?:naar|op))?|vind(?:en)?(?: me)?|toon(?: me)?|laat (?:me|mij)(?: zien)?|zijn er|is er|geef(?: me)?",
  before:
    "me|mij|naar|een|het|de|voor|over|met|die|dat|zoals|tools?|apps?|producten?|alternatieven? voor|software|iets|van|in|om te",
  after: "alsjeblieft|graag|aub|bedankt|tools?|apps?|producten?|software|op product hunt|op",
};
const polish: QueryPhrases = {
  opening:
    "prosze|czesc|czy mozesz|mozesz|chce|alternatyw[ay] (?:dla|do)|potrzebuje|szukam|szukaj|wyszukaj|znajdz(?: mi)?|poszukaj|pokaz(?: mi)?|polec|czy (?:jest|sa|istnieja?|macie|znasz)|sa jakies",
  before:
    "mi|jakies|jakas|do|dla|o|z|ze|na|w|narzedzi(?:a|e)?|aplikacj[aeiu]|aplikacji|apki|produkt(?:y|u|ow)?|alternatyw[aey]? (?:dla|do)|programow|program(?:y|u)?|oprogramowani[ea]|jak|cos|podobn\\p{L}+ do",
  after: "prosze|dzieki|aplikacje|narzedzia|na product hunt",
};
const turkish: QueryPhrases = {
  opening: "lutfen|merhaba|bana|ara|bul|arat",
  before: "bir|bazi|icin|benzeri",
  after:
    "lutfen|tesekkurler|tesekkur ederim|sagol|bul(?:un|ur musun|abilir misin)?|ara(?:t|r misin|yin|styr|stir)?|ariyorum|goster|var mi|oner|istiyorum|lazim|uygulama(?:si|lari|lar|sini|larini)?|arac(?:i|lari|lar|larini)?|aracini|program(?:i|lari)?|yazilim(?:i|lari)?|urun(?:u|leri|ler)?|icin|alternatif(?:i|leri|lerini)?|ile ilgili|hakkinda",
};
const russian: QueryPhrases = {
  opening:
    "пожалуйста|привет|можешь|(?:мне )?нуж(?:ен|на|но|ны)|посоветуйте|порекомендуйте|подскаж(?:и|ите)|хочу|я ищу|найд(?:и|ите)(?: мне)?|найти|поищи|ищ(?:и|у)|искать|поиск|покажи(?: мне)?|посоветуй|порекомендуй|есть ли|аналоги?|альтернатив\\p{L}+",
  before:
    "мне|какие-нибудь|для|про|по|о|об|с|к|на|в|приложени[еяй]|инструмент(?:ы|ов)?|сервис(?:ы|ов)?|программ[ыау]?|продукт(?:ы|ов)?|аналог(?:и|ов)?|альтернатив[уыа]?|что-нибудь|что-то|похож(?:ее|ие|ий) на|вроде|типа",
  after: "пожалуйста|спасибо|приложения|инструменты|сервисы|на product hunt",
};
const languages = [spanish, french, german, portuguese, italian, dutch, polish, russian];

// "a" and "q" in "a/b" and "q&a" are not separate words.
const edge = "(?![\\p{L}\\p{M}\\p{N}]|[/&]\\p{L})";
const gap = "(?:[\\s,:;!?¿¡()-]|\\.(?!\\p{L}))*";

interface Trimmer {
  opens: RegExp;
  before: RegExp;
  after: RegExp;
}

function trimmer(...phrases: QueryPhrases[]): Trimmer {
  const joined = (part: keyof QueryPhrases): string => phrases.map((phrase) => phrase[part]).join("|");
  return {
    opens: pattern(`^${gap}(?:${joined("opening")})${edge}`),
    before: pattern(`^${gap}(?:${joined("opening")}|${joined("before")})${edge}(?!-\\p{L})`),
    after: pattern(`(?:^|[\\s,])(?<!-)(?:${joined("after")})${gap}$`),
  };
}

export const englishTrimmer = trimmer(english);
export const otherTrimmers = languages.map((language) => trimmer(language));
export const turkishTrimmer = trimmer(turkish);

/** Words around the query in languages without spaces, and in Hindi and Korean, where the verb comes last. */
export const easternBefore =
  /^(?:[\s,。、，：:]|请|請|麻烦|帮我|帮忙|给我|我想|我要|你能|能不能|可以|搜索一下|搜索|搜尋|搜一下|搜|查找|查一下|查查|查|寻找|找一下|找找|找|一下|一些|一个|几个|有没有|有什么|有哪些|关于|用于|类似(?:于)?|推荐|检索|検索(?:して)?[:：]?|안녕하세요|제발|혹시|कृपया|मुझे|मेरे लिए|कोई|कुछ|एक)+/;
export const easternAfter =
  /(?:[\s,。、？?！!]|(?:を|が|は|に|の)?(?:検索|けんさく|探|さが|見つけ|教え|調べ)(?:して|して|て|す|し|る|えて|べて|けて)?(?:ください|下さい|くれ|ほしい|欲しい|たい|て)?|お願い(?:します)?|ありますか|ある|のアプリ|アプリ|ツール|製品|プロダクト|サービス|ください|的?(?:软件|应用|工具|产品|程序|网站|app|項目|项目)|类|吗|呢|(?:을|를|은|는|이|가)?\s?(?:찾아\s?줘|찾아\s?주세요|찾아봐(?:\s?줘)?|찾아|찾기|찾고\s?있어(?:요)?|검색해\s?줘|검색해\s?주세요|검색|추천해\s?줘|보여\s?줘|알려\s?줘)|\s(?:앱|도구|제품|서비스|툴)|खोजो|खोजें|खोजिए|खोज|ढूंढो|ढूंढें|ढूंढिए|ढूँढो|ढूँढें|दिखाओ|दिखाएं|बताओ|दो|दीजिए|चाहिए|\sऐप्स|\sऐप|\sएप|\sटूल्स|\sटूल|\sउत्पाद|\sके लिए|\sवाले|\sवाला|के बारे में|प्लीज|कृपया|धन्यवाद|\s?부탁(?:해|해요|드려요|드립니다)?|감사합니다| क[ेा] विकल्प)+$/;
