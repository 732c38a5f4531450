import { FabulaError } from "../../../core/errors.ts";
import {
  type ContaminationReport,
  PROBE_RUNS,
  probeContamination,
} from "../../../workflows/trust/probe-contamination.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary: "Ask whether a judge already knows a book, and whether that changes its verdict.",
  operands: "FILE",
  flags: {
    judge: {
      type: "string",
      value: "NAME",
      help: "the judge to probe: openai:MODEL, ollama:MODEL, MODEL@http://host/v1, …",
    },
    runs: {
      type: "number",
      default: PROBE_RUNS,
      minimum: 2,
      maximum: 50,
      integer: true,
      value: "N",
      help: "judgements of each version",
    },
    rubric: { type: "string", default: "long-story", value: "NAME|FILE", help: "the aspects to judge" },
    ...MODEL_FLAGS,
  },
  examples: ["fabula probe novel.epub --judge openai:gpt-4.1 --max-cost 2"],
  async run({ operands, flags, terminal, signal }) {
    const [file, ...rest] = operands;
    if (!file || rest.length > 0)
      throw new FabulaError("E_USAGE", "Name one book: `fabula probe novel.epub --judge …`.");
    const outcome = await probeContamination(file, {
      judge: requireFlag("probe", "judge", flags.judge),
      runs: flags.runs,
      rubric: flags.rubric,
      settings: runSettings(flags),
      services: runServices(terminal, signal),
      onProgress: terminal.progress,
    });
    return showOutcome(outcome, flags.json, terminal, (result) => ({
      kind: "probe",
      document: result,
      lines: reportInWords(result),
      isWhole: result.variants.every(({ overall }) => overall.kind === "scored"),
    }));
  },
});

function* reportInWords({ title, judge, names, variants, gaps }: ContaminationReport): Generator<string> {
  yield `${title}, probed with ${judge}; ${names} names were replaced.`;
  for (const { variant, recognition, overall } of variants) {
    const known =
      recognition === null
        ? "no answer"
        : recognition.recognised
          ? `recognised as “${recognition.title}”`
          : recognition.title === null
            ? "not recognised"
            : `taken for “${recognition.title}”`;
    yield `  ${variant.padEnd(11)} ${overall.kind === "scored" ? overall.score.toFixed(1) : `unscored: ${overall.reason}`}, ${known}`;
  }
  for (const { against, points, interval, beyondNoise } of gaps) {
    const range = interval ? ` [${interval[0].toFixed(1)}, ${interval[1].toFixed(1)}]` : "";
    const meaning = beyondNoise ? "more than the judge's own noise" : "within the judge's own noise";
    yield `  original minus ${against}: ${points.toFixed(1)} points${range}, ${meaning}`;
  }
}
