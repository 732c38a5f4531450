/** What library headings say in the words that readers use for genres; the first that fits counts. */
const HEADINGS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:detective|mystery)\b.*\b(?:stories|fiction|tales)\b|\bdetective and mystery\b/, "Mystery"],
  [/\blove stories\b|\bromance fiction\b|\bcourtship\b/, "Romance"],
  [/\bscience fiction\b/, "Science Fiction"],
  [/\bfantasy fiction\b|\bfantasy\b|\bfairy tales\b/, "Fantasy"],
  [/\bghost stories\b/, "Ghosts"],
  [/\bhorror (?:tales|stories|fiction)\b/, "Horror"],
  [/\bgothic (?:fiction|revival)\b/, "Gothic"],
  [/\bhistorical fiction\b/, "Historical Fiction"],
  [/\bspy stories\b|\bespionage\b/, "Espionage"],
  [/\b(?:suspense|thrillers?) ?(?:fiction|stories)?\b/, "Thriller"],
  [/\bcrime (?:fiction|stories)\b/, "Crime"],
  [/\b(?:adventure|sea) (?:stories|fiction)\b|\badventure and adventurers\b/, "Adventure"],
  [/\bbildungsroman/, "Coming Of Age"],
  [/\bdomestic fiction\b|\bfamil(?:y|ies)\b/, "Family"],
  [/\bwestern stories\b/, "Westerns"],
  [/\bwar stories\b/, "War"],
  [/\bdystopia/, "Dystopia"],
  [/\b(?:humorous|comic) (?:stories|fiction)\b|\bsatire\b/, "Humor"],
  [/\bchristmas stories\b/, "Christmas"],
  [/\bchristian fiction\b/, "Christian Fiction"],
  [/\byoung adult (?:fiction|works)\b/, "Young Adult"],
  [/\bjuvenile (?:fiction|literature)\b|\bchildren's stories\b/, "Childrens"],
  [/\bshort stories\b/, "Short Stories"],
  [/\btime travel\b/, "Time Travel"],
  [/\b(?:didactic|epistolary|psychological|political) fiction\b/, "Literary Fiction"],
];

/**
 * A heading has subdivisions ("New England -- Fiction"), dates or a person's turned name, or is one of the thesaurus's own
 * phrases, which have a small second word where readers' shelves have a capital: "Domestic fiction", "Historical Fiction".
 */
const IS_HEADING =
  /\s--\s|\d{3,4}|,\s*\p{Lu}|\b(?:fiction|stories|tales|literature|novels|manners and customs)$|^Bildungsromans?$/u;
/** "FICTION / Romance / Contemporary": a bookseller's code, whose parts are genres. */
const BOOKSELLERS_CODE = /^(?:juvenile |young adult )?fiction\s*\/\s*(.+)$/i;
const SAID_BY_READERS = /^(?:fiction|(?:adult|literary|women's) fiction|short stories|fairy tales|literature)$/;

/**
 * Genres as a judge and the forecast understand them. A library's subject headings name places, people and topics beside
 * the genre ("Domestic fiction", "New England -- Fiction"): those that name a genre give it, the rest are left out. Names
 * that readers use stay as they are.
 */
export function plainGenres(genres: readonly string[]): string[] {
  const plain = genres.flatMap((name) => {
    const genre = name.trim();
    const coded = BOOKSELLERS_CODE.exec(genre)?.[1];
    if (coded) return coded.split("/").map((part) => part.trim());
    if (!IS_HEADING.test(genre) || SAID_BY_READERS.test(genre)) return genre === "" ? [] : [genre];
    const heading = genre.toLowerCase();
    const known = HEADINGS.find(([pattern]) => pattern.test(heading));
    return known ? [known[1]] : [];
  });
  return [...new Set(plain)];
}
