import type { ParagraphReading } from "../../../api/drafts.ts";
import { JUROR_IDS } from "../../../jury/juror.ts";
import { loadJury } from "../../../jury/jury.ts";
import { reasonNotToRead } from "../../../jury/readable.ts";
import { type ManuscriptMap, mapManuscript } from "../../../prose/map/manuscript-map.ts";
import { countWords } from "../../../text/words.ts";

/** Jurors refuse texts under 150 words; a little more keeps a deletion from silencing them. */
const PASSAGE_WORDS = 220;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** What notes, map and jurors say of a paragraph as it is being rewritten in its chapter. */
export async function readParagraph(
  chapter: string,
  { start, end }: Place,
  text: string,
  language: string | null,
): Promise<ParagraphReading> {
  const jury = await loadJury();
  const around = passageAround(chapter, { start, end });
  const passage = chapter.slice(around.start, start) + text + chapter.slice(end, around.end);
  const [prepared, wider] = [jury.prepare(text), jury.prepare(passage)];
  // A paragraph alone may be too short to be told from a list; what it stands in decides whether it can be read.
  const unscored = reasonNotToRead([wider], 1);
  const map = mapManuscript([{ index: 1, title: null, text }], { language });
  return {
    notes: unscored === null ? jury.notes.read(prepared) : [],
    unscored,
    figures: figuresOf(map),
    jurors: JUROR_IDS.map((id) => {
      const juror = jury.jurors[id];
      return { id, scale: { ...juror.scale }, verdict: juror.judge([wider]).overall };
    }),
    passageWords: wider.prose.wordCount,
  };
}

/** The paragraph with whole neighbours before and after it, in turn, until the passage is long enough. */
function passageAround(chapter: string, { start, end }: Place): Place {
  let [from, to] = [start, end];
  const isShort = () => countWords(chapter, from, to) < PASSAGE_WORDS;
  while (isShort() && (from > 0 || to < chapter.length)) {
    from = from === 0 ? 0 : startOfParagraph(chapter, from);
    if (isShort() && to < chapter.length) to = endOfParagraph(chapter, to);
  }
  return { start: from, end: to };
}

function startOfParagraph(text: string, before: number): number {
  const trimmed = text.slice(0, before).trimEnd().length;
  const gap = text.lastIndexOf("\n\n", trimmed - 1);
  return gap < 0 ? 0 : gap + 2;
}

function endOfParagraph(text: string, after: number): number {
  const from = after + (/^\s*/.exec(text.slice(after))?.[0].length ?? 0);
  const gap = text.indexOf("\n\n", from);
  return gap < 0 ? text.length : gap;
}

function figuresOf({ shape, dialogue, pace, habits, manners }: ManuscriptMap): ParagraphReading["figures"] {
  return [
    { id: "words", value: shape.words },
    { id: "sentence-words", value: pace?.sentenceWords ?? null },
    { id: "dialogue-share", value: dialogue.share },
    { id: "reading-ease", value: pace?.readingEase ?? null },
    { id: "filter-words", value: habits?.filterWords.count ?? null },
    { id: "weak-openings", value: habits?.weakOpenings.count ?? null },
    { id: "cliches", value: habits?.cliches.count ?? null },
    { id: "manners", value: manners?.count ?? null },
    { id: "echoes", value: habits?.echoes.count ?? null },
    { id: "stacked-similes", value: habits?.stackedSimiles.count ?? null },
  ];
}
