/**
 * Words without a subject of their own, by language. `common` words are not indexed, and serve to detect a text's language.
 * `asking` words are indexed, since a title or a name may consist of them, but they don't say what a question is about.
 */
export const stopWords = {
  en: {
    common: `a an and are as at be but by for if in into is it of on or such that the their then there these they this to was will with`,
    asking: `about all also am any anything been being can contain contains could describe describes did do does doing don during every explain
      explains from get give had has have having he her here him his how i just know let like many may me mean might mention mentions
      much must my need our please said say says shall she should show so some something tell tells than them us very want we were what
      whats when where wheres whether which while who whom whos whose why would you your yours im ive dont doesnt didnt cant couldnt
      wont wouldnt isnt arent wasnt shouldnt youre theyre thats hello thanks thank`,
  },
  de: {
    common: `aber als am an auch auf aus bei beim bis das daß dass dem den der des die durch ein eine einem einen einer eines er es für hat
      ich im in ist mit nach nur oder sich sie sind so über um und unter uns vom von vor war wenn werden wie wird wir zu zum zur`,
    asking: `alle allen alles also beschreibt bin bitte braucht da dabei damit dann darf dazu dein denn dies diese diesem diesen dieser dieses
      doch dort du dürfen enthält erklärt etwas gab gegen geht gelten gibt gilt habe haben habt hast hatte hatten hier ihm ihn ihr ihre
      ihrem ihren ihrer immer ja jede jeder jedes jemand kann kein keine können machen macht man mehr mein mir mich möchte muss müssen
      nennt noch ob ohne sagt schon sehr sein seine seiner seit selbst soll sollen sollte sowie steht tun viel viele wann waren warum
      was weil weiß welche welchem welchen welcher welches wem wen wer weshalb wessen wieso wieviel will wo wobei wodurch wofür womit
      wovon wozu wurde wurden würde zwischen aufs ins meine meinem meinen meiner deine deinem deinen deiner seinem seinen unsere unserem
      unseren unserer euch eure eurem euren eigentlich nochmal nochmals wohl wieviele danke`,
  },
  fr: {
    common: `à au aux avec ce ces dans de des du elle en est et être il ils je la le les leur leurs lui mais ne nous on ou par pas pour qu que qui sa
      se ses son sont sur un une vous y été`,
    asking: `ai ainsi alors après as aucun aussi autre autres avant avez avoir avons bien car ceci cela cet cette ceux chaque chez combien
      comme comment concerne contient d depuis dit doit doivent donc dont dit décrit décrire elles encore entre eu explique expliquer
      fait faire faut ici l lequel laquelle lesquels lors m ma me mentionne mes mon même n non nos notre où ont pendant peut peuvent
      plus pourquoi quand quel quelle quelles quels quoi s sans selon sera si sous t te tes ton tous tout toute toutes très tu va votre
      vos était étaient bonjour salut merci svp stp ta toi moi ça`,
  },
  es: {
    common: `a al ante como con cuando de del desde donde el él ella en entre era es esta este esto fue ha hasta la las le les lo los más me mi muy no
      nos o para pero por porque que se ser si sin sobre son su sus también un una uno y ya`,
    asking: `algo alguna alguno algunos aunque cada cómo contiene cual cuál cuales cuáles cualquier cuándo cuanta cuánta cuantas cuántas cuanto
      cuánto cuantos cuántos debe deben decir describe dice dicen dónde durante e ellas ellos eran esa ese eso esos están está estas
      estos existe explica fueron había hace hacer hacia han hay he hizo les menciona menos mucho mucha muchos muchas nada ni nosotros
      nuestra nuestro otra otras otro otros pueda puede pueden puedo qué quien quién quienes quiénes sea según sido son soy tanto te
      tener tengo tiene tienen todo toda todos todas tras tu tus u usted ustedes vosotros yo hola gracias mis nuestros nuestras`,
  },
  it: {
    common: `a ad ai al alla alle allo anche che chi ci come con da dal dalla dei del della delle dello di e ed è essere gli ha hanno i il in la le lo
      ma nei nel nella nelle non o per più se si sono su sul sulla tra un una uno`,
    asking: `agli alcuni allora altra altri altro avere bisogna c ciò contiene cosa così cui d dagli dai dalle degli descrive dev deve devono
      devo dice dicono dopo dove due durante era erano essi ho io l loro lui me mentre mi mia mio molto molti ne negli nessuno noi
      nostra nostro ogni oppure perché però poi possono posso può prima qual quale quali qualche quando quanta quante quanti quanto
      quella quelle quelli quello questa queste questi questo qui quindi sia solo sotto spiega stata stato sua sue sugli sui sulle suo
      suoi te ti tutta tutte tutti tutto va vi viene voi vostro ciao grazie miei mie tuo tua nostri nostre`,
  },
  pl: {
    common: `aby albo ale być był była było były co czy dla do gdy ich ile jak jako jest jeśli już każdy kiedy który która które lub
      ma mają może można na nad nie od oraz po pod przed przez przy są się tak też tylko w we z za ze że`,
    asking: `a by czego czemu czym dlaczego gdzie i ilu jaka jaki jakich jakie jakiego jakiej jaką jakim jego jej kim kogo kto komu ktoś
      którego której których którą którym masz mam mi mnie moje moja mój mogę muszę musi nam nas o opisz proszę skąd ta tego tej ten to trzeba tu
      wasz wiele`,
  },
  pt: {
    common: `a à ao aos as às com como da das de do dos e é ela ele em entre era essa esse esta este eu foi há isso já lhe mais mas na nas não no nos
      num numa o os ou para pela pelas pelo pelos por que se sem ser seu seus são sua suas só também um uma você`,
    asking: `algo algum alguma alguns ainda aquela aquele aquilo após até cada conter contém cujo deve devem deverá diz dizem descreve depois
      disso durante elas eles essas esses está estão estas estes estava explica fazer faz foram isto lá me menciona mesmo meu minha
      muito muita muitos muitas nem nenhum nós nosso onde outra outras outro outros pode podem posso porque porquê quais qual qualquer
      quando quanta quantas quanto quantos quem quê sobre sob tem têm tenho ter teu toda todas todo todos tudo uns vai vos olá oi
      obrigado obrigada meus minhas nossa nossos`,
  },
  nl: {
    common: `aan als bij dat de der deze die dit door een en er het hij ik in is je maar met na naar niet of om onder ook op over te tot uit van
      voor was wordt worden zich zij ze zijn zo`,
    asking: `al alle alles andere ben bent bevat beschrijft daar dan dus dient doen doet geen geven gaat had hadden heb hebben heeft hem hen hier hoe hoeveel hoelang hun iets ieder
      iemand jij jou jouw jullie kan kun kunnen kunt legt maak me meer men mijn moet moeten mogen mag nog nu omdat ons onze staat steeds tegen toch tussen u uw veel vermeldt volgens
      waar waarbij waarin waarmee waarom waarop waarvoor wanneer waren wat we welk welke werd werden wie wiens wij wil zal zegt zelf zonder zou zullen`,
  },
  sv: {
    common: `att av de den det du där efter ej eller en ett från för han har hon i inte jag kan med men någon något och om på sig sin sitt som till
      under upp ut var vid vi är över`,
    asking: `alla allt andra behöver beskriver blev bli blir bör då dem denna dess dessa detta din dit era ert finns få får förklarar gör göra ha hade hans hennes honom
      hur här ingen inget inom innehåller ja kommer kunde man mellan mig min mitt mot mycket många måste nu när nej några oss också sade säger samt
      ska skall skulle så sådan sina stå står utan vad var varför varje vara varit vars vart vem vems vill vilka vilken vilket åt än ännu`,
  },
  da: {
    common: `af alle at blev bliver da de dem den der det dig disse du efter eller en er et for fra han har hun i ikke jeg kan man med
      men mod når og om op over på sig som til ud under var ved vi`,
    asking: `alt anden andet andre beskriver bør dens denne dens deres det dette din dine dit eks et findes forklarer få får før gør gøre ham hans have havde hende hendes her
      hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor hvornår ind indeholder ingen jer jo kunne lige mange meget mellem men mig min mine mit må nogen noget nogle nu
      os også samt selv siger sin sine sit skal skulle står sådan thi uden være været vil ville vores`,
  },
  no: {
    common: `av at ble blir da de dem den der det du eller en er et etter for fra før han har hun i ikke jeg kan man med men mot når og om opp over
      på seg som til under ut var ved vi`,
    asking: `alle alt andre annet bare begge beskriver blitt bør deg denne deres det dette din disse dit ei finnes forklarer få får gjør gjøre ha ham hans hadde henne her hos hva hvem hver hvilke
      hvilken hvilket hvis hvor hvordan hvorfor hvorvidt ikkje ingen inneholder inn ja jo kom kunne mange mellom meg mer meget min mitt mye må måtte ned nei no noe noen nå også oss sa sier selv sin sine
      sitt skal skulle slik står så uten vil ville vår være vært vårt`,
  },
  fi: {
    common: `että ei en hän ja jo joka jos kun kuin kanssa mukaan mutta myös ne niin ole oli olla on ovat se sekä sen siitä sitä tai tämä tämän vain
      voi`,
    asking: `aina ei eivät ennen entä he heidän hänen ilman itse jonka jolla jossa jota jotka jälkeen kaikki kerrotaan keskeinen kenen ketkä koska koskaan kuinka kuka kuten kuuluu kyllä kukaan lisäksi me
      meidän mikä mikään mille millainen millaisia milloin millä mihin miksi minkä minun missä mistä miten mitkä mitä moni montako monta muu nyt näin näitä nämä olet olivat olisi ollut onko paljon paljonko pitää
      sanoo se siellä siihen siinä siis sillä sisältää te teidän täytyy tässä tätä vai vaikka voidaan voiko voivat`,
  },
  ru: {
    common: `а без был была были было быть в во все вы да для до его ее её если же за и из или им их к как ко которые который мы на над не него но о
      об он она они от по под при с со так также то только у что это`,
    asking: `будет будут бы весь вот всё всего всех где говорит говорится говорят даже другой ему есть ещё здесь зачем из-за имеет каждый какая какие каким каких какого какое какой какую какова каков какому когда кого
      ком кому которая которого которое кто куда ли либо меня между мне может могут можно мой надо нам нас нашей наш ней нет нее них ничего ну нужно объясняет описывает один
      откуда перед после потом потому почему про раз сам своей свой себя себе сказано сколько содержит считается такая такие такой там тебя тем теперь того тоже той том тот ту ты уже хоть через
      чего чей чем чему чтобы эта эти этих этого этой этом этот эту я является`,
  },
  uk: {
    common: `а але був була були було в від він вона вони для до з за зі і із й його їх її коли ми на не ні о об по при про та так такий те то у хто
      це цей ця чи що щоб як який яка які`,
    asking: `бути ви всі вже де є ж загалом має може можна можуть мене навіщо нам нас наш ним них пояснює чому чого скільки слід свій себе собі та також там тебе того треба тут
      цих цього цьому чий через ще що-небудь яке якого якої якщо яким яких якій яку я`,
  },
  ar: {
    common: `في من على إلى عن أن إن التي الذي هذا هذه ذلك كان كانت مع أو لا ما هو هي قد كل بين عند بعد قبل حتى ثم كما لم لن الذين و يكون`,
    asking: `هل متى أين كيف كم لماذا ماذا أي أية ما من لمن ماهي ماهو ماهى لم إذا إذ أنا أنت نحن هم هن هناك هنا تلك أولئك هؤلاء بها به فيها فيه منها منه عليها عليه لها له لهم لكن
      ليس ليست غير بعض أيضا حول خلال دون ضد منذ يجب يمكن يوجد توجد يتم تم اذا اذكر يقول تقول يذكر تذكر يحتوي تحتوي يشرح تشرح يصف عما مما فما وما وهو وهي وهل ومن وفي وعلى بأن لأن بماذا بما باي بأي بكم لأي فى متي اين ماهي اللذي الذى التى اللي التي لدى وأين ومتى وكم أم لو نعم اي
      أيش إيش ايش وش شو ايه شنو وين فين منين وينه امتى ايمتى ليش ليه علاش ازاي إزاي شلون مين منو قديش قداش بكم بكام كام عشان علشان مشان
      لازم ينفع اقدر أقدر نقدر تقدر يقدر أستطيع نستطيع تستطيع يستطيع يمكنني يمكننا يمكنك ممكن بإمكاني ابغى ابغا ابي بدي عايز عاوز أريد نريد تريد أود
      عندي عندك عندكم عندنا لدي لديك لديكم لدينا لي لك لكم لنا كنت كنا سوف راح بدون بعدما عندما حين حينما أني إني وإذا فهل وكيف ولماذا وأي
      فيها فيكم إليه إليها اليه اليها`,
  },
  tr: {
    common: `ama bir bu da daha de değil en gibi hem her ile için ise kadar ki mi mı mu mü ne o olan olarak oldu olduğu sonra şu tarafından ve veya
      ya`,
    asking: `acaba açıklar ancak arasında bana bazı belirtir ben beni biz bunu bunun böyle bütün çok çünkü diye dir diyor eğer hangi hangisi hangileri herhangi içinde içerir kaç kadar kim kime kimin kimler
      nasıl neden nedir nelerdir nerede nereden nereye neyi nice niçin niye olan olabilir olur olup onlar onu onun sadece siz şey tüm üzere üzerinde var ya yani yok`,
  },
  hu: {
    common: `a ahogy aki akkor ami az azt azon be csak de egy ehhez el ez ezek ezt és fel ha hogy hogyan is ki kell le lehet lesz majd már meg mely
      mert mint most nagyon nem nincs olyan s sem szerint után vagy van vannak volt voltak`,
    asking: `alatt amely amelyek annak arra bármely egyes én ennek erről ezen hány hanem hány hol honnan hova ide itt jelenti kellene között közül leírja maga melyek melyik mennyi
      mennyibe meddig mi miatt mien miért mikor milyen mit mivel mond nélkül ott ő ők oda szól te tehát tudja valaki valami viszont`,
  },
  ro: {
    common: `a acest această acestea ai al ale am are au ca că care ce cel cele cu cum dacă dar de decât din după este fi fost în la le mai ne nu o
      pe pentru prin sa să sau se și sunt un una unei unui`,
    asking: `acela aceasta acestui aceia acolo aici alta alte altul asta atunci avea avem aveți ce-i cine cui cărei cărui cât câtă câte câți conține când cărora descrie despre doar
      ei el ele eu explică face fie fiecare iar îi îl își îmi îți lor lui mea meu mult multe mulți noi nostru nici orice ori poate pot prea spune spre sub tot toate toți trebuie tu unde unele unor va voi vom vor`,
  },
  el: {
    common: `από αν για δεν είναι ένα ένας η ή θα και κατά με μετά μια μη να ο οι όπως όταν ότι που προς σε στη στην στις στο στον στους τα την της τις το τον του
      τους των ως`,
    asking: `αλλά αυτά αυτές αυτή αυτό αυτοί αυτός γιατί διότι εάν εγώ έχει έχουν εμείς ενώ εξηγεί επίσης εσείς εσύ ήταν κάθε καθώς κάποιος λέει μας μέχρι μου μπορεί όλα όλες όλοι όμως όσο όπου ούτε παρά περιγράφει περιέχει πόσα πόσες πόση πόσο
      πόσοι πόσος πότε ποια ποιες ποιο ποιοι ποιος πού πρέπει πριν πώς σας σου τι τότε υπάρχει υπάρχουν χωρίς`,
  },
  id: {
    common: `ada adalah agar akan antara atau bahwa bagi dalam dan dapat dari dengan di ini itu juga ke karena kepada lebih oleh pada para saat sebagai
      secara serta tersebut tidak untuk yang`,
    asking: `anda apa apakah bagaimana beberapa belum berapa berapakah berisi bila bisa boleh dia di-mana hanya harus ia jika kami kamu kapan kata kenapa ketika kita lagi lain maka mana mengapa menjelaskan menjadi mereka namun
      oleh orang pun saja sampai sangat saya sebuah sedang seorang seperti semua siapa sudah sekali sejak suatu telah tentang tetapi`,
  },
};
