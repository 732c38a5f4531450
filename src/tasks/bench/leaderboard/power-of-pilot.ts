import { existsSync } from "node:fs";
import { type PowerAdvice, powerAdvice } from "../../../bench/validity.ts";
import { readStandings } from "../standings.ts";

/** What the novels written so far say about how many are needed, before more are paid for. Null without a pilot. */
export async function powerOfPilot(
  folder: string,
  writers: number,
  onNote: (note: string) => void,
): Promise<PowerAdvice | null> {
  if (!existsSync(folder)) return null;
  const standings = await readStandings(folder);
  // A panel and each of its judges leave out the same file.
  for (const note of new Set(standings.flatMap(({ leftOut }) => leftOut))) onNote(note);
  const pilots = standings.flatMap(({ benchmark }) => (benchmark ? [benchmark] : []));
  const last = pilots.find(({ population }) => population.panel) ?? pilots.at(-1);
  return last ? powerAdvice(last.board.comparisons, Math.max(2, writers)) : null;
}
