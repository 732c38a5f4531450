import { profileShowTask } from "../../../tasks/readers/profiles.ts";
import { profileInWords } from "../../output/profile-wording.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(profileShowTask, {
  usage: "`fabula reader profile show` takes one NAME. See `fabula reader profile show --help`.",
  examples: ["fabula reader profile show ada"],
  async present(description, { show }) {
    await show(() => profileInWords(description));
    return 0;
  },
});
