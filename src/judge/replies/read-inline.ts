import type { Criterion } from "../../criteria/rubric.ts";
import { FORMER, type ParsedScore, readScore, readStandaloneScore, withScale } from "../../models/written-score.ts";
import type { LabelReader } from "./aspect-labels.ts";
import type { Scoreboard } from "./scoreboard.ts";

/** What a sentence gives a score to: an aspect it names, the current subject of the reply, or something else. */
export type SaidSubject =
  | { readonly kind: "aspect"; readonly criterion: Criterion }
  | { readonly kind: "section" }
  | { readonly kind: "else" };

/** Whose opinion it is, when not the judge's own: `My sister gives it 9 out of 10.` */
export const OTHERS =
  /\b(?:sister|brother|friends?|readers?|critics?|fans?|others|users|reviewers?|club|kids?|children|year-olds|wife|husband|mother|father|daughter|son|jury)\b/i;
const INTRODUCTION =
  /^(?:.*[,;]\s*(?:and\s+|but\s+)?|(?:so|thus|therefore)\s+)?(?:for|to|as for|regarding|concerning|in terms of|when it comes to)\s+(?:the\s+|its\s+)?/i;
const SPEAKER = /,?\s*\b(?:I|we)(?:[’']d|[’']ll| would| will| can| must)?(?: \p{L}+ly)?$/u;
const VERB = /^,?\s*(?:I(?:[’']d|[’']ll| would| will)? )?\p{L}+/u;
const NO_SUBJECT =
  /\b(?:an?|at|of|on|with|as|score|rating|mark|grade|solid|strong|final|overall|full|perfect|only|just|about|around|roughly|it|this|that|one)\b|[^\p{L}\s'’-]/giu;
const WHOLE = /\b(?:novel|book|story|work|series|volume|tale|aspect|category|section|criterion|element|area)\b/i;
/** `the river passages`, `her`: somebody or something in the book. */
const THING = /^(?:the|its|his|her|their|these|those|him)\b/i;
/** The subject comes before these verbs, not after them. */
const EARNED = /^,?\s*(?:earns?|deserves?|merits?|receives?|gets?)\b/i;

/**
 * Critics also rate scenes and characters, and report other people's ratings: `I would give the river passages 10 out
 * of 10`. Only a score for an aspect, for the book or for nothing in particular is a verdict. `before` is the
 * sentence up to its verb, `phrase` goes from the verb to the number.
 */
export function saidSubject(before: string, phrase: string, label: LabelReader): SaidSubject {
  if (OTHERS.test(before)) return { kind: "else" };
  const introduced = before.trim().replace(SPEAKER, "").replace(INTRODUCTION, "").trim();
  const object = phrase.replace(VERB, "").replace(NO_SUBJECT, " ").trim();
  // `this plot`, said about a submitted plot, is the current subject of the reply anyway.
  if (/\bthis \p{L}{3,}/u.test(phrase)) return { kind: "section" };
  for (const name of [introduced, object]) {
    const meaning = label(name);
    if (meaning.kind === "aspect" && meaning.exact) return { kind: "aspect", criterion: meaning.criterion };
  }
  const pronoun = /\b(?:it|this|that)\b/i.test(phrase);
  const subject = EARNED.test(phrase) && !pronoun ? introduced : object;
  return THING.test(subject) && !WHOLE.test(subject) ? { kind: "else" } : { kind: "section" };
}

export const INLINE_SCORE =
  /(?:^|[.!?。！？;；([|–—-]\s*|\s)(?:(?:overall\s+)?(?:score|rating)|(?:总体?|综合|最终)?(?:评分|得分)|打分|总分)\s*(?:\([^)]*\))?\s*(?:[:=]|(?<=分)为?(?=\s*\d))\s*/giu;
const TRAILING =
  /[([](?:(?:score|rating|评分|得分)\s*[:=]?\s*)?(\d+(?:\.\d+)?(?:\s*(?:\/|out of)\s*\d+(?:\.\d+)?|%|\s*stars?)?)\s*(?:分|points?)?[)\]][\s.。!]*$/iu;
/** `her citizen score: 12` and `Age rating: 12` are not verdicts, unlike `Her citizen years bore. Score: 12`. */
const SOMEBODYS =
  /\b(?!(?:the|my|this|overall|final|updated|new|revised|current|aspect|total|a|and|predicted|estimated|expected|assigned|given|suggested|proposed|provisional|weighted|numeric|numerical) )\p{L}+ (?:score|rating)\s*[:=]\s*$/iu;
const I_GIVE = String.raw`\bI(?:[’']d|[’']ll| would| will)?(?: \p{L}+ly)?`;
/**
 * Sentences that give a score, up to the number. `I would give the plot 4 out of 5` but not `9 out of 10 readers give
 * up`; `I would assign a score of 79`; `I would rate the characters at 79`; `I would give 79 points`.
 */
const SAID = [
  String.raw`\b(?:give|gives|rate|score|award|assign|grade|earns?|deserves?|merits?|receives?|gets?|settle on|land on|put|place|rank|, at)\b[^.!?\d]{0,60}?\b(?=\d+(?:\.\d+)?\s*(?:\/|out of)\s*\d)`,
  String.raw`(?:${I_GIVE} (?:give|award|rate|grade|score)|\b(?:earns?|deserves?|merits?|gets?))\b[^.!?\d]{0,60}?\b(?=\d+(?:\.\d+)?\s*(?:%|percent\b|stars?\b))`,
  String.raw`\b(?:assign|give|award)\b[^.!?\d]{0,40}\b(?:score|rating|grade) of (?=\d)`,
  String.raw`${I_GIVE} (?:give|award|assign)\b[^.!?\d]{0,40}?\b(?=\d+(?:\.\d+)? points)`,
  String.raw`${I_GIVE} (?:rate|grade|score)\b[^.!?\d]{0,60}?\b(?:at|an?) (?=\d)`,
  // `给75分。` but not `老师给他75分`.
  String.raw`(?<![他她它])(?:给|给出|给予|打|打出|评为)了?\s*(?=\d+(?:\.\d+)?\s*分)`,
].map((pattern) => new RegExp(pattern, "giu"));
/** `On a scale from 1 to 10, this is a 7.` `Out of 5 stars I would give it 2.0.` */
const SCALE_FIRST =
  /\b(?:scale (?:from|of) [01](?:\.0)? ?(?:to|[-–—]) ?|out of )(\d+)(?:\.0)?\b(?! readers)(?:,? (?:where|with) [^.!?,]{0,80},)?([^.!?\d]{0,120}?(?:\b(?:an?|is|it|at|gets?|earns?|deserves?|give|give the \p{L}+)|:)\s+)(?=\d+(?:\.\d+)?\s*(?:[.!,;]\s|[.!]?\s*$))/giu;
/** What must follow a number for it to be the whole score. */
const SAID_END =
  /^\s*(?:分|points?|stars?|marks?|%|percent)?\s*(?:[.,:;!。)](?!\d)|$|(?:overall|for|to|in|because)\b)/i;
const FOR_WHAT =
  /^\s*(?:stars?|points?)?\s*(?:for|to|in) (?:the |its )?([^.,;:!?()]{3,40}?)(?: alone)?(?:[.,;:!?(]|$)/i;
/** `I should raise Plot and Structure to 74.` */
const CORRECTED =
  /\b(?:rais|lower|chang|revis|adjust|correct)(?:e|ing)? (?:my |the )?(?:score (?:for|of) )?([^.,;:\d]{2,40}?)(?: score| rating)? to (\d+(?:\.\d+)?(?:\/\d+)?)/giu;
/**
 * A last sentence or clause that is only a score: `… and all is well. 80/100.`, `A fine debut, 84%.`, `… Superb.
 * **78**`
 */
const CLOSING =
  /(?:(?:[.!?,;]\s+|。\s*|\s[–—-]\s)(?=\d+(?:\.\d+)?\s*(?:\/\s*(?:5|10|100)|out of \d+|%|stars?)|[★⭐])|(?:[.!?]\s+|。\s*)(?=\d+(?:\.\d+)?$))([\d.★⭐☆½]+(?:\s*(?:\/|out of)\s*\d+|\s*%)?(?:\s*stars?)?)\s*(?:from me|overall)?[.。!]?$/iu;
/** `I would give this novel an overall score of 76/100`, anywhere in the reply. */
const OF_THE_WHOLE =
  /\b(?:overall|in conclusion|as a whole|all in all)\b|\b(?:give|rate|score|award|grade)\s+(?:this|the)\s+(?:\w+\s+)?(?:novel|book|story|work)\b|总体|整体|综合|本书|全书|这部/i;

/** Reads scores inside or at the end of a paragraph: `… holds together. Score: 85/100`, `… holds together. (3.5)`. */
export function readInline(
  text: string,
  labelled: boolean,
  label: LabelReader,
  board: Scoreboard,
  /** Every aspect of the reply has its own "overall score". */
  overallOfAspects = false,
): void {
  const outside = text.replace(/"[^"]*"|“[^“”]*”|「[^「」]*」|『[^『』]*』|‘[^‘’]*’/g, (quote) =>
    " ".repeat(quote.length),
  );
  readMarked(outside, labelled, board, overallOfAspects && board.isInAspect);
  readSaid(outside, label, board);
  for (const [, name, score] of outside.matchAll(CORRECTED)) {
    const meaning = label(name!);
    const parsed = readScore(score!);
    // It is next to the score it corrects, and two scores would contradict each other.
    if (parsed && meaning.kind === "aspect" && meaning.exact) board.aspect(meaning.criterion.id, "line", parsed);
  }
  const closing = readScore(CLOSING.exec(outside)?.[1] ?? "");
  if (closing) board.closing(closing);
  const trailing = TRAILING.exec(outside);
  const parsed = trailing && !isOfSomethingElse(outside, trailing) ? readScore(trailing[1]!) : null;
  if (parsed) board.trailing(parsed);
}

/** `… Score: 85` within a line. */
function readMarked(outside: string, labelled: boolean, board: Scoreboard, ofAspect: boolean): void {
  for (const match of outside.matchAll(INLINE_SCORE)) {
    const end = match.index + match[0].length;
    // `the previous score: 80` is a quoted score; in `… faithful to the last. Score: 80` the word "last" belongs to
    // the sentence before.
    if (!/^[.!?。！？;；]/u.test(match[0]) && FORMER.test(before(outside, match.index))) continue;
    // A line that begins with "Score:" was read as a label; behind another label ("Plot: Score: 85") it was not.
    if (!labelled && match.index === 0 && /^\s*(?:score|rating|overall|评分|得分|打分)/i.test(match[0])) continue;
    const parsed = readStandaloneScore(after(outside, end));
    if (!parsed) continue;
    if (/overall|[总综终]/i.test(match[0]) && !ofAspect) board.score("overall-inline", parsed, null);
    else if (!SOMEBODYS.test(before(outside, end))) board.score("inline", parsed, null);
  }
}

/** Reads sentences that give a score, for the aspect they name or else for the current section. */
function readSaid(outside: string, label: LabelReader, board: Scoreboard): void {
  for (const { parsed, start, end, phrase } of saidScores(outside)) {
    const sentence =
      before(outside, end).replace(/^[\s\S]*(?:[.!?]\s|。)/, "") + after(outside, end).replace(/[.!?。][\s\S]*$/, "");
    // `The characters deserve 82 out of 100` and `人物方面，…给82分` name their subject themselves.
    const opening = before(outside, start).replace(/^[\s\S]*(?:[.!?]\s|。)|,\s*$/g, "");
    const subject = saidSubject(/^(\p{Script=Han}{2,12}?)方面,/u.exec(opening)?.[1] ?? opening, phrase, label);
    // `I would give it 5 out of 5 for the prose` in a critique of the plot is not a score of the plot.
    const reason = label(FOR_WHAT.exec(after(outside, end))?.[1] ?? "");
    const named = subject.kind === "aspect" ? subject.criterion : reason.kind === "aspect" ? reason.criterion : null;
    if (subject.kind === "else") continue;
    if (subject.kind === "aspect" || (named && board.isOpen)) board.aspect(named!.id, "said", parsed);
    else if (named && !board.isIn(named.parent ?? named.id)) continue;
    else board.score(OF_THE_WHOLE.test(sentence) ? "overall-said" : "said", parsed, null);
  }
}

interface SaidScore {
  readonly parsed: ParsedScore;
  readonly start: number;
  readonly end: number;
  /** From the verb to the number. */
  readonly phrase: string;
}

function saidScores(outside: string): SaidScore[] {
  const found: SaidScore[] = [];
  const add = (match: RegExpExecArray, phrase: string, outOf: number | null) => {
    const at = match.index + match[0].length;
    const parsed = readScore(after(outside, at));
    const rest = parsed?.kind === "score" ? parsed.rest : "";
    if (!parsed || !SAID_END.test(rest)) return;
    const end = parsed.kind === "score" ? at + after(outside, at).length - rest.length : at;
    found.push({ parsed: withScale(parsed, outOf) ?? parsed, start: match.index, end, phrase });
  };
  for (const match of outside.matchAll(SCALE_FIRST))
    add(match, `is ${match[2]!.replace(/^[\s,]+/, "")}`, Number(match[1]));
  for (const pattern of SAID) for (const match of outside.matchAll(pattern)) add(match, match[0], null);
  return found;
}

/** Longer sentences are skipped, so that many scores in one line take no longer than as many lines. */
const LONGEST_SENTENCE = 400;
const before = (text: string, end: number) => text.slice(Math.max(0, end - LONGEST_SENTENCE), end);
const after = (text: string, start: number) => text.slice(start, start + LONGEST_SENTENCE);

/**
 * A number in brackets before the full stop may belong to the words it follows: `tighter than Story B (78).`, `the
 * aunt (62).` After the full stop, or without one, it belongs to the paragraph.
 */
function isOfSomethingElse(text: string, trailing: RegExpExecArray): boolean {
  const before = text.slice(0, trailing.index).trimEnd();
  if (before === "" || /[.!?。:]$/.test(before)) return false;
  const sentence = before.slice(before.search(/[^.!?。]*$/));
  if (/\b(?:than|versus|vs|compared|unlike)\b|[([]\d+(?:\.\d+)?[)\]]/i.test(sentence)) return true;
  const bareNumber = /^[([]\d+(?:\.\d+)?[)\]]/.test(trailing[0]);
  return bareNumber && (/[.。!]\s*$/.test(trailing[0]) || /\s\p{Lu}[\p{L}’']*$/u.test(before));
}
