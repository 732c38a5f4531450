import { countOf } from "../../../core/wording.ts";
import { readerComparePairsTask, readerCompareTask } from "../../../tasks/readers/reader.ts";
import type { Accuracy, ComparisonAgreement } from "../../../workflows/readers/comparison-agreement.ts";
import { embeddedPreferenceInWords, preferenceInWords } from "../../output/preference-wording.ts";
import { reasonsInWords } from "../../output/run-wording.ts";
import { showAsked } from "../../output/show-asked.ts";
import { textTable } from "../../output/table.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export default taskCommand(readerCompareTask, {
  usage: "`fabula reader compare` takes two stories, or --in FILE. See `fabula reader compare --help`.",
  examples: [
    "fabula reader compare first.json second.json --as ada",
    "fabula reader compare first.md second.md --as ada --judge openai:gpt-4.1 --runs 3",
    "fabula reader compare --in choices.jsonl --out chosen.jsonl --judge openai:gpt-4.1 --probe",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) =>
      "failures" in result
        ? { lines: [preferenceInWords(result)], isWhole: result.failures.length === 0 }
        : {
            lines: [embeddedPreferenceInWords(result)],
            isWhole: result.left.kind === "predicted" && result.right.kind === "predicted",
          },
    ),
  others: [
    otherWay(readerComparePairsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give two stories or --in, not both.",
      present: (asked, context) =>
        showAsked(asked, context, (agreement) => ({
          lines: context.input.out === "-" ? [] : [agreementInWords(agreement)],
          isWhole:
            agreement.answered >= agreement.pairs &&
            Object.keys({ ...agreement.unanswered, ...agreement.unprobed }).length === 0,
        })),
    }),
  ],
});

/** How often a judge's choices were the readers' own, aspect by aspect. */
function agreementInWords(agreement: ComparisonAgreement): string {
  const { pairs, answered, unanswered, unprobed, aspects, embedded, firstBias, knownBias } = agreement;
  const rows = aspects.map(({ aspect, judge, lastChoice, consistent }) => [
    aspect,
    inWords(judge),
    inWords(lastChoice),
    consistent.of > 0 ? `${consistent.same}/${consistent.of}` : "–",
  ]);
  const lines = [
    `${answered < pairs ? `${answered} of ${countOf(pairs, "pair")} answered` : countOf(pairs, "pair")}. Accuracy where the reader's preference is known, with its 95% interval; a tie counts half.`,
    textTable(["aspect", "judge", "same answer as last time", "same in both orders"], rows),
    `The embedded predictor, overall: ${inWords(embedded)}`,
  ];
  if (firstBias.bias !== null)
    lines.push(`Pull towards whatever is shown first: ${signed(firstBias.bias)} over ${firstBias.decisions} decisions`);
  if (knownBias)
    lines.push(
      `Pull towards a story the judge knows: ${signed(knownBias.bias)} over ${knownBias.pairs} pairs with one known story`,
    );
  lines.push(...reasonsInWords("unanswered", unanswered), ...reasonsInWords("not probed", unprobed));
  return lines.join("\n");
}

function inWords({ value, interval, of }: Accuracy): string {
  if (value === null || interval === null) return "–";
  return `${value.toFixed(3)} (${interval[0].toFixed(2)}–${interval[1].toFixed(2)}, ${of})`;
}

function signed(value: number): string {
  return `${value >= 0 ? "+" : "−"}${Math.abs(value).toFixed(2)}`;
}
