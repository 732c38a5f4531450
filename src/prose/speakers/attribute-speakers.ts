import type { Cast } from "../characters/find-characters.ts";
import type { Gender } from "../characters/name-words.ts";
import { type ProseText, wordAt } from "../prose-text.ts";
import type { QuotedSpan } from "../quotations.ts";
import { genderOfRole, type Subject, subjectAt, type Turn } from "./turns.ts";

/**
 * The weight of each hint: a tag decides, and everything else must agree. Set by hand, and changed only if the change
 * improved whichever of the annotated novels was left out (docs/decisions/007-names-and-speakers.md).
 */
const WEIGHTS = {
  tag: 12,
  genderMismatch: -9,
  genderMatch: 1,
  beat: 4,
  beatMismatch: -3,
  beside: 0.7,
  addressedHere: -6,
  namedHere: -1.8,
  addressedBefore: 1.5,
  addressedAfter: 0.9,
  subjectBefore: 1.2,
  namedBefore: 0.7,
  recent: 1.2,
  nearestOfGender: 1.5,
  sameAsBefore: -1.5,
  backAgain: 1.3,
  speaksNearby: 1.2,
  discussed: -1,
  somebodyElse: 0,
  somebodyByRole: 3,
  narration: 0.35,
  prominence: 0.1,
};

/** This many paragraphs without dialogue end a conversation. */
const LONGEST_PAUSE = 4;
/** How far back the names of a conversation are collected. */
const LOOK_BACK = 6;
const MOST_CANDIDATES = 10;
/** How many turns on either side show who takes part. */
const NEARBY = 8;
/** By how much the best speaker must lead for a quotation to be attributed. */
const MARGIN = 1.7;

/** The speaker of each quotation, by cast index; null if it cannot be determined. */
export function attributeSpeakers(
  prose: ProseText,
  cast: Cast,
  quotations: readonly QuotedSpan[],
  turns: readonly Turn[],
  narrator: number | null,
): (number | null)[] {
  const speakers: (number | null)[] = new Array(quotations.length).fill(null);
  const namedIn = narrationNames(prose, cast, quotations);
  for (const conversation of conversations(turns)) {
    const candidates = candidatesOf(conversation, namedIn, narrator);
    if (candidates.length === 0) continue;
    // The last candidate is somebody who is not named here.
    const evidence = conversation.map((turn, index) => [
      ...candidates.map((candidate) => score(candidate, index, conversation, cast, namedIn, narrator)),
      turn.tags.some((tag) => tag?.subject.kind === "role") ? WEIGHTS.somebodyByRole : WEIGHTS.somebodyElse,
    ]);
    const pauses = conversation.map((turn, index) =>
      index === 0 ? 0 : turn.paragraph - conversation[index - 1]!.paragraph - 1,
    );
    const choices = bestSpeakers(
      evidence,
      conversation.map(({ goesOn }) => goesOn),
      pauses,
      WEIGHTS,
    );
    for (const [index, turn] of conversation.entries()) assign(turn, choices[index]!, candidates, speakers, narrator);
  }
  return speakers;
}

function assign(
  turn: Turn,
  { best, margin }: SpeakerChoice,
  candidates: readonly number[],
  speakers: (number | null)[],
  narrator: number | null,
): void {
  const chosen = margin >= MARGIN ? (candidates[best] ?? null) : null;
  for (const [index, quotation] of turn.quotations.entries()) {
    const subject = turn.tags[index]?.subject;
    // A quotation's own tag outweighs the paragraph, in which two people may speak.
    if (subject?.kind === "name") speakers[quotation] = subject.character;
    else if (subject?.kind === "narrator" && narrator !== null) speakers[quotation] = narrator;
    else if (subject?.kind === "several") speakers[quotation] = null;
    else speakers[quotation] = chosen;
  }
}

/** Groups turns into conversations, which are separated by long narration. */
function conversations(turns: readonly Turn[]): Turn[][] {
  const groups: Turn[][] = [];
  for (const turn of turns) {
    const last = groups.at(-1)?.at(-1);
    if (last && turn.paragraph - last.paragraph <= LONGEST_PAUSE) groups.at(-1)!.push(turn);
    else groups.push([turn]);
  }
  return groups;
}

