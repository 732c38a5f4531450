export type Gender = "female" | "male";

/** What a title says of the person who bears it. */
export interface Title {
  readonly gender: Gender | null;
  /** Which name follows: "Mr Darcy" a family name, "Sir Thomas" a given one, "Lady Bertram" or "Aunt Norris" either. */
  readonly before: "family" | "given" | "either";
  /** Whether the bearer is also called by the title alone: "the Colonel". */
  readonly standsAlone: boolean;
}

const family = (gender: Gender | null, standsAlone = false): Title => ({ gender, before: "family", standsAlone });
const either = (gender: Gender | null, standsAlone = false): Title => ({ gender, before: "either", standsAlone });

/** By their lower-case form without a stop. */
export const TITLES: ReadonlyMap<string, Title> = new Map<string, Title>([
  ["mr", family("male")],
  ["mister", family("male")],
  ["mrs", family("female")],
  ["ms", family("female")],
  ["miss", either("female")],
  ["master", either("male")],
  ["mas'r", either("male")],
  ["sir", { gender: "male", before: "given", standsAlone: false }],
  ["lady", either("female")],
  ["lord", either("male")],
  ["dame", either("female")],
  ["madame", family("female")],
  ["madam", family("female")],
  ["mme", family("female")],
  ["mademoiselle", either("female")],
  ["mlle", either("female")],
  ["monsieur", either("male")],
  ["m", either("male")],
  ["signor", family("male")],
  ["signora", family("female")],
  ["signorina", either("female")],
  ["señor", family("male")],
  ["señora", family("female")],
  ["don", either("male")],
  ["doña", either("female")],
  ["herr", family("male")],
  ["frau", family("female")],
  ["fräulein", family("female")],
  ["dr", family(null)],
  ["doctor", family(null, true)],
  ["professor", family(null, true)],
  ["captain", family("male", true)],
  ["capt", family("male")],
  ["cap'n", family("male", true)],
  ["colonel", family("male", true)],
  ["col", family("male")],
  ["general", family("male", true)],
  ["major", family("male", true)],
  ["lieutenant", family("male", true)],
  ["sergeant", family("male", true)],
  ["corporal", family("male", true)],
  ["commander", family("male", true)],
  ["admiral", family("male", true)],
  ["inspector", family(null, true)],
  ["detective", family(null, true)],
  ["constable", family(null, true)],
  ["superintendent", family(null, true)],
  ["judge", family(null, true)],
  ["squire", family("male", true)],
  ["father", either("male")],
  ["brother", either("male")],
  ["sister", either("female")],
  ["mother", either("female")],
  ["aunt", either("female")],
  ["auntie", either("female")],
  ["uncle", either("male")],
  ["cousin", either(null)],
  ["granny", either("female")],
  ["grandmother", either("female")],
  ["grandfather", either("male")],
  ["count", either("male", true)],
  ["countess", either("female", true)],
  ["baron", either("male", true)],
  ["baroness", either("female", true)],
  ["duke", either("male", true)],
  ["duchess", either("female", true)],
  ["marquis", either("male", true)],
  ["marquess", either("male", true)],
  ["marchioness", either("female", true)],
  ["prince", either("male", true)],
  ["princess", either("female", true)],
  ["king", either("male", true)],
  ["queen", either("female", true)],
  ["emperor", either("male", true)],
  ["empress", either("female", true)],
  ["president", either(null, true)],
  ["bishop", either("male", true)],
  ["reverend", family("male")],
  ["rev", family("male")],
  ["comrade", either(null)],
  ["old", either(null)],
  ["young", either(null)],
  ["little", either(null)],
  ["poor", either(null)],
  ["dear", either(null)],
]);

const SHORT_TITLES: Readonly<Record<string, string>> = {
  dr: "doctor",
  capt: "captain",
  "cap'n": "captain",
  col: "colonel",
  rev: "reverend",
};

/** One form of a title that has several: who is "Dr. Bull" is "the Doctor", and who is "Captain Blood" is "Cap'n". */
export function sameTitle(title: string): string {
  return SHORT_TITLES[title] ?? title;
}

/** Titles that are surnames too, where another title or a given name stands before them: "Miss Bishop", "Tom King". */
export const SURNAMES: ReadonlySet<string> = new Set(
  "bishop king prince duke major judge squire baron marquis constable young little dear".split(" "),
);

/** Words that go before a name without being part of it, even where they are written with a capital. */
export const ADJECTIVES: ReadonlySet<string> = new Set(["old", "young", "little", "poor", "dear"]);
/** Titles of kin say who speaks as much as who is meant; only the name after them identifies. */
export const KIN: ReadonlySet<string> = new Set(
  "father brother sister mother aunt auntie uncle cousin granny grandmother grandfather".split(" "),
);
/** Between the words of one name: "Ludwig van Beethoven", "Duchess of Monmouth". */
export const PARTICLES: ReadonlySet<string> = new Set(
  "of de la le du des del della di da van der den von und y ap".split(" "),
);
