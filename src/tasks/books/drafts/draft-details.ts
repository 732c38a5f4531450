import type { Finding } from "../../../core/finding.ts";
import { countOf, signedNumber } from "../../../core/wording.ts";
import type { Change, DraftChanges, FigureChange, NoteChanges } from "../../../judge/drafts/change-schema.ts";
import { loadJury } from "../../../jury/jury.ts";
import { type ComparedFigure, loadReferenceNovels } from "../../../prose/reference/reference-novels.ts";
import { notedChapter } from "../../../report/letter/choose-notes.ts";
import { figureInWords } from "../../../report/letter/figure-words.ts";
import type { Book } from "../../../text/book.ts";
import { compareTexts } from "../../../text/revisions.ts";
import type { DraftPlace, TextChanges } from "../../../text/text-changes.ts";
import { findingChanges, LIKELY, letterSource } from "../letter.ts";

/**
 * What a comparison of two drafts shows beside the scores: findings, changes to the text, line notes and the map's
 * figures.
 */
export async function draftDetails(
  before: Book,
  after: Book,
  reference = loadReferenceNovels(),
): Promise<Pick<DraftChanges, "findings" | "text" | "lineNotes" | "figures">> {
  const text = compareTexts(before.chapters, after.chapters);
  const [earlier, later] = [before, after].map((book) => letterSource(book, { reference }));
  return {
    findings: findingChanges(earlier!.counted, later!.counted),
    text,
    lineNotes: await noteChanges(before, after, text),
    figures: figureChanges(earlier!.figures, later!.figures),
  };
}

/** A report shows this many changes; the counts include all of them. */
const MOST_CHANGES = 200;

export function shortened(changes: DraftChanges): DraftChanges {
  const { text } = changes;
  return text ? { ...changes, text: { ...text, changes: text.changes.slice(0, MOST_CHANGES) } } : changes;
}

/** An unchanged paragraph keeps its notes, so only the others are read. Line notes work for English only. */
async function noteChanges(before: Book, after: Book, { changes }: TextChanges): Promise<NoteChanges | null> {
  if (![before, after].every(isEnglish)) return null;
  const jury = await loadJury();
  const count = (book: Book, places: readonly (DraftPlace | null)[]) => {
    const texts = new Map(book.chapters.map(({ index, text }) => [index, text]));
    const notes = places.flatMap((place) => {
      if (place === null) return [];
      const prepared = jury.prepare((texts.get(place.chapter) ?? "").slice(place.start, place.end));
      return notedChapter(place.chapter, prepared, jury.notes.read(prepared)).notes;
    });
    return { sentences: notes.length, likely: notes.filter(({ change }) => change >= LIKELY).length };
  };
  return {
    before: count(
      before,
      changes.map((change) => change.before),
    ),
    after: count(
      after,
      changes.map((change) => change.after),
    ),
  };
}

function figureChanges(before: readonly ComparedFigure[], after: readonly ComparedFigure[]): FigureChange[] {
  const earlier = new Map(before.map(({ id, value }) => [id, value]));
  return after.map(({ id, name, unit, value, reference }) => ({
    id,
    name,
    unit,
    before: earlier.get(id) ?? null,
    after: value,
    reference,
  }));
}

/** The reference novels and the texts that line notes were trained on are English. */
function isEnglish({ language }: Book): boolean {
  return language === "en" || language === null;
}

