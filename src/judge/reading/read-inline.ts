import type { LabelReader } from "./aspect-labels.ts";
import { saidSubject } from "./said-subject.ts";
import type { Scoreboard } from "./scoreboard.ts";
import { FORMER, readScore, readStandaloneScore } from "./written-score.ts";

export const INLINE_SCORE =
  /(?:^|[.!?。！？;；([|–—-]\s*|\s{2,}|\s)(?:(?:overall\s+)?(?:score|rating)|(?:总体?|综合|最终)?(?:评分|得分)|打分|总分)\s*(?:\([^)]*\))?\s*(?:[:=]|(?<=分)为?(?=\s*\d))\s*/giu;
const TRAILING =
  /[([](?:(?:score|rating|评分|得分)\s*[:=]?\s*)?(\d+(?:\.\d+)?(?:\s*(?:\/|out of)\s*\d+(?:\.\d+)?)?)\s*(?:分|points?)?[)\]][\s.。!]*$/iu;
/** `her citizen score: 12` and `Age rating: 12` are no verdicts, unlike `Her citizen years bore. Score: 12`. */
const SOMEBODYS =
  /\b(?!(?:the|my|this|final|updated|new|revised|current|aspect|total|a|and|predicted|estimated|expected|assigned|given|suggested|proposed|provisional|weighted|numeric|numerical) )\p{L}+ (?:score|rating)\s*[:=]\s*$/iu;
/** `… emotional impact score: 70` */
const NAMED_SCORE = /((?:[\p{L}&-]+\s+){1,4})(?:score|rating)\s*[:=]\s*$/iu;
/** `I would give the plot 4 out of 5.` but not `9 out of 10 readers give up`. */
const SAID =
  /\b(?:give|gives|rate|score|award|assign|grade|earns?|deserves?|merits?|receives?|gets?|settle on|land on|put|place|rank|, at)\b[^.!?\d]{0,60}?\b(\d+(?:\.\d+)?\s*(?:\/|out of)\s*\d+)(?=\s*(?:[.,:;!)]|$|(?:stars?|points?|overall|for|in|because)\b))/giu;
const FOR_WHAT =
  /^\s*(?:stars?|points?)?\s*(?:for|to|in) (?:the |its )?([^.,;:!?()]{3,40}?)(?: alone)?(?:[.,;:!?(]|$)/i;
/** `I would assign a score of 79.` */
const SAID_OF =
  /\b(?:assign|give|award)\b[^.!?\d]{0,40}\b(?:score|rating|grade) of (\d+(?:\.\d+)?)(?=\s*(?:[.,;!)](?!\d)|$|(?:for|to) ))/giu;
/** `To this one I would give 79 points.` */
const SAID_POINTS =
  /\bI(?:[’']d|[’']ll| would| will)? (?:give|award|assign)\b[^.!?\d]{0,40}?\b(\d+(?:\.\d+)?) points(?=\s*(?:[.,;!)]|$))/giu;
/** `I would rate the characters at 79.` */
const RATED =
  /\bI(?:[’']d|[’']ll| would| will)? (?:rate|grade|score)\b[^.!?\d]{0,60}?\b(?:at|an?) (\d+(?:\.\d+)?)(?=\s*(?:[.,;!)](?!\d)|$))/giu;
/** `给75分。` but not `老师给他75分`. */
const SAID_IN_HAN = /(?<![他她它])(?:给|给出|给予|打|打出|评为)(?:了)?\s*(\d+(?:\.\d+)?)\s*分(?=\s*(?:[,;。!]|$))/gu;
/** `On a scale from 1 to 10, this is a 7.` */
const ON_A_SCALE =
  /\bscale (?:from|of) \d+(?:\.0)? to (\d+)(?:\.0)?\b[^.!?]{0,120}?\b(?:an?|is|it|at) (\d+(?:\.\d+)?)(?=\s*(?:[.!]\s*$|$))/giu;
/** `I should raise Plot and Structure to 74.` */
const CORRECTED =
  /\b(?:raise|raising|lower|lowering|change|changing|revise|revising|adjust|adjusting|correct|correcting) (?:my |the )?(?:score (?:for|of) )?([^.,;:\d]{2,40}?)(?: score| rating)? to (\d+(?:\.\d+)?(?:\/\d+)?)/giu;
/** A last sentence or clause that is a score and nothing else: `… and all is well. 80/100.`, `A fine debut, 84/100.` */
const CLOSING_FRACTION = /(?:[.!?,;]\s+|。\s*|\s[–—-]\s)(\d+(?:\.\d+)?\s*\/\s*(?:5|10|100))\s*[.。!]?$/;
/** `… through the mine is superb. **78**` */
const CLOSING_NUMBER = /(?:[.!?]\s+|。\s*)(\d+(?:\.\d+)?)$/;
/** `I would give this novel an overall score of 76/100`, wherever it stands. */
const OF_THE_WHOLE =
  /\b(?:overall|in conclusion|as a whole|all in all)\b|\b(?:give|rate|score|award|grade)\s+(?:this|the)\s+(?:\w+\s+)?(?:novel|book|story|work)\b|总体|整体|综合|本书|全书|这部/i;

