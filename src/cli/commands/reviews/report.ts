import { reviewHtml, reviewMarkdown, reviewTables } from "../../../report/reviews.ts";
import { reportReviews } from "../../../workflows/reviews/review-report.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { titledTable } from "../../output/table.ts";
import { checkedEnding, writeReport } from "../../output/write-report.ts";

export default defineCommand({
  summary: "Report what readers discuss, by genre and rating, and how sampling and normalising change the ratings.",
  operands: "",
  flags: {
    reviews: { type: "string", value: "FILE", help: "JSONL of structured reviews: book, reviewer, rating, aspects" },
    books: { type: "string", value: "FILE", help: "JSONL of their books: id, genres, average_rating, ratings_5_to_1" },
    out: { type: "string", value: "FILE", help: "a report with plots (.html), tables (.md) or data (.json)" },
    seed: { type: "number", value: "N", default: 1, integer: true, help: "the random seed for drawing reviews" },
  },
  examples: ["fabula reviews report --reviews reviews.jsonl.gz --books books.jsonl.gz --out reviews.html"],
  async run({ flags, terminal, signal }) {
    if (flags.out) checkedEnding(flags.out, ["html", "md", "json"]);
    const findings = await reportReviews({
      reviews: requireFlag("reviews report", "reviews", flags.reviews),
      books: requireFlag("reviews report", "books", flags.books),
      seed: flags.seed,
      onProgress: terminal.progress,
      signal,
    });
    terminal.endProgress();
    if (flags.json) terminal.print(jsonDocument("review-findings", findings));
    else {
      for (const table of reviewTables(findings)) terminal.print(titledTable(table));
    }
    if (flags.out) {
      await writeReport(flags.out, {
        html: () => reviewHtml(findings),
        md: () => reviewMarkdown(findings),
        json: () => `${jsonDocument("review-findings", findings)}\n`,
      });
      terminal.note(`Wrote ${flags.out}.`);
    }
    return 0;
  },
});
