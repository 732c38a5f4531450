import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { benchSubmitTask } from "../../../tasks/bench/frozen.ts";
import { taskCommand } from "../../task-command.ts";

const MOST_SHOWN = 20;

export default taskCommand(benchSubmitTask, {
  usage: "Give a frozen benchmark and a submission: `fabula bench submit board-v1 chapters.jsonl --writer NAME`.",
  examples: [
    "fabula bench submit board-v1 chapters.jsonl --writer storyteller-2 --model openai:gpt-4o --check",
    "fabula bench submit board-v1 chapters.jsonl --writer storyteller-2 --maker Example",
  ],
  async present({ folder, version, writer, chapters, asked, problems, notes, taken }, { show, terminal }) {
    const about = `${writer}: ${chapters} of ${asked} chapters of version ${version}`;
    await show(() =>
      problems.length > 0
        ? `${about}. It was not taken in:\n${problems
            .slice(0, MOST_SHOWN)
            .map((one) => `  ${one}`)
            .join(
              "\n",
            )}${problems.length > MOST_SHOWN ? `\n  … and ${countOf(problems.length - MOST_SHOWN, "other")}` : ""}`
        : `${about}. ${taken ? `Taken in: score it with \`fabula bench extend ${folder}\`.` : "Nothing is wrong with it."}`,
    );
    for (const note of notes) terminal.note(`${note}.`);
    if (problems.length > 0)
      throw new FabulaError(
        "E_SUBMISSION",
        `${countOf(problems.length, "problem")} in the submission; it was not taken in.`,
      );
    return chapters < asked ? 3 : 0;
  },
});
