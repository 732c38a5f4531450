import { usualGender } from "./given-names.ts";
import type { NameEvidence } from "./name-evidence.ts";
import { ADJECTIVES, type Gender, KIN, PARTICLES, SURNAMES, TITLES } from "./titles.ts";

/** A name taken apart. A single word without a title is `only`: it may be given or family name. */
export interface ParsedName {
  readonly titles: readonly string[];
  readonly given: string | null;
  readonly family: string | null;
  readonly only: string | null;
  /** What the titles say. */
  readonly gender: Gender | null;
}

export function parseName(key: string): ParsedName {
  const words = key.replace(/\bsaint\b/g, "st").split(" ");
  let start = 0;
  while (start < words.length && (TITLES.has(words[start]!) || ADJECTIVES.has(words[start]!))) start++;
  // In "Miss Bishop" and "Colonel Young" the last word is the name.
  if (
    start === words.length &&
    start > 1 &&
    SURNAMES.has(words.at(-1)!) &&
    TITLES.get(words.at(-2)!)?.before !== "given"
  )
    start--;
  const titles = words.slice(0, start);
  const gender = titles.map((title) => TITLES.get(title)?.gender ?? null).find((each) => each !== null) ?? null;
  const rest = words.slice(start);
  if (rest.length === 0) return { titles, given: null, family: null, only: null, gender };
  if (rest.length === 1) return { ...singleName(titles, rest[0]!), titles, gender };
  if (PARTICLES.has(rest[0]!)) {
    const family = rest.join(" ");
    return titles.length > 0
      ? { titles, given: null, family, only: null, gender }
      : { titles, given: null, family: null, only: family, gender };
  }
  // "van der Luyden", "de Worms" are one family name.
  const particle = rest.findIndex((word) => PARTICLES.has(word));
  const family = particle > 0 ? rest.slice(particle).join(" ") : rest.at(-1)!;
  return { titles, given: rest[0]!, family, only: null, gender };
}

function singleName(titles: readonly string[], name: string): Pick<ParsedName, "given" | "family" | "only"> {
  const title = titles.findLast((each) => TITLES.has(each) && !ADJECTIVES.has(each));
  if (title === undefined) return { given: null, family: null, only: name };
  const { before } = TITLES.get(title)!;
  if (before === "family") return { given: null, family: name, only: null };
  if (before === "given") return { given: name, family: null, only: null };
  if (KIN.has(title)) return { given: null, family: null, only: name };
  // "Miss Daisy" is a given name; "Miss Bertram" is a family's, because no lady is called Bertram.
  const gender = usualGender(name);
  const isGiven = gender !== null && (gender === TITLES.get(title)!.gender || TITLES.get(title)!.gender === null);
  return isGiven ? { given: name, family: null, only: null } : { given: null, family: name, only: null };
}

/** One pronoun for the other gender may follow by chance; this many times more of one kind do not. */
const CLEAR = 2;
/** What a usual given name counts for: a novel seen through one man's eyes says "he" after every woman's name. */
const CONTRADICTS = 5;

/** The gender of whoever bears these names: by title, then by the given name, then by the pronouns that follow. */
export function genderOf(names: readonly NameEvidence[]): Gender | null {
  let he = 0;
  let she = 0;
  let usual: Gender | null = null;
  for (const { key, he: male, she: female } of names) {
    const { gender, given, only } = parseName(key);
    if (gender !== null) return gender;
    he += male;
    she += female;
    usual ??= usualGender(given ?? only ?? "");
  }
  if (usual === "male" && she < CONTRADICTS * (he + 1)) return "male";
  if (usual === "female" && he < CONTRADICTS * (she + 1)) return "female";
  if (he > CLEAR * she) return "male";
  return she > CLEAR * he ? "female" : null;
}
