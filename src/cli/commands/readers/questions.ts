import { readerQuestionsTask } from "../../../tasks/readers/reader.ts";
import { textTable } from "../../output/table.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(readerQuestionsTask, {
  examples: ["fabula reader questions --books goodreads_library_export.csv", "fabula reader questions --profile ada"],
  async present({ reader, about, candidates, questions }, { show }) {
    await show(() =>
      questions.length === 0
        ? `For ${reader}: no rating of the ${candidates} unrated books would teach anything about ${about}.`
        : [
            `For ${reader}: rate these, in this order. Of ${candidates} books read and not rated, their ratings would teach most about ${about}.`,
            textTable(
              ["", "book", "settles", "says most about"],
              questions.map(({ title, author, settles, near }, at) => [
                String(at + 1),
                author === null ? title : `${title}, ${author}`,
                `${(100 * settles).toFixed(1)}%`,
                near.join("; "),
              ]),
            ),
            "“Settles” is the part of what is not known about those ratings that this one would remove, once those above it are given.",
          ].join("\n"),
    );
    return 0;
  },
});
