import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording/count-of.ts";
import { readStoryFile } from "../../../workflows/books/reading/read-story.ts";
import { compareEmbedded, compareForReader } from "../../../workflows/readers/compare.ts";
import { comparePairs, EMBEDDED_JUDGE } from "../../../workflows/readers/compare-pairs.ts";
import type { Accuracy, ComparisonAgreement } from "../../../workflows/readers/comparison-agreement.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { historyFlag, RATINGS_SCALE_FLAG, READER_FLAGS } from "../../flags/reader-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { embeddedPreferenceInWords, preferenceInWords } from "../../output/preference-wording.ts";
import { reasonsInWords } from "../../output/run-wording.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { showFreePlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary:
    "Which of two stories one reader would prefer: on five aspects by a model, or overall by the embedded predictor.",
  operands: "[STORY STORY]",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: 'many at once, one pair per line: {"id", "history": [reviews], "comparisons": [earlier choices], "left": {…}, "right": {…}, "preferred": {"ending": "left", "overall": "right"}}; prints the accuracy where "preferred" is known',
    },
    out: { type: "string", value: "FILE", help: "with --in: one choice per line, - for standard output" },
    "ratings-scale": RATINGS_SCALE_FLAG,
    probe: { type: "boolean", help: "with --in and a model: also ask whether it knows the stories already" },
    judge: {
      type: "string",
      default: EMBEDDED_JUDGE,
      value: "MODEL",
      help: "openai:MODEL, MODEL@http://host/v1, …; embedded needs no model",
    },
    k: historyFlag(1),
    runs: {
      type: "number",
      default: 1,
      integer: true,
      minimum: 1,
      maximum: 50,
      value: "N",
      help: "number of runs; each run asks in both orders",
    },
    ...READER_FLAGS,
    profiles: PROFILES_FLAG,
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula reader compare first.json second.json --as ada",
    "fabula reader compare first.md second.md --as ada --judge openai:gpt-4.1 --runs 3",
    "fabula reader compare --in choices.jsonl --out chosen.jsonl --judge openai:gpt-4.1 --probe",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (flags.in !== undefined) {
      if (flags.judge === EMBEDDED_JUDGE && flags["dry-run"])
        return showFreePlan("predict two ratings for each line", { json: flags.json, terminal });
      const outcome = await comparePairs({
        input: flags.in,
        output: requireFlag("reader compare", "out", flags.out),
        judge: flags.judge,
        count: flags.k,
        withWords: !flags["stars-only"],
        runs: flags.runs,
        probe: flags.probe,
        temperature: flags.temperature,
        ...(flags["ratings-scale"] !== undefined && { ratingsScale: flags["ratings-scale"] }),
        settings: runSettings(flags),
        services: runServices(terminal, signal),
        onProgress: terminal.progress,
      });
      return showOutcome(outcome, flags.json, terminal, (agreement) => ({
        kind: "reader-choices",
        document: { judge: flags.judge, ...agreement },
        lines: flags.out === "-" ? [] : [agreementInWords(agreement)],
        isWhole:
          agreement.answered >= agreement.pairs &&
          Object.keys({ ...agreement.unanswered, ...agreement.unprobed }).length === 0,
      }));
    }
    if (operands.length !== 2) {
      throw new FabulaError(
        "E_USAGE",
        "`fabula reader compare` takes two stories, or --in FILE. See `fabula reader compare --help`.",
      );
    }
    const profile = await openProfile(requireFlag("reader compare", "as", flags.as), profileFolder(flags.profiles));
    const [left, right] = [await readStoryFile(operands[0]!), await readStoryFile(operands[1]!)];
    if (flags.judge === EMBEDDED_JUDGE) {
      if (flags["dry-run"]) return showFreePlan("predict one rating for each story", { json: flags.json, terminal });
      const predictions = compareEmbedded(profile, left, right);
      terminal.print(
        flags.json
          ? jsonDocument("reader-comparison", { reader: profile.name, judge: EMBEDDED_JUDGE, ...predictions })
          : embeddedPreferenceInWords(predictions),
      );
      return predictions.left.kind === "predicted" && predictions.right.kind === "predicted" ? 0 : 3;
    }
    const outcome = await compareForReader({
      left,
      right,
      profile,
      judge: flags.judge,
      count: flags.k,
      withWords: !flags["stars-only"],
      runs: flags.runs,
      temperature: flags.temperature,
      settings: runSettings(flags),
      services: runServices(terminal, signal),
    });
    return showOutcome(outcome, flags.json, terminal, (result) => ({
      kind: "reader-comparison",
      document: { reader: profile.name, judge: flags.judge, ...result },
      lines: [preferenceInWords(result)],
      isWhole: result.failures.length === 0,
    }));
  },
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
