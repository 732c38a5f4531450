import { isSetApart } from "./around.ts";
import { isSubstantial } from "./headings-with-prose.ts";
import { largestGroup } from "./largest-group.ts";
import type { Candidate } from "./outline.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** Lines in capitals with a text of their own. Where some stand further apart than others, those are the titles. */
export function titlesInCapitals(candidates: readonly Candidate[]): readonly Candidate[] {
  const substantial = candidates.filter(isSubstantial);
  const apart = substantial.filter(isSetApart);
  // The first title may stand right under the book's own, with less space above it.
  const first = substantial.findLast(({ at }) => at < (apart[0]?.at ?? 0));
  const chosen = apart.length >= 2 ? [...(first ? [first] : []), ...apart] : substantial;
  // What comes again and again is a running head or the name of a picture, not a title.
  const times = new Map<string, number>();
  const keyOf = ({ lines }: Candidate) => headingKey(joinTitle(lines));
  for (const key of chosen.map(keyOf)) times.set(key, (times.get(key) ?? 0) + 1);
  // Where the same few names stand far apart over and over, they are those of the people who tell the chapters.
  const areVoices = apart.length >= 2 && largestGroup(chosen, keyOf).length <= chosen.length * LARGEST_VOICE;
  return areVoices ? chosen : chosen.filter((candidate) => times.get(keyOf(candidate))! < 3);
}

/** No one tells more of such a book than this. */
const LARGEST_VOICE = 0.6;
