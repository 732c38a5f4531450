import { FabulaError } from "../../../core/errors.ts";
import { makeSynopses } from "../../../workflows/bench/synopses/make-synopses.ts";
import { inRun } from "../../../workflows/runs/in-run.ts";
import { defineCommand } from "../../command.ts";
import { BENCH_PROMPT_FLAGS, benchPrompts } from "../../flags/bench-flags.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { runServices } from "../../run-services.ts";

export default defineCommand({
  summary: "Retell every chosen chapter as a synopsis, and measure and limit how much of the original wording leaks.",
  operands: "FOLDER",
  flags: {
    model: { type: "string", value: "MODEL", help: "the model that retells" },
    "leak-limit": {
      type: "number",
      value: "SHARE",
      default: 0.1,
      minimum: 0,
      maximum: 1,
      help: "largest share copied word for word",
    },
    attempts: {
      type: "number",
      value: "N",
      default: 3,
      minimum: 1,
      maximum: 10,
      integer: true,
      help: "attempts per chapter",
    },
    ...BENCH_PROMPT_FLAGS,
    ...MODEL_FLAGS,
  },
  examples: ["fabula bench synopsis bench/ --model openai:gpt-4o-mini --max-cost 5"],
  async run({ operands, flags, terminal, signal }) {
    const folder = operands[0];
    if (!folder)
      throw new FabulaError("E_USAGE", "Give the benchmark's folder: `fabula bench synopsis bench/ --model …`.");
    const model = requireFlag("bench synopsis", "model", flags.model);
    const { result, plan, run } = await inRun(runSettings(flags), runServices(terminal, signal), (opened) =>
      makeSynopses(opened, {
        folder,
        model,
        leakLimit: flags["leak-limit"],
        attempts: flags.attempts,
        prompts: benchPrompts(flags),
        onProgress: terminal.progress,
        signal,
      }),
    );
    terminal.endProgress();
    if (plan) return showPlan(plan, flags.json, terminal);
    const failed = result.filter((row) => row.synopsis === null);
    const leaks = result.flatMap((row) => row.leak ?? []);
    const worst = leaks.reduce((highest, leak) => Math.max(highest, leak), 0);
    if (flags.json) {
      terminal.print(
        jsonDocument("bench-synopses", {
          chapters: result.length,
          failed: failed.length,
          worstLeak: worst,
          run: run.id,
        }),
      );
    } else {
      terminal.print(
        `${result.length - failed.length} of ${result.length} chapters retold; at most ${(worst * 100).toFixed(1)} % of a synopsis is the original's wording.`,
      );
      for (const row of failed.slice(0, 5)) terminal.print(`  ${row.novel}, chapter ${row.chapter}: ${row.reason}`);
    }
    terminal.note(runInWords(run));
    return failed.length > 0 ? 3 : 0;
  },
});
