import { isScored } from "../../../core/verdict.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import type { JurorResult } from "../../../judge/jury-part.ts";
import { listInWords } from "../figure-words.ts";
import { fill, type LetterLanguage, type LetterTexts } from "../letter-texts.ts";

/** What the judges say, each with its range, in sentences. */
export function verdictsInWords(
  { jury, judge, overall, scale }: Omit<BookEvaluation, "letter">,
  { verdicts, and }: LetterTexts,
  language: LetterLanguage,
): string[] {
  const number = (value: number) => value.toFixed(value < 20 ? 1 : 0);
  if (jury) {
    const speaker = ({ id }: { readonly id: JurorResult["id"] }) => verdicts.speakers[id] ?? id;
    const scored = jury.jurors.filter((juror) => isScored(juror.overall));
    const [first] = jury.jurors;
    if (scored.length === 0 && first && !isScored(first.overall)) {
      return [fill(verdicts.noneScored!, { reason: first.overall.reason })];
    }
    const areAllOutside = scored.length > 1 && scored.every(({ ground }) => ground !== "inside");
    const said = jury.jurors.map((juror) => {
      const { overall: own, ground } = juror;
      if (!isScored(own)) return fill(verdicts.jurorNone!, { speaker: speaker(juror), reason: own.reason });
      const [low, high] = (own.interval ?? [own.score, own.score]).map(number);
      const caveat = ground === "inside" || areAllOutside ? "" : verdicts.outside!;
      return fill(verdicts.juror!, {
        speaker: speaker(juror),
        low: low!,
        high: high!,
        maximum: juror.scale.maximum,
        caveat,
      });
    });
    const pairs = jury.apart.map(([left, right]) => [left, right].map((id) => verdicts.speakers[id] ?? id).join(" / "));
    const agreement =
      pairs.length > 0 ? fill(verdicts.apart!, { pairs: listInWords(pairs, and, language) }) : verdicts.together!;
    return [
      ...said,
      ...(areAllOutside ? [verdicts.allOutside!] : []),
      ...(scored.length > 1 ? [agreement] : []),
      verdicts.none!,
    ];
  }
  if (!isScored(overall)) return [fill(verdicts.modelNone!, { judge, reason: overall.reason })];
  const range = overall.interval
    ? fill(verdicts.range!, { low: number(overall.interval[0]), high: number(overall.interval[1]) })
    : "";
  return [fill(verdicts.model!, { judge, score: number(overall.score), maximum: scale.maximum, range })];
}
