import type { BookMapAnswer } from "../../../../src/api/map.ts";
import type { BookNotes } from "../../../../src/api/notes.ts";
import { sumBy } from "../../../../src/stats/distribution/sum-by.ts";
import { figureInWords } from "../../../parts/formats.ts";
import type { Texts } from "../../../texts/english.ts";

/** One row of the map: a value per chapter, and how it is said. */
export interface StripRow {
  readonly label: string;
  readonly kind: "bar" | "shade" | "letters";
  readonly cells: readonly StripCell[];
  /** The middle 90 % of published novels, in the units of the values. */
  readonly band: { readonly low: number; readonly high: number } | null;
}

export interface StripCell {
  /** Null where the chapter has none. */
  readonly value: number | null;
  readonly said: string;
  readonly letters?: string;
}

const MOST_CHARACTERS = 8;

export function stripRows(map: BookMapAnswer, notes: BookNotes | null, texts: Texts): StripRow[] {
  const { chapters } = map.shape;
  const band = (id: string) => map.figures.find((figure) => figure.id === id)?.reference ?? null;
  const bars = (label: string, unit: string, figure: string | null, of: (position: number) => number | null) =>
    ({
      label,
      kind: "bar",
      band: figure === null ? null : band(figure),
      cells: chapters.map((_, position) => {
        const value = of(position);
        return { value, said: value === null ? texts.notKnown : figureInWords(value, unit) };
      }),
    }) satisfies StripRow;
  const { pace, tone, viewpoint, characters, dialogue } = map;
  return [
    bars(texts.mapLength, "words", "chapter-words", (position) => chapters[position]!.words),
    bars(texts.mapDialogue, "share", "dialogue-share", (position) => dialogue.chapters[position]?.share ?? null),
    ...(pace
      ? [
          bars(
            texts.mapSentences,
            "number",
            "sentence-words",
            (position) => pace.chapters[position]?.sentenceWords ?? null,
          ),
        ]
      : []),
    ...(tone && tone.points.length > 0 ? [toneRow(map, texts)] : []),
    ...(notes && notes.unscored === null
      ? [bars(texts.mapNotes, "number", null, (position) => notesPerThousand(notes, chapters[position]!))]
      : []),
    ...(viewpoint ? [viewpointRow(viewpoint, texts)] : []),
    ...(characters?.characters ?? []).slice(0, MOST_CHARACTERS).map(
      ({ name, presence }): StripRow => ({
        label: name,
        kind: "shade",
        band: null,
        cells: presence.map(({ mentions }) => ({ value: mentions, said: texts.mentionsOf(mentions) })),
      }),
    ),
  ];
}

function notesPerThousand(notes: BookNotes, { chapter, words }: { chapter: number; words: number }): number | null {
  if (words === 0) return null;
  return (1000 * notes.notes.filter((note) => note.chapter === chapter).length) / words;
}

function toneRow({ tone, shape }: BookMapAnswer, texts: Texts): StripRow {
  return {
    label: texts.mapTone,
    kind: "bar",
    band: null,
    cells: shape.chapters.map(({ chapter }) => {
      const own = (tone?.points ?? []).filter(({ passage }) => passage.chapter === chapter);
      const value = own.length === 0 ? null : sumBy(own, (point) => point.tone) / own.length;
      return { value, said: value === null ? texts.notKnown : value.toFixed(2) };
    }),
  };
}

function viewpointRow(viewpoint: NonNullable<BookMapAnswer["viewpoint"]>, texts: Texts): StripRow {
  const persons = { first: texts.personFirst, second: texts.personSecond, third: texts.personThird };
  const tenses = { past: texts.tensePast, present: texts.tensePresent };
  return {
    label: texts.mapViewpoint,
    kind: "letters",
    band: null,
    cells: viewpoint.chapters.map(({ person, tense }) => ({
      value: null,
      said: `${person ? persons[person] : texts.notKnown}, ${tense ? tenses[tense] : texts.notKnown}`,
      letters: person ? { first: "1", second: "2", third: "3" }[person] + (tense === "present" ? "p" : "") : "–",
    })),
  };
}
