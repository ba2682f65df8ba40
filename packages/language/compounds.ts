import { findSyllableStarts } from "./german-syllables.ts";

/** Frequent parts of German compounds. The list is fixed: if it were learned from the documents, results would depend on their order. */
const knownParts = new Set(
  `abend abfall abgabe ablauf abrechnung absatz abschluss abstand abstimmung abteilung achse adresse akku akte aktie
  alarm alter amt analyse anbieter änderung angabe angebot angriff anlage anleitung anmeldung anschluss anspruch
  anteil antrag antrieb antwort anwendung anzahl anzeige apparat arbeit arbeiter arbeitgeber arbeitnehmer archiv
  artikel arzt aufgabe auftrag aufwand aufzug ausbildung ausfall ausgabe auskunft ausstellung auswahl ausweis
  auto automat bahn bahnhof ball band bank batterie bau bauer baum beamte bedarf bedingung behälter behandlung
  behörde beitrag bereich bereitschaft bericht beruf bescheid bescheinigung beschluss beschreibung besitz bestand
  bestellung betrag betreuung betrieb bewegung beweis beziehung bezirk bild bildschirm bildung blatt boden börse
  brand bremse brief brücke buch bund bundes bürger büro code computer dach dampf datei daten datum dauer decke
  dichte dienst dokument dosis draht druck drucker durchschnitt ebene eigentum einheit einkauf einkommen einlage
  einnahme einrichtung einsatz eintrag eis eisen elektro empfänger ende energie entfernung entgelt entscheidung
  entwicklung erde ereignis ergebnis erklärung erlaubnis ermittlung ersatz erstattung ertrag erzeugung fabrik
  fach faden fahrer fahrrad fahrt fahrzeug faktor fall familie farbe faser fehler feld fenster ferien fern fest
  feuer feuerwehr filter finanz firma fisch fläche fleisch flug flughafen fluss folge förderung form formular
  forschung frage frau freiheit frequenz freund frist funk funktion fuß futter gang garantie garten gas gast
  gebäude gebiet gebrauch gebühr geburt gefahr geist geld gemeinde gemeinschaft genehmigung genossenschaft gerät
  gericht geschäft geschichte geschwindigkeit gesellschaft gesetz gespräch gesundheit getränk getriebe gewalt
  gewerbe gewerkschaft gewicht gewinn glas gleis gold grad grenze größe grund grundlage gruppe gut gutschein
  hafen haft haftung halle halter hand handbuch handel handlung haupt haus haushalt haut hebel heim heizung
  helfer herr herstellung herz hilfe himmel hinweis hitze hochschule höhe holz hotel hund index industrie
  information inhalt insel institut interesse internet jahr jahres jugend kabel kaffee kalender kamera kammer
  kampf kanal kandidat kapital karte kasse kauf käufer kennung kessel kette kind kinder kirche klage klasse klima
  knopf kohle kommission konferenz konto kontrolle konzept konzern kopf körper körperschaft kosten kraft kranken
  kredit kreis krieg küche kühlung kultur kunde kunden kündigung kunst kupplung kurs kurve küste labor lack laden
  lager lampe land länder landschaft landwirtschaft länge last lauf leben lebens leder lehre lehrer leistung
  leiter leitung licht liefer lieferant lieferung linie liste lizenz lohn löschung lösung luft lüfter macht
  mahnung management mandat mangel mann mannschaft marke markt maschine maß masse maßnahme material mauer medien
  medikament meer mehrwert meister meldung menge mensch menschen messer messung metall methode miete mieter milch
  minister mitarbeiter mitglied mitgliedschaft mitte mittel modell modul monat motor müll münze museum musik
  muster mutterschaft nachricht nacht nachweis name natur netz netzwerk not note null nummer nutzer nutzung
  oberfläche objekt ofen öffnung öl ordner ordnung organ ort paket papier park parlament partei partner patient
  pause pension person personal pfand pflanze pflege pflicht plan planung platte platz politik polizei post preis
  presse probe problem produkt produktion programm projekt prozess prüfung pumpe punkt qualität quelle quote
  rabatt rad radio rahmen rand rate raum rechner rechnung recht rechte regel regelung regen region register
  reifen reihe reinigung reise rente reparatur republik rest richter richtlinie richtung ring risiko rohr
  rohstoff rolle rück rückgabe rücktritt ruhe saal sache saft saison salz sammlung satz sauerstoff säule schach
  schaden schalter schein schicht schiff schild schluss schlüssel schnee schnitt schrank schraube schrift schritt
  schuld schule schüler schutz schwangerschaft schwelle see seite sektor semester sendung sensor service
  sicherheit sicherung signal sitz sitzung software sonder sonne speicher speise spiegel spiel spieler sport
  sprache staat stadion stadt stahl stand standard station statistik staub stein stelle steuer steuerung stiftung
  stimme stoff störung stoß strafe strahlung straße strategie strecke streik strom stück student studie
  studierende studierendenschaft studium stufe stunde sturm suche system tabelle tafel tag tage tank tarif tasche
  tasse taste tausch technik teil teilnahme teilnehmer telefon teller temperatur termin test text theater thema
  tier tisch titel tod ton tor tour training transport treppe trieb tür turm turnier typ überweisung übung uhr
  umfang umsatz umwelt unfall universität unterlage unternehmen unterricht unterschrift urkunde urlaub ursache
  urteil ventil verband verbindung verbot verbrauch verein vereinbarung verfahren vergleich verhältnis verkauf
  verkehr verlag verlust vermittlung vermögen verordnung versammlung versand verschluss versicherung versorgung
  verteilung vertrag vertreter verwaltung verzeichnis vieh vogel volk volumen vorgang vorlage vorrichtung
  vorschrift vorstand waage wache wagen wahl währung wald wand ware wärme wartung wasser wechsel weg wein welle
  welt werbung werk werkzeug wert wettbewerb wetter wiederholung wind winter wirkung wirtschaft wissen
  wissenschaft woche wohnung wolle wort wunsch wurzel zahl zahlung zahn zeichen zeichnung zeile zeit zeitung
  zelle zentrale zentrum zeug zeugnis ziel ziffer zimmer zins zoll zone zubehör zucker zug zugang zulage
  zulassung zusatz zustand zustellung zweck zweig zylinder`.split(/\s+/),
);

