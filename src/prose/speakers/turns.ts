import type { Cast } from "../characters/find-characters.ts";
import { ADJECTIVES, type Gender } from "../characters/name-words.ts";
import { ADJOINS, CAPITAL, OPENS, POSSESSIVE, type ProseText, wordAt } from "../prose-text.ts";
import type { QuotedSpan } from "../quotations.ts";
import { SPEECH_VERBS, THOUGHT_VERBS, WEAK_SPEECH_VERBS } from "../word-shape.ts";

const FEMALE =
  "lady woman girl mother sister aunt wife daughter widow nurse housekeeper governess maid matron mistress queen duchess countess princess grandmother landlady niece nun actress waitress hostess creature-lady madam heroine spinster";
const MALE =
  "man gentleman boy father brother uncle husband son lad fellow youth king duke count prince grandfather landlord nephew priest actor waiter host sir hero bachelor policeman officer soldier sailor coachman footman butler beadle squire clergyman lord chap monk sergeant colonel captain general admiral major baron marquis frenchman englishman painter";

const GENDERS: ReadonlyMap<string, Gender> = new Map([
  ...FEMALE.split(" ").map((word): [string, Gender] => [word, "female"]),
  ...MALE.split(" ").map((word): [string, Gender] => [word, "male"]),
]);

/** The gender of the noun in "the old lady". */
export function genderOfRole(role: string): Gender | null {
  return GENDERS.get(role.split(" ").at(-1)!) ?? null;
}

/** The subject of a clause. */
export type Subject =
  | { readonly kind: "name"; readonly character: number }
  | { readonly kind: "pronoun"; readonly gender: Gender }
  | { readonly kind: "narrator" }
  | { readonly kind: "role"; readonly role: string }
  | { readonly kind: "several" };

const DETERMINERS = new Set("the a an his her my our their this that another".split(" "));
const SEVERAL = new Set("they we both everybody everyone".split(" "));
const LONGEST_ROLE = 4;

/** The subject that begins at this word, with its last word. */
export function subjectAt(prose: ProseText, cast: Cast, word: number): { subject: Subject; last: number } | null {
  let start = word;
  const text = prose.words[start];
  if (text === undefined) return null;
  if (text === "he") return { subject: { kind: "pronoun", gender: "male" }, last: start };
  if (text === "she") return { subject: { kind: "pronoun", gender: "female" }, last: start };
  if (text === "i") return { subject: { kind: "narrator" }, last: start };
  if (SEVERAL.has(text)) return { subject: { kind: "several" }, last: start };
  const determined = DETERMINERS.has(text);
  if (determined) start++;
  while (ADJECTIVES.has(prose.words[start]!) && !cast.beginsAt(start)) start++;
  if (cast.beginsAt(start)) {
    const last = cast.mentionEnd(start);
    if (prose.traits[last]! & POSSESSIVE) return null;
    const joined =
      Boolean(prose.traits[last + 1]! & ADJOINS) &&
      prose.words[last + 1] === "and" &&
      (cast.beginsAt(last + 2) || prose.words[last + 2] === "i");
    if (joined)
      return { subject: { kind: "several" }, last: cast.beginsAt(last + 2) ? cast.mentionEnd(last + 2) : last + 2 };
    return { subject: { kind: "name", character: cast.characterAt(start) }, last };
  }
  if (determined) return roleAt(prose, word);
  // A named person who is not in the cast.
  const trait = prose.traits[start]!;
  const isStranger = Boolean(trait & CAPITAL) && !(trait & OPENS) && !(trait & POSSESSIVE);
  return isStranger ? { subject: { kind: "role", role: prose.words[start]! }, last: start } : null;
}

/** "the old lady": up to the first word that is a verb of speech or does not adjoin. */
function roleAt(prose: ProseText, determiner: number): { subject: Subject; last: number } | null {
  let last = determiner;
  while (last - determiner < LONGEST_ROLE && last + 1 < prose.wordCount) {
    const next = last + 1;
    if (!(prose.traits[next]! & ADJOINS) || SPEECH_VERBS.has(prose.words[next]!) || ENDS_ROLE.has(prose.words[next]!))
      break;
    last = next;
  }
  if (last === determiner) return null;
  return { subject: { kind: "role", role: prose.words.slice(determiner + 1, last + 1).join(" ") }, last };
}

