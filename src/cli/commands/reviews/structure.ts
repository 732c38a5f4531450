import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { piecesOfReviews } from "../../../workflows/queue/jobs/structure-reviews.ts";
import { type StructureReport, structureReviews } from "../../../workflows/reviews/structure-reviews.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { runServices } from "../../run-services.ts";
import { refuseStandardInput, runHereOrShared } from "../../shared-run.ts";

const UNMAPPED_SHOWN = 20;

export default defineCommand({
  summary: "Have a model sort raw reviews by aspect, and check that it adds nothing.",
  operands: "",
  flags: {
    in: { type: "string", value: "FILE", help: "JSONL of raw reviews: book, reviewer, rating, text" },
    out: { type: "string", value: "FILE", help: "JSONL of structured reviews to write" },
    dropped: { type: "string", value: "FILE", help: "write what could not be structured, with the reason" },
    model: { type: "string", value: "MODEL", help: "the model that sorts: openai:MODEL, MODEL@http://host/v1, …" },
    "second-model": {
      type: "string",
      value: "MODEL",
      help: "the model to try when less than 40 % of the first one's words are in the review",
    },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula reviews structure --in raw.jsonl --out reviews.jsonl --model llama3@http://localhost:8080/v1 --second-model openai:gpt-4o",
    "fabula reviews structure --in raw.jsonl --out reviews.jsonl --model openai:gpt-4o-mini --dry-run",
  ],
  async run({ flags, terminal, signal }) {
    const settings = runSettings(flags);
    const input = refuseStandardInput(requireFlag("reviews structure", "in", flags.in), settings, flags);
    const output = requireFlag("reviews structure", "out", flags.out);
    const model = requireFlag("reviews structure", "model", flags.model);
    const second = flags["second-model"];
    const models = { model, ...(second !== undefined && { secondModel: second }) };
    const outcome = await runHereOrShared(
      settings,
      flags,
      { terminal, signal },
      () => ({
        kind: "structure-reviews",
        options: models,
        models: Object.values(models),
        pieces: piecesOfReviews(input),
      }),
      (own) =>
        structureReviews({
          ...models,
          input,
          output,
          ...(flags.dropped !== undefined && { dropped: flags.dropped }),
          settings: own,
          services: runServices(terminal, signal),
          onProgress: terminal.progress,
        }),
    );
    if (!outcome) return 0;
    return showOutcome(outcome, flags.json, terminal, (result) => ({
      kind: "structured-reviews",
      document: result,
      lines: output === "-" ? [] : inWords(result, model),
      isWhole: result.unscored === 0,
    }));
  },
});

function* inWords(report: StructureReport, model: string): Generator<string> {
  const { reviews, byFirst, bySecond, dropped, unscored, unmapped } = report;
  yield `${countOf(reviews, "review")}: ${byFirst} structured by ${model}, ${bySecond} by the second model, ${dropped} dropped, ${unscored} unscored.`;
  if (unmapped.length === 0) return;
  yield "Aspects that belong to none we know, with how often they are named:";
  for (const { name, count } of unmapped.slice(0, UNMAPPED_SHOWN)) yield `  ${count}  ${plainLine(name)}`;
}
