import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { WrittenLetter } from "../../judge/letter/ask-letter.ts";
import type { EditLetter } from "../../judge/letter/letter-part.ts";
import { withDistinctPraise } from "./distinct-passages.ts";
import { asPassage, letterItems } from "./letter-items.ts";
import type { LetterSource } from "./letter-source.ts";
import { type LetterLanguage, loadLetterTexts } from "./letter-texts.ts";
import { ownItems } from "./own-items.ts";
import { calmChapters, strongFigures } from "./strengths.ts";
import { recurringItems, writtenItems } from "./verdicts/verdict-items.ts";
import { type LetterFacts, wordLetter } from "./word-letter.ts";

/** What is known only in some cases. */
export interface LetterExtras {
  /** What a language model wrote from its own verdicts. */
  readonly written?: WrittenLetter | null;
  /** What judging the rest would cost. */
  readonly judging?: EditLetter["judging"] | null;
}

const SHOWN_STRENGTHS = 3;
const MOST_ITEMS = 5;

/** Map, line notes and verdicts → the letter a writer reads first. It invents nothing: every sentence fills in a figure or a quotation. */
export function buildLetter(
  source: LetterSource,
  evaluation: Omit<BookEvaluation, "letter">,
  language: LetterLanguage,
  { written = null, judging = null }: LetterExtras = {},
): EditLetter {
  const { figures, reference, notes, map, notConnected } = source;
  const texts = loadLetterTexts(language);
  const compared = figures.filter(({ value, reference: theirs }) => value !== null && theirs !== null);
  const said = written
    ? writtenItems(written, evaluation, source.quoter)
    : evaluation.jury
      ? []
      : recurringItems(evaluation, source.quoter);
  const counted =
    reference === null ? ownItems(source) : letterItems(source, (kind) => texts.items[kind] !== undefined);
  const { items, strengths } = withDistinctPraise(
    [...said, ...counted].slice(0, MOST_ITEMS),
    (notes?.strengths ?? []).map(asPassage),
  );
  const facts: LetterFacts = {
    items,
    ...(written && { written: { well: written.well, standsOut: written.standsOut } }),
    ...(notConnected !== null && { notConnected }),
    works: {
      calmChapters: calmChapters(notes),
      passages: strengths.slice(0, SHOWN_STRENGTHS),
      // Sentences in random order repeat few words: what would be a merit of prose is a sign of the damage here.
      figures: reference === null || notConnected !== null ? [] : strongFigures(figures, reference, map),
    },
    ...(judging && { judging }),
    counts: { compared: compared.length, inside: compared.filter(({ place }) => place === "inside").length },
    reference:
      reference === null
        ? null
        : { id: reference.id, description: reference.description, novels: reference.novels.length },
  };
  return { ...facts, words: wordLetter(facts, evaluation, language) };
}
