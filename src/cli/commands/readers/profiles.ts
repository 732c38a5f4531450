import { countOf } from "../../../core/wording.ts";
import { textTable } from "../../../report/report-forms.ts";
import {
  profileDeleteTask,
  profileExportTask,
  profileImportTask,
  profileListTask,
  profileShowTask,
} from "../../../tasks/readers/profiles.ts";
import { profileInWords } from "../../output/reader-wording.ts";
import { taskCommand } from "../../task-command.ts";

export const profileImportCommand = taskCommand(profileImportTask, {
  usage: "`fabula reader profile import` takes one NAME. See `fabula reader profile import --help`.",
  examples: [
    "fabula reader profile import ada --in goodreads_library_export.csv",
    "fabula reader profile import ada --in reviews.jsonl --ratings-scale 10 --language zh",
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

export const profileListCommand = taskCommand(profileListTask, {
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

export const profileShowCommand = taskCommand(profileShowTask, {
  usage: "`fabula reader profile show` takes one NAME. See `fabula reader profile show --help`.",
  examples: ["fabula reader profile show ada"],
  async present(description, { show }) {
    await show(() => profileInWords(description));
    return 0;
  },
});

export const profileExportCommand = taskCommand(profileExportTask, {
  usage: "`fabula reader profile export` takes one NAME. See `fabula reader profile export --help`.",
  examples: ["fabula reader profile export ada --out ada.jsonl"],
  async present({ name, reviews, file }, { flags: { json }, terminal, document }) {
    if (json && file !== "-") terminal.print(document());
    else terminal.note(`${countOf(reviews, "review")} of ${name} written.`);
    return 0;
  },
});

export const profileDeleteCommand = taskCommand(profileDeleteTask, {
  usage: "`fabula reader profile delete` takes one NAME. See `fabula reader profile delete --help`.",
  examples: ["fabula reader profile delete ada"],
  async present({ deleted }, { show }) {
    await show(() => `${deleted} is deleted.`);
    return 0;
  },
});