interface NamedInNarration {
  /**
   * By paragraph: characters named outside quotation marks, in order; and the subject of its last sentence that has
   * one.
   */
  readonly names: readonly (readonly number[])[];
  readonly lastSubject: readonly (number | null)[];
}

function narrationNames(prose: ProseText, cast: Cast, quotations: readonly QuotedSpan[]): NamedInNarration {
  const names: number[][] = prose.paragraphs.map(() => []);
  const lastSubject: (number | null)[] = prose.paragraphs.map(() => null);
  let next = 0;
  for (let word = 0; word < prose.wordCount; word++) {
    const start = prose.starts[word]!;
    while (next < quotations.length && quotations[next]!.end <= start) next++;
    if (next < quotations.length && quotations[next]!.start <= start) continue;
    if (!cast.beginsAt(word)) continue;
    const paragraph = prose.paragraphOf[word]!;
    const character = cast.characterAt(word);
    names[paragraph]!.push(character);
    if (
      subjectAt(prose, cast, word) &&
      /^[\s"”']*$|[.!?]/.test(word === 0 ? "" : prose.text.slice(prose.ends[word - 1], prose.starts[word]))
    ) {
      lastSubject[paragraph] = character;
    }
  }
  return { names, lastSubject };
}

function candidatesOf(conversation: readonly Turn[], { names }: NamedInNarration, narrator: number | null): number[] {
  const weights = new Map<number, number>();
  const count = (character: number, weight: number) => weights.set(character, (weights.get(character) ?? 0) + weight);
  const first = conversation[0]!.paragraph;
  const last = conversation.at(-1)!.paragraph;
  for (let paragraph = Math.max(0, first - LOOK_BACK); paragraph <= last; paragraph++) {
    for (const character of names[paragraph]!) count(character, 1);
  }
  for (const turn of conversation) {
    for (const tag of turn.tags) if (tag?.subject.kind === "name") count(tag.subject.character, 3);
    for (const character of turn.addressed) count(character, 1);
  }
  if (narrator !== null) count(narrator, 4);
  return [...weights]
    .sort((left, right) => right[1] - left[1] || left[0] - right[0])
    .slice(0, MOST_CANDIDATES)
    .map(([character]) => character);
}

function score(
  candidate: number,
  index: number,
  conversation: readonly Turn[],
  cast: Cast,
  named: NamedInNarration,
  narrator: number | null,
): number {
  const turn = conversation[index]!;
  const { gender, mentions } = cast.characters[candidate]!;
  let total = WEIGHTS.prominence * Math.log(mentions.length + 1);
  const tag = turn.tags.find((each) => each !== null && each.subject.kind !== "several") ?? null;
  if (tag) total += tagScore(tag.subject, candidate, gender, narrator);
  else if (turn.beat) total += beatScore(turn.beat, candidate, gender, narrator);
  if (turn.beside.has(candidate)) total += WEIGHTS.beside;
  if (turn.addressed.has(candidate)) total += WEIGHTS.addressedHere;
  else if (turn.named.has(candidate)) total += WEIGHTS.namedHere;
  total += company(candidate, index, conversation);
  const before = conversation[index - 1];
  if (before?.paragraph === turn.paragraph - 1 && before.addressed.has(candidate)) total += WEIGHTS.addressedBefore;
  const after = conversation[index + 1];
  if (after?.paragraph === turn.paragraph + 1 && after.addressed.has(candidate)) total += WEIGHTS.addressedAfter;
  return total + nearness(candidate, turn, before, tag?.subject ?? null, cast, named);
}

/** A person tagged as a speaker nearby is present; one who is only talked about often is not. */
function company(candidate: number, index: number, conversation: readonly Turn[]): number {
  let total = 0;
  let speaks = false;
  let discussed = false;
  for (let other = Math.max(0, index - NEARBY); other <= Math.min(conversation.length - 1, index + NEARBY); other++) {
    if (other === index) continue;
    const { tags, named, addressed } = conversation[other]!;
    if (tags.some((tag) => tag?.subject.kind === "name" && tag.subject.character === candidate)) speaks = true;
    if (addressed.has(candidate)) speaks = true;
    if (named.has(candidate)) discussed = true;
  }
  if (speaks) total += WEIGHTS.speaksNearby;
  else if (discussed) total += WEIGHTS.discussed;
  return total;
}

function tagScore(subject: Subject, candidate: number, gender: Gender | null, narrator: number | null): number {
  switch (subject.kind) {
    case "name":
      return subject.character === candidate ? WEIGHTS.tag : 0;
    case "narrator":
      return narrator === candidate ? WEIGHTS.tag : 0;
    case "pronoun":
      if (candidate === narrator) return WEIGHTS.genderMismatch;
      return genderScore(subject.gender, gender, WEIGHTS.genderMismatch);
    case "role": {
      const role = genderOfRole(subject.role);
      if (candidate === narrator) return WEIGHTS.genderMismatch;
      return role === null ? 0 : genderScore(role, gender, WEIGHTS.genderMismatch);
    }
    case "several":
      return 0;
    default:
      return subject satisfies never;
  }
}

function beatScore(subject: Subject, candidate: number, gender: Gender | null, narrator: number | null): number {
  switch (subject.kind) {
    case "name":
      return subject.character === candidate ? WEIGHTS.beat : 0;
    case "narrator":
      return narrator === candidate ? WEIGHTS.beat / 2 : 0;
    case "pronoun":
      return genderScore(subject.gender, gender, WEIGHTS.beatMismatch);
    case "role":
    case "several":
      return 0;
    default:
      return subject satisfies never;
  }
}

function genderScore(wanted: Gender, gender: Gender | null, mismatch: number): number {
  if (gender === null) return 0;
  return gender === wanted ? WEIGHTS.genderMatch : mismatch;
}

/** Hints from the narration just before: its last subject, its last name of the right gender, and how long ago. */
function nearness(
  candidate: number,
  turn: Turn,
  before: Turn | undefined,
  subject: Subject | null,
  cast: Cast,
  { names, lastSubject }: NamedInNarration,
): number {
  let total = 0;
  const previous = turn.paragraph - 1;
  if (previous >= 0 && before?.paragraph !== previous) {
    if (lastSubject[previous] === candidate) total += WEIGHTS.subjectBefore;
    else if (names[previous]!.includes(candidate)) total += WEIGHTS.namedBefore;
  }
  const wanted = subject?.kind === "pronoun" ? subject.gender : null;
  let ofGenderSeen = false;
  for (let back = 0; back <= LOOK_BACK && turn.paragraph - back >= 0; back++) {
    const here = names[turn.paragraph - back]!;
    if (wanted !== null && !ofGenderSeen && back > 0) {
      const nearest = here.findLast((character) => cast.characters[character]!.gender === wanted);
      if (nearest !== undefined) {
        ofGenderSeen = true;
        if (nearest === candidate) total += WEIGHTS.nearestOfGender;
      }
    }
    if (here.includes(candidate)) {
      total += WEIGHTS.recent / (1 + back);
      break;
    }
  }
  return total;
}

/** Which words stand inside quotation marks. */
export function quotedWords(prose: ProseText, quotations: readonly QuotedSpan[]): Uint8Array {
  const quoted = new Uint8Array(prose.wordCount);
  for (const { start, end } of quotations) {
    for (let word = wordAt(prose, start); word < prose.wordCount && prose.starts[word]! < end; word++) quoted[word] = 1;
  }
  return quoted;
}

interface SpeakerChoice {
  /** Index in the list of candidates. */
  readonly best: number;
  /** By how much the score of the whole conversation falls if anybody else speaks this turn. */
  readonly margin: number;
}

interface TransitionWeights {
  /** Two consecutive turns by one speaker. */
  readonly sameAsBefore: number;
  /** The speaker of the turn before last speaks again. */
  readonly backAgain: number;
  /** The factor for both if there is narration between the turns. */
  readonly narration: number;
}

/** The largest value and its index, and the largest of the others. */
function bestTwo(count: number, scoreOf: (index: number) => number): { first: number; most: number; second: number } {
  let first = -1;
  let most = Number.NEGATIVE_INFINITY;
  let second = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < count; index++) {
    const value = scoreOf(index);
    if (value > most) {
      second = most;
      most = value;
      first = index;
    } else if (value > second) second = value;
  }
  return { first, most, second };
}

