import type { LabelReader } from "./aspect-labels.ts";
import type { ReplyLine } from "./reply-lines.ts";
import { readStandaloneScore, type ScoreReading } from "./written-score.ts";

/** The longest label: beyond it a line is prose. */
const LABEL_LENGTH = 70;
const SEPARATOR = /\s*[:=]\s*/;
/** A dash is a label's end only before a number: prose is full of dashes. */
const DASH = /\s*(?:[–—|]|-(?=\s)|(?<=\s)-)\s*(?=\d)/;

export type LabelSplitter = (text: string) => { head: string | null; rest: string };

/**
 * Where a line's label ends. `Characters - Two strong leads.` has one when the reply introduces several aspects so (and
 * `Characters (83/100). Warm.` likewise); otherwise the dash is prose. `Characters 77` has one as well.
 */
export function labelSplitter(lines: readonly ReplyLine[], label: LabelReader): LabelSplitter {
  const subjectOf = (head: string) => {
    const meaning = label(head);
    if (meaning.kind === "aspect") return meaning.exact ? meaning.criterion.id : null;
    return meaning.kind === "overall" ? "" : null;
  };
  const dashed = (text: string) => {
    const match = /^(.{2,60}?)(?:\s+[-–—]\s+|\.\s+)(?=\S)/.exec(text);
    const subject = match ? subjectOf(match[1]!) : null;
    return match && subject !== null ? { head: match[1]!, rest: text.slice(match[0].length), subject } : null;
  };
  const manner = new Set(lines.flatMap(({ text }) => dashed(text)?.subject ?? [])).size > 1;
  const split: LabelSplitter = (text) => {
    const found = manner ? dashed(text) : null;
    if (found) return found;
    const spaced = /^(\D{2,50}?)(?:\s+|\s*,\s*)(\d+(?:\.\d+)?(?:\/\d+|%| stars?)?|[★⭐☆½]+)$/u.exec(text);
    if (spaced && subjectOf(spaced[1]!) !== null) return { head: spaced[1]!, rest: spaced[2]! };
    return splitLabel(text);
  };
  return (text) => {
    const announced = ANNOUNCED.exec(text);
    const aspect = announced ? split(text.slice(announced[0].length)) : null;
    return aspect?.head && subjectOf(aspect.head) !== null ? aspect : split(text);
  };
}

/** `Aspect: Plot and structure`, `Criterion 3 – Themes`, `Q: Themes?`: the label proper follows. */
const ANNOUNCED =
  /^(?:(?:evaluation\s+)?(?:aspect|criterion|category|dimension|question|q)|(?:评价)?(?:维度|方面|指标))\s*(?:#?\d{1,2}|[一二三四五六七八九十])?\s*(?:[:：.]|[-–—](?=\s))\s*(?=\S)/iu;

export function splitLabel(text: string): { head: string | null; rest: string } {
  // A colon inside "(Score: 85)" belongs to the note, not to the label.
  const masked = text.replace(/[([][^)\]]{0,200}[)\]]/g, (note) => "x".repeat(note.length));
  const separator = SEPARATOR.exec(masked) ?? DASH.exec(masked);
  const head = text.slice(0, separator?.index ?? text.length).trim();
  if (head === "" || head.length > LABEL_LENGTH) return { head: null, rest: text };
  if (separator) return { head, rest: text.slice(separator.index + separator[0].length).trim() };
  const bare = /^((?:overall |final |total )?(?:score|rating)|(?:总|综合)?(?:得分|评分|总分))\s+(?=[\d(★⭐])/i.exec(
    text,
  );
  return bare ? { head: bare[1]!, rest: text.slice(bare[0].length) } : { head, rest: "" };
}

/** The score in `Plot (85/100)` or `Plot [Score: 85]`; a note without one, as in `Plot (PLOT)` or `Score (0-100)`, is nothing. */
export function readNote(head: string): ScoreReading | null {
  const note = /[([]([^)\]]*)[)\]]\s*$/.exec(head)?.[1];
  if (note === undefined) return null;
  const labelled = /^(?:overall |final |总体?)?(?:score|rating|评分|得分)\s*[:=]?\s*/i.exec(note);
  const reading = readStandaloneScore(labelled ? note.slice(labelled[0].length) : note);
  return reading?.kind === "score" ? reading : null;
}
