import { importanceHtml, importanceMarkdown, importanceNotes, importanceTables } from "../../../report/reviews.ts";
import { analyseReviews } from "../../../workflows/reviews/analyse-reviews.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { titledTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";

export default defineCommand({
  summary:
    "What drives books' ratings: the importance of each aspect within genres, by dominance analysis, with intervals.",
  operands: "",
  flags: {
    reviews: { type: "string", value: "FILE", help: "JSONL of structured reviews: book, reviewer, rating, aspects" },
    books: { type: "string", value: "FILE", help: "JSONL of their books: id, genres, average_rating, ratings_5_to_1" },
    out: { type: "string", value: "FILE", help: "a report with plots (.html), tables (.md) or data (.json)" },
    seed: { type: "number", value: "N", default: 1, integer: true, help: "the random seed for drawing books" },
    resamples: {
      type: "number",
      value: "N",
      default: 500,
      minimum: 0,
      integer: true,
      help: "bootstrap resamples of books",
    },
  },
  examples: ["fabula reviews analyse --reviews reviews.jsonl.gz --books books.jsonl.gz --out importance.html"],
  async run({ flags, terminal, signal }) {
    if (flags.out) checkedEnding(flags.out, ["html", "md", "json"]);
    const importance = await analyseReviews({
      reviews: requireFlag("reviews analyse", "reviews", flags.reviews),
      books: requireFlag("reviews analyse", "books", flags.books),
      seed: flags.seed,
      resamples: flags.resamples,
      onProgress: terminal.progress,
      signal,
    });
    terminal.endProgress();
    if (flags.json) terminal.print(jsonDocument("review-importance", importance));
    else {
      for (const table of importanceTables(importance)) terminal.print(titledTable(table));
      for (const note of importanceNotes(importance)) terminal.note(note);
    }
    if (flags.out) {
      await writeReport(flags.out, {
        html: () => importanceHtml(importance),
        md: () => importanceMarkdown(importance),
        json: () => `${jsonDocument("review-importance", importance)}\n`,
      });
      terminal.note(`Wrote ${flags.out}.`);
    }
    return importance.all === null ? 3 : 0;
  },
});
