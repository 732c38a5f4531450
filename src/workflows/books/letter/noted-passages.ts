import type { AspectResult, Evidence } from "../../../judge/evaluation.ts";
import type { LineNotesPart, NotedSentence } from "../../../judge/letter/line-notes-part.ts";

/** Of the sentences in the data that line notes learnt from, this share was changed by the editor. */
export const CHANGED_SENTENCES = 0.44;

const SHOWN = 6;

/** The sentences an editor is most and least likely to change, as the weaknesses and strengths of the writing. */
export function notedPassages({
  shown,
  strengths,
}: LineNotesPart): Pick<AspectResult, "strengths" | "weaknesses" | "evidence"> {
  const least = strengths.slice(0, SHOWN);
  const most = oncePerChapter(shown).slice(0, SHOWN);
  return {
    evidence: [...least, ...most].map(evidenceOf),
    strengths: least.map((_, position) => ({ text: "", evidence: [position] })),
    weaknesses: most.map((_, position) => ({ text: "", evidence: [least.length + position] })),
  };
}

/** The likeliest of each chapter first, then the others. */
function oncePerChapter(notes: readonly NotedSentence[]): NotedSentence[] {
  const isFirst = ({ chapter }: NotedSentence, at: number) =>
    notes.findIndex((note) => note.chapter === chapter) === at;
  return [...notes.filter(isFirst), ...notes.filter((note, at) => !isFirst(note, at))];
}

function evidenceOf({ chapter, quote, start, end, change, why }: NotedSentence): Evidence {
  return { chapter, quote, start, end, found: true, match: "exact", similarity: 1, change, why };
}
