import { editDistance } from "../../qa/dataset/edit-distance.ts";

/** More slips than this, and another name was meant. */
const MOST_SLIPS = 3;

/** A sentence with the known name that a mistyped one was probably meant to be; empty when none is near. */
export function didYouMean(typed: string, known: readonly string[], inWords: (name: string) => string): string {
  const [nearest] = known
    .map((name) => ({ name, slips: editDistance(typed.toLowerCase(), name) }))
    .filter(({ name, slips }) => slips <= Math.min(MOST_SLIPS, Math.ceil(name.length / 3)) || name.startsWith(typed))
    .sort((one, other) => one.slips - other.slips);
  return nearest ? ` Did you mean ${inWords(nearest.name)}?` : "";
}