/**
 * The most likely speakers of a conversation as a whole, by dynamic programming over pairs of speakers: people take
 * turns, so evidence for one turn affects its neighbours. Also returns how clear the choice is for each turn.
 * `evidence[turn][candidate]` is the evidence in the turn itself, `goesOn[turn]` whether it continues the previous
 * speech, and `pauses[turn]` how many paragraphs of narration precede it.
 */
function bestSpeakers(
  evidence: readonly (readonly number[])[],
  goesOn: readonly boolean[],
  pauses: readonly number[],
  weights: TransitionWeights,
): SpeakerChoice[] {
  const turns = evidence.length;
  const count = evidence[0]!.length;
  /** The score of a turn if its speaker is not the one of the turn before last. */
  const step = (turn: number, previous: number, current: number): number => {
    const own = evidence[turn]![current]!;
    if (turn === 0) return own;
    if (goesOn[turn]) return current === previous ? own + 20 : own - 20;
    const scale = pauses[turn] === 0 ? 1 : weights.narration;
    return current === previous ? own + scale * weights.sameAsBefore : own;
  };
  /** The score if it is; null if that makes no difference. */
  const stepBack = (turn: number, previous: number, current: number): number | null => {
    if (turn < 2 || goesOn[turn] || current === previous) return null;
    const scale = pauses[turn] === 0 ? 1 : weights.narration;
    return evidence[turn]![current]! + scale * weights.backAgain * (pauses[turn - 1] === 0 ? 1 : weights.narration);
  };
  // forward[turn][previous * count + current]: the best score of all turns up to this one that ends in that pair. The
  // speaker before last matters only if the same person speaks again, so the best of the others is computed once for
  // all of them.
  const forward = Array.from({ length: turns }, () => new Float64Array(count * count).fill(Number.NEGATIVE_INFINITY));
  const backward = Array.from({ length: turns }, () => new Float64Array(count * count));
  for (let previous = 0; previous < count; previous++) {
    for (let current = 0; current < count; current++) forward[0]![previous * count + current] = step(0, 0, current);
  }
  for (let turn = 1; turn < turns; turn++) {
    const before = forward[turn - 1]!;
    for (let previous = 0; previous < count; previous++) {
      const best = bestTwo(count, (earlier) => before[earlier * count + previous]!);
      for (let current = 0; current < count; current++) {
        const back = stepBack(turn, previous, current);
        const others = back !== null && best.first === current ? best.second : best.most;
        const again = back === null ? Number.NEGATIVE_INFINITY : before[current * count + previous]! + back;
        forward[turn]![previous * count + current] = Math.max(others + step(turn, previous, current), again);
      }
    }
  }
  for (let turn = turns - 2; turn >= 0; turn--) {
    const after = backward[turn + 1]!;
    for (let current = 0; current < count; current++) {
      const best = bestTwo(count, (next) => after[current * count + next]! + step(turn + 1, current, next));
      for (let previous = 0; previous < count; previous++) {
        const back = stepBack(turn + 1, current, previous);
        const others = back !== null && best.first === previous ? best.second : best.most;
        const again = back === null ? Number.NEGATIVE_INFINITY : after[current * count + previous]! + back;
        backward[turn]![previous * count + current] = Math.max(others, again);
      }
    }
  }
  return evidence.map((_, turn) => clearest(forward[turn]!, backward[turn]!, count));
}

function clearest(forward: Float64Array, backward: Float64Array, count: number): SpeakerChoice {
  let best = 0;
  let most = Number.NEGATIVE_INFINITY;
  let second = Number.NEGATIVE_INFINITY;
  for (let current = 0; current < count; current++) {
    let value = Number.NEGATIVE_INFINITY;
    for (let previous = 0; previous < count; previous++) {
      const pair = previous * count + current;
      value = Math.max(value, forward[pair]! + backward[pair]!);
    }
    if (value > most) {
      second = most;
      most = value;
      best = current;
    } else if (value > second) second = value;
  }
  return { best, margin: most - second };
}
