import { countOf } from "../../core/wording.ts";
import { type ComparedFigure, SHIPPED } from "../../prose/reference/reference-novels.ts";
import { textTable } from "../../report/report-forms.ts";
import type { BookMap } from "../../tasks/books/map-book.ts";

const MOST_CHARACTERS = 12;
const MOST_PHRASES = 10;

/** The map as the terminal shows it: the figures beside the reference, then chapters, characters and habits. */
export function describeMap(map: BookMap): string[] {
  const { book, viewpoint } = map;
  const told = viewpoint?.person && viewpoint.tense ? ` · ${viewpoint.person} person, ${viewpoint.tense} tense` : "";
  return [
    `${book.title}${book.author ? ` by ${book.author}` : ""} · ${book.words.toLocaleString("en")} words · ${countOf(book.chapters, "chapter")}${told}`,
    "",
    figureTable(map.figures),
    ...referenceLines(map),
    "",
    chapterTable(map),
    ...characterLines(map),
    ...habitLines(map),
    ...consistencyLines(map),
  ];
}

function referenceLines({ reference: { id, description }, figures }: BookMap): string[] {
  if (figures.every(({ reference }) => reference === null)) return ["There are no reference novels in this language."];
  return id === SHIPPED
    ? [`Reference: ${description}. These are old books: yours may differ from them simply because it is modern.`]
    : [`Reference: ${description}; words and phrases are compared with the novels that ship with Fabula.`];
}

function figureTable(figures: readonly ComparedFigure[]): string {
  const rows = figures
    .filter(({ value }) => value !== null)
    .map(({ name, unit, value, reference, place }) => [
      name,
      inUnit(value!, unit),
      reference ? inUnit(reference.median, unit) : "–",
      reference ? `${inUnit(reference.low, unit)} to ${inUnit(reference.high, unit)}` : "–",
      place === "below" || place === "above" ? place : "",
    ]);
  return textTable(["Figure", "Here", "Median", "Middle 90 %", ""], rows);
}

function inUnit(value: number, unit: ComparedFigure["unit"]): string {
  if (unit === "share") return `${(100 * value).toFixed(1)} %`;
  if (unit === "words") return value.toFixed(value < 100 ? 1 : 0);
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
}

function chapterTable({ shape, dialogue, pace, viewpoint }: BookMap): string {
  const rows = shape.chapters.map(({ chapter, title, words, scenes }, index) => {
    const spoken = dialogue.chapters[index]?.share ?? null;
    const { person = null, tense = null } = viewpoint?.chapters[index] ?? {};
    return [
      String(chapter),
      (title ?? "").slice(0, 40),
      String(words),
      String(scenes.length),
      spoken === null ? "–" : `${(100 * spoken).toFixed(0)} %`,
      pace?.chapters[index]?.sentenceWords?.toFixed(1) ?? "–",
      person === null ? "–" : `${person}, ${tense ?? "?"}`,
    ];
  });
  return textTable(["Chapter", "Title", "Words", "Scenes", "Dialogue", "Sentence", "Told in"], rows);
}

function characterLines({ characters, shape }: BookMap): string[] {
  if (characters === null || characters.characters.length === 0) return [];
  const rows = characters.characters.slice(0, MOST_CHARACTERS).map(({ name, mentions, speech, presence, absences }) => {
    const seen = presence.filter((each) => each.mentions + each.spokenWords > 0).length;
    const gap = absences[0] ? `absent from chapter ${absences[0].from} to ${absences[0].to}` : "";
    return [name, String(mentions), String(speech.words), `${seen} of ${shape.chapters.length}`, gap];
  });
  const alike = characters.lookAlikes.slice(0, 5).map(({ names }) => names.join(" / "));
  return [
    "",
    textTable(["Character", "Mentions", "Words spoken", "Chapters", ""], rows),
    ...(alike.length > 0 ? [`Names that look alike: ${alike.join(", ")}`] : []),
  ];
}

function habitLines({ habits, modelPhrases }: BookMap): string[] {
  const lines: string[] = [];
  const phrases = habits?.overused.phrases.slice(0, MOST_PHRASES) ?? [];
  const times = ({ phrase, count, rate, referenceRate }: (typeof phrases)[number]) =>
    `“${phrase.replace(/\bi\b/g, "I")}” ${count} times (${(rate / referenceRate).toFixed(0)} times as often as in the reference novels)`;
  if (phrases.length > 0) lines.push("", `Phrases used more than elsewhere: ${phrases.map(times).join("; ")}.`);
  const words = habits?.overused.words.slice(0, MOST_PHRASES) ?? [];
  if (words.length > 0) lines.push(`Words: ${words.map(({ phrase, count }) => `${phrase} ${count}`).join(", ")}.`);
  if (modelPhrases?.rate != null) {
    const { models, novels } = modelPhrases.rates;
    lines.push(
      `Phrases that language models overuse: ${modelPhrases.rate.toFixed(2)} per 1,000 words (novels ${novels.median.toFixed(2)}, models ${models.median.toFixed(2)}). This describes the style; it does not show who wrote it.`,
    );
  }
  return lines;
}

function consistencyLines({ consistency, viewpoint }: BookMap): string[] {
  const lines: string[] = [];
  if (consistency === null) return lines;
  for (const mixed of [consistency.quotationMarks, consistency.dashes]) {
    if (mixed.length > 0)
      lines.push(`Mixed marks: ${mixed.map(({ mark, count }) => `${mark.trim()} ${count} times`).join(", ")}.`);
  }
  for (const { usual, rare, counts } of consistency.spellings) {
    lines.push(`${rare} (${counts[1]} times) beside ${usual} (${counts[0]} times): one name?`);
  }
  for (const { title, expected } of consistency.numbering)
    lines.push(`Chapter “${title}” comes where number ${expected} is expected.`);
  for (const { chapter, words, times } of consistency.longChapters) {
    lines.push(`Chapter ${chapter} has ${words} words, ${times} times the median chapter.`);
  }
  if (viewpoint && viewpoint.slipCount > 0)
    lines.push(`${viewpoint.slipCount} paragraphs change tense or person; --out lists them.`);
  return lines;
}
