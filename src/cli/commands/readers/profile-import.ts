import { countOf } from "../../../core/wording.ts";
import { profileImportTask } from "../../../tasks/readers/profiles.ts";
import { profileInWords } from "../../output/profile-wording.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(profileImportTask, {
  usage: "`fabula reader profile import` takes one NAME. See `fabula reader profile import --help`.",
  examples: [
    "fabula reader profile import ada --in goodreads_library_export.csv",
    "fabula reader profile import ada --in reviews.jsonl --scale 10 --language zh",
  ],
  async present({ report, description }, { show }) {
    const { source, imported, without, repeats, reviews, toRead, comparisons } = report;
    const shelf = toRead > 0 ? ` and a shelf of ${toRead} to read` : "";
    const choices = comparisons > 0 ? ` and ${countOf(comparisons, "choice")} between two stories` : "";
    await show(() =>
      [
        `${countOf(imported, "review")} read from ${source}, ${countOf(without, "row")} without stars or words left out, ${countOf(repeats, "repeat")} joined; the profile holds ${reviews}${shelf}${choices}.`,
        profileInWords(description),
      ].join("\n"),
    );
    return 0;
  },
});
