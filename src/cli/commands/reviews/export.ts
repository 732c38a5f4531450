import { reviewsExportTask } from "../../../tasks/reviews/reviews.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(reviewsExportTask, {
  examples: [
    "fabula reviews export --reviews reviews.jsonl --books books.jsonl --out training",
    "fabula reviews export --data LongStoryEval/ --out training",
    "fabula evaluate novel.epub --judge trained@http://localhost:8000/v1 --method summary --protocol novelcritique",
  ],
  async present({ books, reviews, examples, booksWithoutSummary, booksWithExcerpts }, { input, show }) {
    const bare = books.train + books.test - booksWithExcerpts;
    await show(() =>
      [
        `${reviews.kept} of ${reviews.given} reviews kept: ${examples.train} examples from ${books.train} books to train on, ${examples.test} from ${books.test} others to test with.`,
        ...(reviews.unnormalised > 0
          ? [
              `${reviews.unnormalised} reviews are left out: Equation 1 as printed has no answer for readers of whom nothing is known or who give every book the same stars.`,
            ]
          : []),
        ...(booksWithoutSummary > 0
          ? [`${booksWithoutSummary} books have reviews but no plot summary: they are left out.`]
          : []),
        ...(bare > 0
          ? [
              `${bare} books have no excerpts, which a judge is shown in use: give their texts with --texts FOLDER, or "excerpts" in the books file.`,
            ]
          : []),
        `Train in ${input.out} with llama-factory.yaml or axolotl.yaml, serve the result with any OpenAI-compatible server, and give it as --judge NAME@URL --protocol novelcritique. recipe.sh does all of it up to Kendall's τ on the test books; DRY_RUN=1 sh recipe.sh shows the steps and their cost.`,
      ].join("\n"),
    );
    return 0;
  },
});