/** Linking elements between two parts, and endings of a part in the plural or another case. */
const endings = ["", "s", "n", "en", "es", "er", "e", "nen", "ern", "in", "innen"];
/** Nouns with these endings are always linked by `s`, so their end is known without a list. */
const linkedEnding = /(?:ung|heit|keit|schaft|ion|tät|ling|tum)s$/;
const minCompoundLetters = 7;
const minPartLetters = 3;
/** Minimum length of a part that is not in the list. Shorter ones are mostly prefixes and endings. */
const minUnknownLetters = 4;
/** Endings that derive a word from another: "Mitgliedschaft", "jugendlich", "funktionieren". */
const derivation = new RegExp(
  `^(?:${[
    "(?:bar|haft|heit|ig|(?:mat|n)?isch|keit|(?:schaft)?lich|los|mäßig|sam|schaft)(?:e[mnrst]?|(?:er)?weise|(?:ig)?keit(?:en)?)?",
    "bar(?:ung(?:en)?|te?[mnrs]?)|chen|(?:tion)?ier(?:en|t|te[mnrs]?|ung(?:en)?)|lein|ling(?:e[ns]?|s)?|nis(?:se[ns]?)?",
    "rend(?:e[mnrs]?)?|r?in(?:nen)?|r?ung(?:en)?|weise[nrs]?",
  ].join("|")})$`,
);
/** Looks like the last part of a compound: "automatisch", "akzeptieren", "ermöglicht". */
const looksLikePart = /^(?:tisch|tier|licht)(?:e[mnrst]?|te[mnrs]?|t)?$/;
/** The beginning of a verb: "zuge|lassen", "einver|standen". */
const verbPrefixes =
  /^(?:ab|an|auf|aus|bei|ein|fest|fort|(?:her|hin)(?:ab|an|auf|aus|ein|über|um|unter|vor)?|los|mit|nach|nieder|statt|teil|um|voll|vor|weg|weiter|wieder|zu|zurück|zusammen)(?:be|ent|er|ge|ver|zer|zu)$|(?:ver|zu)$/;
/** The prefix of a last part that is not in the list: "daten|anfragen". */
const prefixOfRest = /(?:ab|an|auf|aus|be|ein|ent|er|fort|ge|vor)$/;

/**
 * Splits a German compound: `kündigungsfrist` into `kündigung` and `frist`. Parts begin with a syllable. Either the last part is in the
 * list, or the first part is in the list or has an ending that only nouns have. Returns an empty list for a word that can't be split.
 */
export function splitCompound(word: string): string[] {
  if (word.length < minCompoundLetters || findKnown(word) !== undefined) return [];
  const starts = [...findSyllableStarts(word)];
  // The longest part in the list is the right one: "antworten" in "beantworten".
  const last = starts.find((start) => findKnown(word.slice(start)) !== undefined);
  const isSplit = last !== undefined && isFirst(word, last, minUnknownLetters);
  const found = isSplit ? last : starts.findLast((start) => isFirst(word, start));
  if (found === undefined) return [];
  const first = word.slice(0, found);
  const unlinked = linkedEnding.test(first) ? first.slice(0, -1) : (findFirst(first) ?? first);
  return [unlinked, word.slice(found)].flatMap((part) => {
    const nested = splitCompound(part);
    return nested.length > 0 ? nested : [part];
  });
}

/** Whether a word begins with a noun. One that is not in the list needs `minLetters`. */
function isFirst(word: string, start: number, minLetters = Number.POSITIVE_INFINITY): boolean {
  const [first, rest] = [word.slice(0, start), word.slice(start)];
  const isRestKnown = findKnown(rest) !== undefined;
  if (verbPrefixes.test(first) || derivation.test(rest)) return false;
  if (linkedEnding.test(first) || findFirst(first) !== undefined)
    return rest.length >= (isRestKnown ? minPartLetters : minUnknownLetters);
  if (Math.min(first.length, rest.length) < minLetters || looksLikePart.test(rest)) return false;
  const beforePrefix = first.replace(prefixOfRest, "");
  return beforePrefix === first || (findFirst(beforePrefix) ?? splitCompound(beforePrefix)[0]) === undefined;
}

/** The listed form of a first part, which may lose its last letter: "schul|ferien". */
const findFirst = (part: string): string | undefined => findKnown(part) ?? findKnown(`${part}e`);

/** The listed form of a part. */
const findKnown = (part: string): string | undefined =>
  endings
    .flatMap((ending) => (part.endsWith(ending) ? [part.slice(0, part.length - ending.length)] : []))
    .find((form) => form.length >= minPartLetters && knownParts.has(form));
