import { rubricCheckTask } from "../../../tasks/books/rubric-check.ts";
import { taskCommand } from "../../task-command.ts";

export const rubricCheckCommand = taskCommand(rubricCheckTask, {
  usage: "`fabula rubric check` takes one FILE. See `fabula rubric check --help`.",
  examples: ["fabula rubric check my-rubric.yaml"],
  async present({ file, rubric, problems }, { show }) {
    await show(() => {
      if (rubric === null)
        return problems.map(({ at, problem }) => `${at === "" ? file : `${file} at ${at}`}: ${problem}`).join("\n");
      const { id, version, criteria, scale } = rubric;
      return `${file} is in order: ${id} ${version}, ${criteria.length} criteria, ${scale.minimum} to ${scale.maximum}.`;
    });
    return rubric === null ? 1 : 0;
  },
});