/** A score inside or at the end of a paragraph: `… holds together. Score: 85/100`, `… holds together. (3.5)`. */
export function readInline(text: string, labelled: boolean, label: LabelReader, board: Scoreboard): void {
  const outside = text.replace(/"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’/g, (quote) => " ".repeat(quote.length));
  for (const match of outside.matchAll(INLINE_SCORE)) {
    // `the previous score: 80` is quoted; in `… faithful to the last. Score: 80` the word belongs to the sentence before.
    if (!/^[.!?。！？;；]/u.test(match[0]) && FORMER.test(before(outside, match.index))) continue;
    // A line that begins with "Score:" was read as a label; behind another label ("Plot: Score: 85") it was not.
    if (!labelled && match.index === 0 && /^\s*(?:score|rating|overall|评分|得分|打分)/i.test(match[0])) continue;
    const reading = readStandaloneScore(after(text, match.index + match[0].length));
    if (!reading) continue;
    if (/overall|[总综终]/i.test(match[0])) board.score("overall-inline", reading, null);
    else {
      const upTo = before(outside, match.index + match[0].length);
      const named = SOMEBODYS.test(upTo) ? label(NAMED_SCORE.exec(upTo)?.[1] ?? "") : null;
      if (named === null) board.score("inline", reading, null);
      else if (named.kind === "aspect") board.aspect(named.criterion.id, "said", reading);
    }
  }
  for (const match of [SAID, SAID_OF, SAID_POINTS, RATED, SAID_IN_HAN, ON_A_SCALE].flatMap((pattern) => [
    ...outside.matchAll(pattern),
  ])) {
    const reading = readScore(match.slice(1).filter(Boolean).reverse().join("/"));
    const end = match.index + match[0].length;
    const sentence =
      before(outside, end).replace(/^[\s\S]*(?:[.!?]\s|。)/, "") + after(outside, end).replace(/[.!?。][\s\S]*$/, "");
    if (!reading) continue;
    // `The characters deserve 82 out of 100` and `人物方面，…给82分` name their subject themselves.
    const opening = before(outside, match.index).replace(/^[\s\S]*(?:[.!?]\s|。)|,\s*$/g, "");
    const phrase = phraseOf(match);
    const subject = saidSubject(/^(\p{Script=Han}{2,12}?)方面,/u.exec(opening)?.[1] ?? opening, phrase, label);
    // `I would give it 5 out of 5 for the prose` in a critique of the plot is no score of the plot.
    const reason = label(FOR_WHAT.exec(after(outside, end))?.[1] ?? "");
    const named = subject.kind === "aspect" ? subject.criterion : reason.kind === "aspect" ? reason.criterion : null;
    if (subject.kind === "else") continue;
    if (subject.kind === "aspect" || (named && board.isOpen)) board.aspect(named!.id, "said", reading);
    else if (named && !board.isIn(named.parent ?? named.id)) continue;
    else board.score(OF_THE_WHOLE.test(sentence) ? "overall-said" : "said", reading, null);
  }
  for (const [, name, score] of outside.matchAll(CORRECTED)) {
    const meaning = label(name!);
    const reading = readScore(score!);
    // It stands beside the score it corrects, and two scores are none.
    if (reading && meaning.kind === "aspect" && meaning.exact) board.aspect(meaning.criterion.id, "line", reading);
  }
  const number = CLOSING_NUMBER.exec(outside);
  const bare = number ? readScore(number[1]!) : null;
  if (bare) board.trailing(bare);
  const closing = CLOSING_FRACTION.exec(outside);
  const fraction = closing ? readScore(closing[1]!) : null;
  if (fraction) board.closing(fraction);
  const trailing = TRAILING.exec(outside);
  const reading = trailing && !isOfSomethingElse(outside, trailing) ? readScore(trailing[1]!) : null;
  if (reading) board.trailing(reading);
}

/** Longer sentences are not looked through, so that many scores in one line take no longer than as many lines. */
const LONGEST_SENTENCE = 400;
const before = (text: string, end: number) => text.slice(Math.max(0, end - LONGEST_SENTENCE), end);
const after = (text: string, start: number) => text.slice(start, start + LONGEST_SENTENCE);

/** From the verb to the number; of `scale from 1 to 10, the villain is a 3` what stands between the two. */
function phraseOf([whole, first = "", second]: RegExpExecArray): string {
  if (second === undefined) return whole.slice(0, whole.lastIndexOf(first));
  return `is ${whole.slice(whole.indexOf(first) + first.length, whole.lastIndexOf(second)).replace(/^[\s,]+/, "")}`;
}

/**
 * A number in brackets before the full stop may belong to the words it follows: `tighter than Story B (78).`, `the aunt (62).`
 * After the full stop, or with none, it belongs to the paragraph.
 */
function isOfSomethingElse(text: string, trailing: RegExpExecArray): boolean {
  const before = text.slice(0, trailing.index).trimEnd();
  if (before === "" || /[.!?。:]$/.test(before)) return false;
  const sentence = before.slice(before.search(/[^.!?。]*$/));
  if (/\b(?:than|versus|vs|compared|unlike)\b|[([]\d+(?:\.\d+)?[)\]]/i.test(sentence)) return true;
  const bareNumber = /^[([]\d+(?:\.\d+)?[)\]]/.test(trailing[0]);
  return bareNumber && (/[.。!]\s*$/.test(trailing[0]) || /\s\p{Lu}[\p{L}’']*$/u.test(before));
}
