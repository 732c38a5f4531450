/** Library headings and the genre that readers would call it; the first that fits counts. */
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
  [/\bbildungsromans?/, "Coming Of Age"],
  [/\bdomestic fiction\b|\bfamil(?:y|ies)\b/, "Family"],
  [/\bwestern stories\b/, "Westerns"],
  [/\bwar stories\b/, "War"],
  [/\bdystopia(?:s|n (?:fiction|stories))?\b/, "Dystopia"],
  [/\b(?:humorous|comic) (?:stories|fiction)\b|\bsatire\b/, "Humor"],
  [/\bchristmas stories\b/, "Christmas"],
  [/\bchristian fiction\b/, "Christian Fiction"],
  [/\byoung adult (?:fiction|works)\b/, "Young Adult"],
  [/\bjuvenile (?:fiction|literature)\b|\bchildren's stories\b/, "Childrens"],
  [/\bshort stories\b/, "Short Stories"],
  [/\btime travel\b/, "Time Travel"],
  [/\b(?:didactic|epistolary|psychological|political) fiction\b/, "Literary Fiction"],
];

/** Subdivisions ("New England -- Fiction"), dates and a person's turned name ("Holmes, Sherlock") occur only in library headings. */
const IS_HEADING = /\s--\s|\d{3,4}|,\s*\p{Lu}|\b[Mm]anners and customs$/u;
/** Phrases of the thesaurus ("Domestic fiction"), which readers also use for genres it does not know ("Literary fiction"). */
const IS_PHRASE = /\b(?:fiction|stories|tales|literature|novels)$|^bildungsromans?$/i;
/** "FICTION / Romance / Contemporary": a bookseller's code, whose parts are genres. */
const BOOKSELLERS_CODE = /^(?:juvenile |young adult )?fiction\s*\/\s*(.+)$/i;
/** A subject heading for fantasy in the thesaurus, but a genre of its own to readers. */
const OWN_GENRE = /^fairy tales$/i;

/**
 * Genres as a judge and the forecast understand them, whatever their capitals. A library's subject headings name places, people
 * and topics beside the genre ("Domestic fiction", "New England -- Fiction"): those that name a genre are replaced by it, the
 * rest are left out. All other names stay as they are.
 */
export function plainGenres(genres: readonly string[]): string[] {
  const plain = new Map<string, string>();
  for (const genre of genres.flatMap(genresNamedBy)) {
    const key = genre.toLowerCase();
    if (!plain.has(key)) plain.set(key, genre);
  }
  return [...plain.values()];
}

function genresNamedBy(name: string): string[] {
  const genre = name.trim();
  if (genre === "") return [];
  const coded = BOOKSELLERS_CODE.exec(genre)?.[1];
  if (coded) return coded.split("/").map((part) => part.trim());
  const heading = genre.toLowerCase();
  if (IS_HEADING.test(genre)) {
    const known = HEADINGS.find(([pattern]) => pattern.test(heading));
    return known ? [known[1]] : [];
  }
  if (!IS_PHRASE.test(genre) || OWN_GENRE.test(genre)) return [genre];
  // The whole phrase must be known: "Young adult historical fiction" says more than the last two words.
  const known = HEADINGS.find(([pattern]) => pattern.exec(heading)?.[0] === heading);
  return [known?.[1] ?? genre];
}
