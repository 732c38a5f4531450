import { benchPlaceTask } from "../../../tasks/bench/benchmark.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showFreePlan, showPlan } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

const GRADER_SPEAKS =
  "These are the percentiles of a language-model grader that reads no story: a range each, and none for a text outside what it learnt from. Texts whose ranges overlap cannot be told apart. The grader cannot tell expert prose from a good imitation of it: its scale ends near 100, and a text placed there is not necessarily great.";

export default taskCommand(benchPlaceTask, {
  examples: [
    "fabula bench place chapter.txt                                   (among the English classics that ship)",
    "fabula bench place chapter.txt --population bench/population.grader.json",
    "fabula bench place --in texts.jsonl --population population.json --out placed.jsonl",
  ],
  async present({ result, plan, wouldDo, run }, { flags: { json }, terminal, document }) {
    if (wouldDo !== null) return showFreePlan(wouldDo, { json, terminal });
    if (plan) return showPlan(plan, json, terminal);
    if (json && result.out !== "-") terminal.print(document());
    if (result.byGrader) terminal.note(GRADER_SPEAKS);
    if (run) terminal.note(runInWords(run));
    return result.unscored > 0 ? 3 : 0;
  },
});
