import type { ProseText } from "../reading/prose-text.ts";
import type { QuotedSpan } from "./find-quotations.ts";

const SIGNS =
  "eyes?|eyebrows?|looks?|glance|smile|gaze|face|expression|manner|attitude|gesture|shrug|nod|silence|motion";
const SAY =
  "say|says|said|saying|ask|asked|answer|answered|cry|reply|replied|express|expressed|tell|told|mean|meant|implore|implored";
/** Words that a look, a wish or a fancy puts between quotation marks: "her eyes said:", "he felt like shouting:". */
const BEFORE = new RegExp(
  [
    `\\b(?:as if|as though)(?: \\w+ (?:would|were))? (?:to )?(?:${SAY})`,
    `\\bseem(?:ed|s|ing) to (?:${SAY})`,
    `\\b(?:${SIGNS})\\b[^.!?"“]{0,40}\\b(?:${SAY})`,
    "\\bit (?:all )?meant",
    "\\bfelt like \\w+ing(?: \\w+)?",
    `\\b(?:longed|wanted|wished|meant|was going|were going|tempted|ready|about) to (?:${SAY})`,
    `\\b(?:could|would|might|should) (?:never |almost |well |not )?have (?:${SAY})`,
    `\\btongue to (?:${SAY})`,
    `\\b(?:fancied|imagined|fancy|imagine|imagining)\\b[^.!?"“]{0,50}\\b(?:${SAY}|adding|crying|thinking)`,
  ]
    .map((part) => `(?:${part})`)
    .join("|")
    .replace(/^/, "(?:")
    .concat(')[^.!?"“]{0,30}[,:;—-]*\\s*$'),
  "i",
);
const AFTER = new RegExp(
  `^["”'’][\\s,;:—-]*(?:(?:he|she|i|they|\\p{Lu}\\p{L}+) (?:felt like|wanted to|longed to|would have|might have|could (?:almost )?(?:fancy|imagine))|(?:his|her|their|the|its)(?: \\p{Ll}+){0,2} (?:${SIGNS}) (?:seemed to )?(?:${SAY}))\\b`,
  "iu",
);
const NEAR = 140;

/** Whether the words are only looked, wished or imagined: nobody in the story says them. */
export function isUnspoken({ text, paragraphs }: ProseText, { start, end, paragraph }: QuotedSpan): boolean {
  const before = text.slice(Math.max(paragraphs[paragraph]!.start, start - 1 - NEAR), start - 1);
  return BEFORE.test(before) || AFTER.test(text.slice(end, end + NEAR));
}
