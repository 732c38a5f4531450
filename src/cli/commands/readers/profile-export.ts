import { countOf } from "../../../core/wording.ts";
import { profileExportTask } from "../../../tasks/readers/profiles.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(profileExportTask, {
  usage: "`fabula reader profile export` takes one NAME. See `fabula reader profile export --help`.",
  examples: ["fabula reader profile export ada --out ada.jsonl"],
  async present({ name, reviews, file }, { flags: { json }, terminal, document }) {
    if (json && file !== "-") terminal.print(document());
    else terminal.note(`${countOf(reviews, "review")} of ${name} written.`);
    return 0;
  },
});
