import { pattern } from "../text/pattern.ts";
import { Concept } from "./concept.ts";

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
