import { profileListTask } from "../../../tasks/readers/profiles.ts";
import { textTable } from "../../output/table.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(profileListTask, {
  examples: ["fabula reader profile list"],
  async present(rows, { show }) {
    await show(() =>
      rows.length === 0
        ? "No profiles yet: `fabula reader profile import NAME --in FILE` makes one."
        : textTable(
            ["name", "language", "reviews", "with words"],
            rows.map((row) => [row.name, row.language, `${row.reviews}`, `${row.withWords}`]),
          ),
    );
    return 0;
  },
});