/** Says in sentences what differs from an earlier draft; `again` says what was judged again. */
export function changesInWords(changes: DraftChanges, again: string): string[] {
  const { run, unchanged, removed, overall, aspects, segments, jurors = [] } = changes;
  if (segments.length + removed === 0) return [`Compared with ${run}: the text is the same.`];
  const change = ({ difference, interval, beyondNoise, needs }: Change) => {
    if (difference === null) return "cannot be compared";
    if (interval === null) return `${signedNumber(difference, 1)}, ${NO_SPREAD}`;
    const [low, high] = interval.map((end) => signedNumber(end, 1));
    const told = beyondNoise
      ? `${difference > 0 ? "better" : "worse"}, more than the judge's error`
      : `cannot be told${needs ? ` (${needs})` : ""}`;
    return `${signedNumber(difference, 1)}, likely between ${low} and ${high}: ${told}`;
  };
  const real = Object.entries(aspects).filter(([, aspect]) => aspect.beyondNoise);
  return [
    ...findingsInWords(changes.findings),
    `Compared with ${run}: ${countOf(segments.length, "part")} changed or new, ${unchanged} unchanged, ${removed} removed; ${again}.`,
    ...textInWords(changes),
    ...(jurors.length > 0
      ? jurors.map((juror) => `The ${juror.id}, of ${juror.scale.maximum}: ${change(juror)}.`)
      : [`Overall: ${change(overall)}.`]),
    ...real.map(([id, aspect]) => `${id}: ${change(aspect)}.`),
    ...segments
      .filter((segment) => segment.overall.beyondNoise)
      .map((segment) => `${segment.title}: ${change(segment.overall)}.`),
  ];
}

const MOST_NAMED = 8;

/** A comparison of drafts begins with what became of each finding. */
function findingsInWords(found: DraftChanges["findings"]): string[] {
  if (!found) return [];
  const { fixed, still, new: added } = found;
  const earlier = fixed.length + still.length;
  if (earlier + added.length === 0) return ["Nothing was found in either draft."];
  const before =
    earlier === 0
      ? "Nothing was found in the earlier draft"
      : `Of ${countOf(earlier, "finding")} in the earlier draft, ${fixed.length} ${fixed.length === 1 ? "is" : "are"} fixed and ${still.length} still there`;
  const named = (label: string, findings: readonly Finding[]) => [
    ...findings.slice(0, MOST_NAMED).map(({ title, passages }) => `${label}: ${title} (${chaptersOf(passages)}).`),
    ...(findings.length > MOST_NAMED ? [`${label}: ${findings.length - MOST_NAMED} more.`] : []),
  ];
  return [
    `${before}; ${added.length} ${added.length === 1 ? "is" : "are"} new.`,
    ...named("Fixed", fixed),
    ...named("Still there", still),
    ...named("New", added),
  ];
}

function chaptersOf(passages: Finding["passages"]): string {
  const chapters = [...new Set(passages.map(({ chapter }) => chapter))];
  return `${chapters.length === 1 ? "chapter" : "chapters"} ${chapters.join(", ")}`;
}

/** A single score has no spread, so there is nothing to measure a difference against. */
const NO_SPREAD =
  "which cannot be told from chance, because no part was judged twice: judge the earlier draft again with --runs 3, then compare";

function textInWords({ text, lineNotes, figures = [] }: DraftChanges): string[] {
  if (!text) return [];
  const { rewritten, added, removed, moved, same } = text.paragraphs;
  const likely = ({ likely: count, sentences }: { likely: number; sentences: number }) => `${count} of ${sentences}`;
  return [
    `Paragraphs: ${rewritten} rewritten, ${added} added, ${removed} removed, ${moved} moved, ${same} unchanged; ${countOf(text.words.added, "word")} added, ${text.words.removed} removed.`,
    ...(lineNotes && lineNotes.before.sentences + lineNotes.after.sentences > 0
      ? [
          `Sentences of these paragraphs that an editor would probably change: ${likely(lineNotes.before)} before, ${likely(lineNotes.after)} now.`,
        ]
      : []),
    ...figures.flatMap(crossingInWords),
  ];
}

/** A change smaller than this part of the reference's width is too small to mention, even if it crosses a limit. */
const NOTABLE = 0.05;

/** A figure is mentioned when it entered or left the middle 90 % of published novels. */
function crossingInWords({ name, unit, before, after, reference }: FigureChange): string[] {
  if (before === null || after === null || reference === null) return [];
  const { low, high } = reference;
  const isInside = (value: number) => value >= low && value <= high;
  if (isInside(before) === isInside(after) || Math.abs(after - before) < NOTABLE * (high - low)) return [];
  const words = (value: number) => figureInWords(value, unit);
  const now = isInside(after) ? "now inside" : "now outside";
  return [
    `${name}: ${words(before)} before, ${words(after)} now; ${now} the middle 90 % of published novels, ${words(low)} to ${words(high)}.`,
  ];
}