const ENDS_ROLE = new Set(
  "with in at of to from by for who which that and as after before while when on upon looking turning was had then again quite very rather".split(
    " ",
  ),
);

/** A speech tag such as "said Emma quietly": who, how, and its words. */
interface SpeechTag {
  readonly subject: Subject;
  readonly verb: string;
  /** An adverb beside the verb: "quietly". */
  readonly adverb: string | null;
  readonly isThought: boolean;
  readonly first: number;
  readonly last: number;
}

/** Narration between two quotations of a paragraph, or before the first or after the last: words `first` to `last`. */
interface Narration {
  readonly first: number;
  readonly last: number;
}

const PARTICLES = new Set("out on back again up in".split(" "));
const BEFORE_VERB = new Set("had then only just at last once again now also still never always merely".split(" "));
/** What may precede the subject of a tag before its quotation. */
const OBJECT_MARKERS = new Set(
  "to at of with for upon on from by over towards toward into near beside behind after about than like told asked addressing told".split(
    " ",
  ),
);
const REACH_BACK = 30;

const isVerb = (word: string | undefined) => word !== undefined && (SPEECH_VERBS.has(word) || THOUGHT_VERBS.has(word));

/**
 * The tag after a quotation: "…," said Emma; "…," she said. After a comma the sentence continues, so any verb in the
 * past makes a tag there: "…," Emma hazarded.
 */
function tagAfter(prose: ProseText, cast: Cast, { first, last }: Narration, afterComma: boolean): SpeechTag | null {
  if (first > last) return null;
  const speaks = (word: string | undefined) => isVerb(word) || (afterComma && word !== undefined && PAST.test(word));
  let verb = first;
  while (verb < first + 2 && isAdverb(prose.words[verb]!)) verb++;
  if (speaks(prose.words[verb])) {
    let at = verb + 1;
    if (PARTICLES.has(prose.words[at]!) && at < last) at++;
    if (at <= last && prose.traits[at]! & ADJOINS) {
      const found = subjectAt(prose, cast, at);
      if (found) return tag(prose, found.subject, verb, first, Math.min(found.last, last));
    }
    return null;
  }
  const found = subjectAt(prose, cast, first);
  if (found === null) return null;
  let at = found.last + 1;
  const limit = Math.min(at + 4, last);
  while (at <= limit && prose.traits[at]! & ADJOINS && mayStandBeforeVerb(prose.words[at]!)) at++;
  if (at > last || !(prose.traits[at]! & ADJOINS) || !speaks(prose.words[at])) return null;
  return tag(prose, found.subject, at, first, at);
}

const PAST = /^\p{L}{3,}ed$/u;

/** The tag before a quotation: Emma turned to him and said, "…". */
function tagBefore(prose: ProseText, cast: Cast, { first, last }: Narration): SpeechTag | null {
  const start = Math.max(first, sentenceStart(prose, last), last - REACH_BACK);
  for (let verb = last; verb >= start; verb--) {
    if (!isVerb(prose.words[verb])) continue;
    if (WEAK_SPEECH_VERBS.has(prose.words[verb]!) && verb !== last) continue;
    const subject = subjectBefore(prose, cast, start, verb) ?? subjectBehind(prose, cast, verb, last);
    return subject === null ? null : tag(prose, subject, verb, start, last);
  }
  return null;
}

/** "Then said Emma:" */
function subjectBehind(prose: ProseText, cast: Cast, verb: number, last: number): Subject | null {
  const found = verb < last ? subjectAt(prose, cast, verb + 1) : null;
  return found !== null && found.last <= last ? found.subject : null;
}

/**
 * The subject of a verb: the word before it, or else the beginning of the sentence, since clauses may come between
 * ("Miss Crawford, who had been eyeing Edmund, now observed"). A name after a preposition is an object.
 */
function subjectBefore(prose: ProseText, cast: Cast, start: number, verb: number): Subject | null {
  let farthest: Subject | null = null;
  for (let word = verb - 1; word >= start; word--) {
    const found = subjectAt(prose, cast, word);
    if (found === null || found.last >= verb || isObject(prose, word, start)) continue;
    const between = prose.words.slice(found.last + 1, verb);
    if (between.every(mayStandBeforeVerb)) return found.subject;
    if (found.subject.kind !== "role") farthest = found.subject;
  }
  return farthest;
}

