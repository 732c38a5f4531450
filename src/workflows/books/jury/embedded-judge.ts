import { isJurorName, JUROR_IDS, type JurorId, jurorNamed } from "../../../jury/juror.ts";

/** All three jurors side by side: what judges when no judge is named. */
export const JURY = "jury";

/** Whether a name is that of a juror or of the whole jury. */
export function isOfTheJury(name: string): boolean {
  return name === JURY || isJurorName(name);
}

/** The jurors a name calls for, the one whose score is the headline first. */
export function jurorsFor(name: string): readonly JurorId[] {
  return name === JURY ? JUROR_IDS : [jurorNamed(name)];
}
