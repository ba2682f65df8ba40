import type { Language } from "@agent-backends/language";
import { analyze } from "@agent-backends/language";

/** Words of questions that say little of what they are about: what one does with anything, and what fits to any answer. */
const words: Partial<Record<Language, string>> = {
  en: `come comes coming go goes going take takes taking bring put make makes keep give gives get gets got use uses used using
    need needs allow allowed possible happen happens apply applies work works run runs last lasts stay find found look ask call
    want cost costs pay price charge valid new old currently exactly usually normally people person someone anyone thing things
    time kind sort type way per serve start started offer have having`,
  de: `kommen kommt geht gehen gibt geben macht machen gemacht nehmen nimmt mitnehmen mitbringen bringen bekommen bekommt bekomme
    kriegen kriege kriegt brauchen brauche benutzen benutze nutzen nutze verwenden erlaubt möglich passiert gilt gelten gültig
    dauert dauern haltbar finden finde findet stattfindet statt steht stehen liegt liegen hält halten heißt heißen nennen lautet
    kosten kostet zahlen zahle zahlt bezahlen bezahle preis fragen wenden melden stellen legen lassen reicht reichen neu neue neuen
    alt alte derzeit aktuell genau eigentlich normalerweise personen leute jemand dinge sachen art mal pro ab bis wollen will
    frühestens spätestens maximal höchstens mindestens gehört gehören gemeint anfangen angeboten bietet bedeutet bedeuten kümmert kümmern unbedingt`,
  fr: `venir vient aller va vont prendre prend amener apporter mettre faire fait faut font donner donne avoir utiliser utilise servir
    sert besoin permis possible autorisé arrive arriver passe passer lieu dure durer durée valable valide reste rester trouve
    trouver trouvent cherche demander demande appeler veux vouloir veut coûte coûter coûtent prix payer payé tarif montant puis peux dois occupe
    nouveau nouvelle ancien actuellement exactement personnes gens chose choses temps sorte type genre par combien`,
  es: `venir ir va van llevar llevo traer traigo poner pongo hacer hago dar da tomar usar uso utilizar servir sirve necesitar
    necesito necesita permitir permite permitido posible pasar pasa ocurre valer vale dura durar válido queda quedar encontrar
    encuentro buscar pedir llamar llama querer quiero ocupa encarga cuesta costar cuestan costará precio pagar pago importe nuevo nueva actual
    actualmente exactamente personas gente cosa cosas tiempo tipo clase por cada lugar`,
  it: `venire viene andare va portare porto prendere mettere fare faccio fa dare dà usare uso utilizzare servire serve bisogno
    permesso possibile succede passa dura durare vale valere valido resta trovare trova trovo cercare chiedere chiamare chiama
    volere voglio qualcosa occupa costa costare costano prezzo pagare pago importo nuovo nuova attuale attualmente esattamente persone gente cosa
    cose tempo tipo genere per ogni tiene tenere luogo`,
  pt: `vir vem ir vai levar levo trazer trago pôr ponho põe fazer faço dar dá tomar usar uso utilizar servir serve precisar preciso precisa
    permitir permitido possível acontece passa dura durar vale valer válido fica ficar encontrar encontro procurar pedir chamar
    chama querer quero custa custar custam preço pagar pago valor novo nova atual atualmente exatamente pessoas gente coisa coisas
    tempo tipo género por cada lugar`,
  nl: `komen komt gaan gaat nemen meenemen brengen meebrengen maken maakt krijgen krijg krijgt gebruiken gebruik nodig toegestaan
    mogelijk gebeurt geldt gelden geldig duurt duren vinden vind staat staan ligt liggen houden heet heten noemen kost kosten
    betalen betaal prijs vragen melden zetten leggen laten nieuw nieuwe oud oude huidige precies eigenlijk normaal mensen personen
    iemand dingen soort keer per vanaf tijd dragen doen geven geeft`,
};

let stems: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Whether a word of a question says little of what it is about. */
export function isLight(word: string, language: Language | undefined): boolean {
  stems ??= new Map(Object.entries(words).map(([name, list]) => [name, new Set(analyze(list, [name as Language]))]));
  const known = stems.get(language ?? "");
  const terms = language ? analyze(word, [language]) : [];
  return known !== undefined && terms.length > 0 && terms.every((term) => known.has(term));
}
