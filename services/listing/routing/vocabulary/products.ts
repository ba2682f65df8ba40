import { Concept } from "./concept.ts";

/** Words for anything on the listing site; they narrow nothing down. */
export const anyProduct = new Concept(`
  product | products | launch | launches | post | posts | posting | postings | startup | startups | app | apps | tool | tools | project | projects | listing | listings | entry | entries | item | items | release | releases | makers | maker | ones | one | things | thing | stuff | list | everything | anything | results | result | submissions | site | product hunt | producthunt | ph | new arrivals | goods | hunts | offerings
  producto | productos | lanzamiento* | herramienta* | aplicacion | aplicaciones | publicaciones | proyectos | lista
  produit | produits | lancement* | outil | outils | application* | projets | liste | startups | sorties
  produkt | produkte | produkten | produkts | launchs | werkzeug* | anwendung* | neuerscheinung* | einfuhrungen | projekte
  produto | produtos | lancamento | lancamentos | ferramenta* | aplicativo* | projetos
  prodotto | prodotti | lanci | lancio | strumenti | strumento | applicazioni | progetti
  producten | lancering* | tools | toepassing* | projecten | lijst
  produkty | produktow | produktami | premier* | narzedzi* | aplikac* | startupy
  urun | urunler | urunu | urunleri | urunlerin | lansman* | arac | araclar* | uygulama* | girisim*
  продукт* | запуск* | приложени* | инструмент* | стартап* | сервис* | проект*
  उत्पाद* | प्रोडक्ट* | लॉन्च | ऐप | ऐप्स | टूल | टूल्स
  プロダクト | 製品 | 商品 | ローンチ | アプリ | ツール | サービス
  产品 | 產品 | 应用 | 工具 | 项目 | 发布 | 新品
  제품 | 프로덕트 | 상품 | 런칭 | 출시 | 앱 | 서비스 | 도구
`);

/** Nouns that end the name of a product category: "… builders", "… trackers". */
const kinds = `
  app | apps | tool | tools | product | products | software | saas | platform | platforms | builder | builders | extension | extensions | plugin | plugins | plug in | plug ins | add on | add ons | add in | add ins | addon | addons | library | libraries | sdk | sdks | api | apis | startup | startups | bot | bots | chatbot | chatbots | agent | agents | assistant | assistants | copilot | copilots | tracker | trackers | manager | managers | generator | generators | editor | editors | client | clients | wrapper | wrappers | server | servers | alternative | alternatives | competitor | competitors | service | services | solution | solutions | framework | frameworks | widget | widgets | template | templates | game | games | summarizer | summarizers | converter | converters | dashboard | dashboards | planner | planners | calculator | calculators | scraper | scrapers | monitor | monitors | monitoring | recorder | recorders | reader | readers | browser | browsers | keyboard | keyboards | camera | cameras | gadget | gadgets | wearable | wearables | devices | gear | simulator | simulators | scanner | scanners | scheduler | schedulers | organizer | organizers | notetaker | notetakers | workspace | workspaces | whiteboard | whiteboards | database | databases | engine | engines | toolkit | toolkits | kit | kits | cms | crm | crms | orm | ide | ides | cli | clis | gui | guis | vpn | vpns | integrations | connectors | automations | workflows | terminal | terminals | search engine | podcasts | newsletters | marketplace | marketplaces | directories | directory | boards | board | wallet | wallets | suite | suites | websites | sites | utilities | utility | helper | helpers | optimizer | optimizers | checker | checkers | detectors | detector | translator | translators | starter kits | boilerplate* | ui kits | icons | icon packs | fonts | themes | courses | models | stack | systems | starters | counters | counter | designers | writers | creators | maker apps | hardware | robots | clone | clones | overlay | overlays | preset | presets | snippets | packs | parsers | parser | simulators | visualizer | visualizers | playgrounds | sandbox | sandboxes | feeds | aggregator | aggregators | spreadsheet | spreadsheets | portals | portal | launcher | launchers | blocker | blockers | remover | removers | timers | timer | maps | apis | feeds
`;
export const productKind = new Concept(kinds);

