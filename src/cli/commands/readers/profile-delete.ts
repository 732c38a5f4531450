import { profileDeleteTask } from "../../../tasks/readers/profiles.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(profileDeleteTask, {
  usage: "`fabula reader profile delete` takes one NAME. See `fabula reader profile delete --help`.",
  examples: ["fabula reader profile delete ada"],
  async present({ deleted }, { show }) {
    await show(() => `${deleted} is deleted.`);
    return 0;
  },
});
