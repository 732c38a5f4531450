import type { LabelReader } from "./aspect-labels.ts";
import type { Scoreboard } from "./scoreboard.ts";
import { FORMER, readScore, readStandaloneScore } from "./written-score.ts";

export const INLINE_SCORE =
  /(?:^|[.!?。！？;；([|–—-]\s*|\s{2,}|\s)(?:(?:overall\s+)?(?:score|rating)|(?:总体?|综合|最终)?(?:评分|得分)|打分|总分)\s*(?:\([^)]*\))?\s*(?:[:=]|(?<=分)为?(?=\s*\d))\s*/giu;
const TRAILING =
  /[([](?:(?:score|rating|评分|得分)\s*[:=]?\s*)?(\d+(?:\.\d+)?(?:\s*(?:\/|out of)\s*\d+(?:\.\d+)?)?)\s*(?:分|points?)?[)\]][\s.。!]*$/iu;
/** `her citizen score: 12` is a score within the story, unlike `Her citizen years bore. Score: 12`. */
const SOMEBODYS =
  /\b(?!(?:the|my|this|final|updated|new|revised|current|aspect|total|a|and) )\p{L}+ (?:score|rating)\s*[:=]\s*$/u;
/** `I would give the plot 4 out of 5.` but not `9 out of 10 readers give up`. */
const SAID =
  /\b(?:give|gives|rate|score|award|assign|grade|earns?|deserves?|merits?|receives?|gets?|settle on|land on|put|place|rank|, at)\b[^.!?\d]{0,60}?\b(\d+(?:\.\d+)?\s*(?:\/|out of)\s*\d+)(?=\s*(?:[.,:;!)]|$|(?:stars?|points?|overall|for|in|because)\b))/giu;
/** `I would assign a score of 79.` */
const SAID_OF =
  /\b(?:assign|give|award)\b[^.!?\d]{0,40}\b(?:score|rating|grade) of (\d+(?:\.\d+)?)(?=\s*(?:[.,;!)](?!\d)|$))/giu;
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
    if (!/^[.!?。！？;；]/u.test(match[0]) && FORMER.test(outside.slice(0, match.index))) continue;
    // A line that begins with "Score:" was read as a label; behind another label ("Plot: Score: 85") it was not.
    if (!labelled && match.index === 0 && /^\s*(?:score|rating|overall|评分|得分|打分)/i.test(match[0])) continue;
    const reading = readStandaloneScore(text.slice(match.index + match[0].length));
    if (!reading) continue;
    if (/overall|[总综终]/i.test(match[0])) board.score("overall-inline", reading, null);
    else
      board.score(SOMEBODYS.test(outside.slice(0, match.index + match[0].length)) ? "said" : "inline", reading, null);
  }
  for (const match of [SAID, SAID_OF, RATED, SAID_IN_HAN, ON_A_SCALE].flatMap((pattern) => [
    ...outside.matchAll(pattern),
  ])) {
    const reading = readScore(match.slice(1).filter(Boolean).reverse().join("/"));
    const end = match.index + match[0].length;
    const sentence =
      outside.slice(0, end).replace(/^[\s\S]*(?:[.!?]\s|。)/, "") + outside.slice(end).replace(/[.!?。][\s\S]*$/, "");
    if (!reading) continue;
    // `The characters deserve 82 out of 100` and `人物方面，…给82分` name their subject themselves.
    const before = outside.slice(0, match.index).replace(/^[\s\S]*(?:[.!?]\s|。)|,\s*$/g, "");
    const subject = label(/^(\p{Script=Han}{2,12}?)方面,/u.exec(before)?.[1] ?? before);
    if (subject.kind === "aspect" && subject.exact) board.aspect(subject.criterion.id, "said", reading);
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
