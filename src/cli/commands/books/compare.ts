import { compareTask } from "../../../tasks/books/compare.ts";
import { comparisonInWords, juryComparisonInWords } from "../../output/comparison-wording.ts";
import { showAsked } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export const compareCommand = taskCommand(compareTask, {
  usage: "Name at least two books: `fabula compare one.epub two.epub`.",
  examples: [
    "fabula compare draft-1.docx draft-2.docx",
    "fabula compare draft-1.docx draft-2.docx --judge openai:gpt-4.1 --max-cost 2",
    "fabula compare shortlist/*.epub --judge ollama:llama3.1 --until top3",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) =>
      result.kind === "jury"
        ? {
            lines: juryComparisonInWords(result),
            isWhole: result.books.every(({ overall }) => overall.kind === "scored"),
          }
        : { lines: comparisonInWords(result), isWhole: result.failures.length === 0 },
    ),
});
