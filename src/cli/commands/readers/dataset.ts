import { readerDatasetTask } from "../../../tasks/readers/reader.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(readerDatasetTask, {
  examples: [
    "fabula reader dataset --stories stories.jsonl --reviews reviews.jsonl --model openai:gpt-4.1-mini --out tuning/ --max-cost 10",
    "fabula reader dataset --stories stories.jsonl --reviews reviews.jsonl --out tuning/ --k 5",
  ],
  async present({ result, plan, run }, { input: { out: folder, model }, flags, terminal, show }) {
    if (plan) return showPlan(plan, flags.json, terminal);
    const { train, validation, readers, stories, comparisons, leaks, shortened, tooLong, unprepared, aspects } = result;
    await show(() =>
      [
        ...(aspects.train + aspects.validation > 0
          ? [
              `${folder}: ${aspects.train} choices on one aspect to train on and ${aspects.validation} to validate with.`,
            ]
          : []),
        ...(stories === 0
          ? []
          : [
              `${folder}: ${train} conversations to train on, ${validation} to validate with, from ${readers.kept} readers (${readers.dropped} dropped for too few reviews) and ${stories} stories.`,
            ]),
        ...(stories === 0
          ? []
          : [
              `Beside them ${comparisons.train} and ${comparisons.validation} comparisons: which of two stories the reader rated clearly higher.`,
            ]),
        ...(leaks
          ? [
              `${leaks.named} of ${leaks.conversations} conversations still name one of their books (titles ${leaks.by.title}, authors ${leaks.by.author}, characters ${leaks.by.character}).`,
            ]
          : []),
        ...(model === undefined && stories > 0
          ? [
              "The stories were taken as they are: a model may know published ones. Give --model to change names and retell plots.",
            ]
          : []),
        ...(shortened + tooLong > 0
          ? [`${shortened} histories were shortened to fit; ${tooLong} did not fit at all.`]
          : []),
        ...Object.entries(unprepared).map(([reason, count]) => `  ${count} stories left out: ${reason}`),
      ].join("\n"),
    );
    if (model !== undefined && run) terminal.note(runInWords(run));
    return Object.keys(unprepared).length > 0 ? 3 : 0;
  },
});
