import type { Cast } from "../characters/cast.ts";
import type { QuotedSpan } from "../quotations/find-quotations.ts";
import { CAPITAL, POSSESSIVE, type ProseText, wordAt } from "../reading/prose-text.ts";
import { beatSubject, type Narration, narrationBetween, type SpeechTag, tagAfter, tagBefore } from "./speech-tags.ts";
import type { Subject } from "./subject.ts";

/** What one paragraph says aloud: its quotations, and all that hints at who speaks them. */
export interface Turn {
  readonly paragraph: number;
  /** Places in the list of quotations. */
  readonly quotations: readonly number[];
  /** By quotation: its own tag. */
  readonly tags: readonly (SpeechTag | null)[];
  /** Who the narration beside the speech begins with. */
  readonly beat: Subject | null;
  /** Characters the narration of the paragraph names, before the first quotation and after. */
  readonly beside: ReadonlySet<number>;
  /** Characters the speech addresses, and those it names without a sign of address. */
  readonly addressed: ReadonlySet<number>;
  readonly named: ReadonlySet<number>;
  /** The paragraph before ended in the middle of a speech that goes on here. */
  readonly goesOn: boolean;
}

/** Paragraph by paragraph, what is spoken and what stands beside it. */
export function findTurns(prose: ProseText, cast: Cast, quotations: readonly QuotedSpan[]): Turn[] {
  const turns: Turn[] = [];
  for (let from = 0; from < quotations.length; ) {
    const { paragraph } = quotations[from]!;
    let to = from;
    while (to < quotations.length && quotations[to]!.paragraph === paragraph) to++;
    turns.push(turnOf(prose, cast, quotations, from, to));
    from = to;
  }
  return turns;
}

function turnOf(prose: ProseText, cast: Cast, quotations: readonly QuotedSpan[], from: number, to: number): Turn {
  const { paragraph } = quotations[from]!;
  const { start, end } = prose.paragraphs[paragraph]!;
  const own = quotations.slice(from, to);
  const narrations: Narration[] = [];
  for (let index = 0; index <= own.length; index++) {
    const left = index === 0 ? start : own[index - 1]!.end;
    const right = index === own.length ? end : own[index]!.start;
    narrations.push(narrationBetween(prose, left, right));
  }
  const tags = own.map((quotation, index) => {
    const isFirst = index === 0 && narrations[0]!.first > narrations[0]!.last;
    const before = isFirst ? leadIn(prose, paragraph, quotations[from - 1]) : narrations[index]!;
    return tagOf(prose, cast, quotation, before, narrations[index + 1]!, own[index + 1]);
  });
  const addressed = new Set<number>();
  const named = new Set<number>();
  for (const quotation of own) collectNames(prose, cast, quotation, addressed, named);
  const beside = new Set<number>();
  for (const { first, last } of narrations) {
    for (let word = first; word <= last; word++) if (cast.beginsAt(word)) beside.add(cast.characterAt(word));
  }
  return {
    paragraph,
    quotations: Array.from({ length: to - from }, (_, index) => from + index),
    tags,
    beat: beatOf(prose, cast, narrations, own),
    beside,
    addressed,
    named,
    goesOn: from > 0 && quotations[from - 1]!.continues && quotations[from - 1]!.paragraph === paragraph - 1,
  };
}

/** "Captain Wentworth said:" may end the paragraph before. */
function leadIn(prose: ProseText, paragraph: number, previous: QuotedSpan | undefined): Narration {
  const before = prose.paragraphs[paragraph - 1];
  if (before === undefined || !/(?:[:,—]|--)$/.test(prose.text.slice(before.start, before.end))) return NOTHING;
  return narrationBetween(prose, Math.max(before.start, previous?.end ?? 0), before.end);
}

const NOTHING: Narration = { first: 1, last: 0 };

/**
 * A tag follows a comma, a question or an exclamation; after a full stop the next words are another sentence. Where words
 * lead to this quotation and the words after it lead to the next one, the first are its own.
 */
function tagOf(
  prose: ProseText,
  cast: Cast,
  { start, end }: QuotedSpan,
  before: Narration,
  after: Narration,
  next: QuotedSpan | undefined,
): SpeechTag | null {
  const leading = before.first <= before.last && leadsTo(prose, before, start) ? tagBefore(prose, cast, before) : null;
  if (leading && next && after.first <= after.last && /[,:]\s*$/.test(gapBefore(prose, after, next.start))) {
    if (isCapital(prose, after.first) && /[.!?]$/.test(prose.text.slice(start, end))) return leading;
  }
  const mayFollow =
    !/\.$/.test(prose.text.slice(start, end)) || (after.first <= after.last && !isCapital(prose, after.first));
  const afterComma = prose.text[end - 1] === ",";
  return (mayFollow ? tagAfter(prose, cast, after, afterComma) : null) ?? leading;
}

const isCapital = (prose: ProseText, word: number) => Boolean(prose.traits[word]! & CAPITAL);

function gapBefore(prose: ProseText, { last }: Narration, start: number): string {
  return prose.text.slice(prose.ends[last]!, start - 1);
}

function leadsTo(prose: ProseText, narration: Narration, start: number): boolean {
  return !/[.!?]\s*$/.test(gapBefore(prose, narration, start));
}

function beatOf(
  prose: ProseText,
  cast: Cast,
  narrations: readonly Narration[],
  own: readonly QuotedSpan[],
): Subject | null {
  for (const [index, narration] of narrations.entries()) {
    if (narration.first > narration.last) continue;
    // Words right after a comma belong to the quotation's sentence: they are a tag or nothing.
    const before = own[index - 1];
    if (before && /[,]$/.test(prose.text.slice(before.start, before.end))) continue;
    const subject = beatSubject(prose, cast, narration);
    if (subject) return subject;
  }
  return null;
}

function collectNames(
  prose: ProseText,
  cast: Cast,
  { start, end }: QuotedSpan,
  addressed: Set<number>,
  named: Set<number>,
): void {
  for (let word = wordAt(prose, start); word < prose.wordCount && prose.starts[word]! < end; word++) {
    if (!cast.beginsAt(word)) continue;
    const last = cast.mentionEnd(word);
    const before = prose.text.slice(Math.max(start, prose.ends[word - 1] ?? 0), prose.starts[word]);
    const after = prose.text.slice(prose.ends[last]!, Math.min(end, prose.starts[last + 1] ?? end));
    const opens = before === "" || /[,!?.;—-]\s*$/.test(before) || DEAR.has(prose.words[word - 1] ?? "");
    const closes = /^\s*(?:[,!?.;—-]|$)/.test(after);
    const possessive = Boolean(prose.traits[last]! & POSSESSIVE);
    (opens && closes && !possessive ? addressed : named).add(cast.characterAt(word));
  }
}

const DEAR = new Set(["dear", "my", "oh", "o", "ah", "dearest", "poor", "no", "yes", "well"]);