function isObject(prose: ProseText, word: number, start: number): boolean {
  return word > start && Boolean(prose.traits[word]! & ADJOINS) && OBJECT_MARKERS.has(prose.words[word - 1]!);
}

const mayStandBeforeVerb = (word: string) => isAdverb(word) || BEFORE_VERB.has(word);

/** The subject at the beginning of a narrative sentence: the beat beside a speech ("Emma laughed."). */
function beatSubject(prose: ProseText, cast: Cast, { first, last }: Narration): Subject | null {
  let at = first;
  while (at <= last && at < first + 3 && LEADS.has(prose.words[at]!)) at++;
  if (at > last) return null;
  const found = subjectAt(prose, cast, at);
  return found && found.subject.kind !== "role" && found.last < last ? found.subject : null;
}

const LEADS = new Set("and but then so again here now at last presently suddenly".split(" "));

function sentenceStart(prose: ProseText, from: number): number {
  let word = from;
  while (word > 0) {
    const gap = prose.text.slice(prose.ends[word - 1], prose.starts[word]);
    if (/[.!?"”]/.test(gap) && !(prose.traits[word]! & ADJOINS)) return word;
    word--;
  }
  return 0;
}

function tag(prose: ProseText, subject: Subject, verb: number, first: number, last: number): SpeechTag {
  const word = prose.words[verb]!;
  const isThought = THOUGHT_VERBS.has(word) && !SPEECH_VERBS.has(word);
  return { subject, verb: word, adverb: adverbBeside(prose, verb, first, last), isThought, first, last };
}

function adverbBeside(prose: ProseText, verb: number, first: number, last: number): string | null {
  const beside = [verb - 1, verb + 1, last + 1].filter((word) => word >= first && word !== verb);
  const found = beside.find((word) => isAdverb(prose.words[word] ?? "") && prose.traits[word]! & ADJOINS);
  return found === undefined ? null : prose.words[found]!;
}

const NOT_ADVERBS = new Set(
  "only early family reply friendly lovely lonely silly ugly holy july italy fly jolly curly elderly".split(" "),
);

function isAdverb(word: string): boolean {
  return word.length > 4 && word.endsWith("ly") && !NOT_ADVERBS.has(word);
}

/** The narration around a quotation, in words. */
function narrationBetween(prose: ProseText, start: number, end: number): Narration {
  return { first: wordAt(prose, start), last: wordAt(prose, end) - 1 };
}

/** The dialogue of one paragraph: its quotations, and all hints at who speaks them. */
export interface Turn {
  readonly paragraph: number;
  /** Indices in the list of quotations. */
  readonly quotations: readonly number[];
  /** By quotation: its own tag. */
  readonly tags: readonly (SpeechTag | null)[];
  /** The subject at the beginning of the narration beside the speech. */
  readonly beat: Subject | null;
  /** Characters named in the narration of the paragraph, before the first quotation and after. */
  readonly beside: ReadonlySet<number>;
  /** Characters that the speech addresses, and those it only names. */
  readonly addressed: ReadonlySet<number>;
  readonly named: ReadonlySet<number>;
  /** Whether the previous paragraph ended in the middle of a speech that continues here. */
  readonly goesOn: boolean;
}

/** Paragraph by paragraph, the dialogue and the narration beside it. */
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

/** "Captain Wentworth said:" may end the previous paragraph. */
function leadIn(prose: ProseText, paragraph: number, previous: QuotedSpan | undefined): Narration {
  const before = prose.paragraphs[paragraph - 1];
  if (before === undefined || !/(?:[:,—]|--)$/.test(prose.text.slice(before.start, before.end))) return NOTHING;
  return narrationBetween(prose, Math.max(before.start, previous?.end ?? 0), before.end);
}

const NOTHING: Narration = { first: 1, last: 0 };

/**
 * A tag follows a comma, a question mark or an exclamation mark; after a full stop the next words are another
 * sentence. If the words before introduce this quotation and the words after it introduce the next one, the former
 * are its own.
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
    // Words directly after a comma belong to the quotation's sentence: they are a tag or nothing.
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
