import { usualGender } from "./given-names.ts";
import type { NameEvidence } from "./name-evidence.ts";
import { parseName } from "./parse-name.ts";
import type { Gender } from "./titles.ts";

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
