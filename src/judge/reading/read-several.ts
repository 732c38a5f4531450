import type { LabelMeaning, LabelReader } from "./aspect-labels.ts";
import type { ReplyLine } from "./reply-lines.ts";
import { OTHERS } from "./said-subject.ts";
import type { Scoreboard } from "./scoreboard.ts";
import { splitLabel } from "./split-label.ts";
import { readAlone, type ScoreReading, withScale } from "./written-score.ts";

/** `On a scale of 1 to 10,`, `Scores (out of 10):`, `All scores are out of 100.`; `7 out of 10` is a score, not a scale. */
const SCALE_FOR_ALL =
  /(?<!\d\s*)(?:\((?:all )?(?:on a scale (?:of|from) [01](?:\.0)?\s*(?:to|[-–—])\s*|out of\s+|[01]\s*[-–—]\s*)(\d+)(?:\.0)?(?: points| stars)?\)|\b(?:(?:on|using) a )?scale (?:of|from) [01](?:\.0)?\s*(?:to|[-–—])\s*(\d+)(?:\.0)?\b|\bout of (\d+)\b(?: points| stars)?(?! readers| people))/iu;
const PARTS =
  /\s*[,;，；|、]\s*|\s{2,}|(?<!\d)[.!。]\s+|(?<=\d|%)[.!。](?:\s+|$)|(?<=\d|%|stars?)\s+(?:and|while|but)\s+/iu;
/** What a sentence says before it comes to an aspect. */
const LEAD =
  /^(?:and|but|while)\s+|^(?:(?:so|then),?\s+)?I(?:[’']d|[’']ll| would| will)?(?: \p{L}+ly)? (?:give|rate|score|award|grade|rank)\s+|^(?:(?:here are|these are)\s+)?(?:my |the |our )?(?:scores?|ratings?|marks?)\b[^:\d]{0,20}[:–—-]\s*|^(?:the|its)\s+/iu;
/** `Plot a 7`, `characters get 82`, `My overall score is 7`, `Overall I give it 74`. */
const SPOKEN =
  /^(.{2,50}?)(?:\s*[–—:=-]|\s+(?:gets?|earns?|deserves?|receives?|is|are|at|an?))*(?:\s+I(?:[’']d|[’']ll| would| will)? (?:give|rate|score) (?:it|this|the (?:book|novel|story))(?: at| an?)?)?\s+(\d+(?:\.\d+)?(?:\s*(?:\/|out of)\s*\d+|\s*%|\s+stars?)?)[.!]?$/iu;

interface Pair {
  readonly meaning: LabelMeaning & { readonly kind: "aspect" | "overall" };
  readonly reading: ScoreReading;
  readonly spoken: boolean;
}

/**
 * Several scores in one line, each beside the name of its aspect: `Plot: 85, Characters: 80; Overall: 83`, `On a scale of 1
 * to 10 I would give the plot a 7 and the characters an 8.` Without colons every number of the line must be one of them.
 */
export function readSeveral({ text }: ReplyLine, label: LabelReader, board: Scoreboard): boolean {
  if (!/\d\D+\d/.test(text)) return false;
  const scale = SCALE_FOR_ALL.exec(text);
  const rest = scale ? `${text.slice(0, scale.index)}${text.slice(scale.index + scale[0].length)}` : text;
  const parts = rest.replace(/^[\s,:;–—-]+/, "").split(PARTS);
  const pairs = parts.map((part) => labelledPair(part, label) ?? spokenPair(part, label));
  const found = pairs.filter((pair) => pair !== null);
  if (found.length < 2) return false;
  const isUnderstood = pairs.every((pair, at) => pair !== null || !/\d/.test(parts[at]!));
  const given = isUnderstood && !OTHERS.test(text) ? found : found.filter(({ spoken }) => !spoken);
  if (given.length < 2) return false;
  const outOf = scale ? Number(scale[1] ?? scale[2] ?? scale[3]) : null;
  for (const { meaning, reading } of given) {
    const score = withScale(reading, outOf)!;
    if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", score);
    else board.overall("named", score);
  }
  return true;
}

/** `Plot: 85`; `Scores at a glance: Plot: 85` has a label for them all before its first. */
function labelledPair(part: string, label: LabelReader): Pair | null {
  const whole = splitLabel(part);
  for (const { head, rest } of [whole, splitLabel(whole.rest)]) {
    const meaning = head === null ? null : label(head);
    const reading = readAlone(rest);
    if (reading && (meaning?.kind === "aspect" || meaning?.kind === "overall"))
      return { meaning, reading, spoken: false };
  }
  return null;
}

function spokenPair(part: string, label: LabelReader): Pair | null {
  let said = part.trim();
  for (let bare = said.replace(LEAD, ""); bare !== said; bare = said.replace(LEAD, "")) said = bare.trim();
  const [, name = "", score = ""] = SPOKEN.exec(said) ?? [];
  const meaning = label(name);
  const reading = readAlone(score);
  const isNamed = meaning.kind === "overall" || (meaning.kind === "aspect" && meaning.exact);
  return reading && isNamed ? { meaning, reading, spoken: true } : null;
}
