import type { Choice } from "./choose.ts";

/** Gaps and repetitions in the numbering: the file may lack chapters, or hold one twice. */
export function numberingWarnings(choices: readonly Choice[]): string[] {
  const warnings: string[] = [];
  const last = new Map<string, number>();
  for (const { candidate, role } of choices) {
    // Books and parts number their chapters anew.
    if (role === "division") last.clear();
    const { recognition } = candidate;
    if (role !== "chapter" || recognition?.number == null || recognition.number === 0) continue;
    const { series, number } = recognition;
    const previous = last.get(series);
    if (previous !== undefined && number !== previous + 1 && number !== 1) {
      warnings.push(
        number === previous
          ? `Two chapters in a row are numbered ${number}.`
          : number > previous
            ? `The numbering jumps from ${previous} to ${number}.`
            : `The numbering falls back from ${previous} to ${number}.`,
      );
    }
    last.set(series, number);
  }
  return warnings;
}