/** The same in other languages. */
export const kindAbroad = new Concept(`
  gestor | gestores | editor de | editores | generador* | creador de | creadores | rastreador* | planificador* | programa | programas | plataforma* | calendario | asistente* | extension | extensiones | bot de | bots de
  gestionnaire* | editeur* | generateur* | logiciel* | plateforme* | calendrier | assistant de | suivi de | appli | applis | extension de
  programm | programme | plattform* | erweiterung* | kalender | assistenten | verwaltung | generatoren | editoren
  gerenciador* | gerador* | criador de | rastreador | extensao | extensoes | agenda | assistente de
  gestore | gestori | generatore | generatori | programma | programmi | piattaform* | estensione | estensioni | assistente
  beheerder* | programma's | platformen | agenda-app | extensie | extensies
  program do | programy do | programow | menedzer* | edytor* | generator* | kalendarz* | rozszerzen*
  yonetici* | duzenleyici* | programi | programlari | olusturucu* | takvim* | eklenti* | takip uygulama*
  менеджер* | редактор* | генератор* | программ* | платформ* | расширени* | трекер* | планировщик* | календар* | ботов
  मैनेजर | एडिटर | ट्रैकर | कैलेंडर | सॉफ्टवेयर | सॉफ़्टवेयर
  エディタ | エディター | ジェネレーター | トラッカー | カレンダー | 拡張機能 | ソフト | プラグイン
  管理器 | 编辑器 | 生成器 | 跟踪器 | 插件 | 扩展 | 日历 | 平台 | 助手 | 机器人
  편집기 | 생성기 | 추적기 | 플러그인 | 캘린더 | 프로그램 | 확장
`);

/** Topics that products are about, enough to tell a category from small talk, and to mend typing mistakes in a query. */
const topics = `
  ai | artificial intelligence | llm | llms | gpt | gpt-* | chatgpt | openai | claude | gemini | machine learning | ml | nlp | rag | mcp | agents | agentic | crm | erp | saas | seo | sem | analytics | automation | calendar | email | emails | inbox | newsletter | notes | note taking | todo | to-do | task | tasks | productivity | design | figma | notion | slack | discord | chrome | firefox | safari | github | gitlab | vs code | vscode | raycast | obsidian | airtable | zapier | trello | asana | jira | linear | webflow | framer | api | sdk | database | postgres | mysql | sql | sqlite | redis | graphql | docker | kubernetes | devops | terraform | developer | developers | dev | devtools | coding | code | no-code | nocode | low-code | fitness | health | healthcare | medical | meditation | mindfulness | sleep | habit | habits | wellness | nutrition | finance | fintech | budget | budgeting | invoice | invoices | invoicing | billing | metering | accounting | bookkeeping | payroll | payment | payments | tax | taxes | crypto | bitcoin | blockchain | web3 | nft | nfts | education | edtech | learning | language learning | student | students | travel | flights | recipe | recipes | cooking | food | dating | music | podcast | podcasting | audio | video | videos | photo | photos | photography | image | images | screenshot | screenshots | screen recording | transcription | voice | speech | text-to-speech | chatbot | translation | writing | resume | cv | hiring | recruiting | recruitment | hr | marketing | social media | scheduling | advertising | ecommerce | e-commerce | shopify | wordpress | website | websites | form | forms | survey | surveys | customer support | helpdesk | whiteboard | kanban | project management | time tracking | time zone | remote work | remote teams | security | cybersecurity | password | passwords | privacy | vpn | open source | open-source | self-hosted | iot | smart home | pets | kids | parents | parenting | climate | sustainability | real estate | legal | legaltech | sales | outreach | lead generation | data | spreadsheet | spreadsheets | presentation | presentations | slides | pdf | pdfs | documentation | docs | wiki | knowledge base | bookmarks | reading | books | ebook | journal | journaling | mental health | gaming | games | 3d | ar | vr | augmented reality | virtual reality | logistics | ios | android | macos | mac | windows | linux | iphone | ipad | apple watch | react | vue | svelte | typescript | javascript | python | rust | golang | java | c++ | css | tailwind | html | testing | debugging | logging | observability | monitoring | hosting | deployment | serverless | cloud | storage | backup | file sharing | collaboration | meetings | meeting | clipboard | typography | icons | illustration | illustrations | prototyping | wireframe | wireframes | freelancer | freelancers | creator | creators | influencer | youtube | tiktok | twitter | instagram | linkedin | telegram | whatsapp | weather | maps | sports | running | cycling | yoga | diet | calorie | calories | gardening | wedding | events | ticketing | nonprofit | government | agriculture | robotics | drones | space | science | research | math | semantic | vector | embeddings | search engine | generator | generators | management | manager
`;
export const productTopic = new Concept(topics);

/** The single words among the topics and kinds, to mend typing mistakes in a query. */
export const productTopicWords: ReadonlySet<string> = new Set(
  `${topics} ${kinds}`.split(/[|\s]+/).filter((word) => /^[a-z]{5,}$/.test(word)),
);
