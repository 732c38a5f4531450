import { sampleReviews } from "../../../workflows/reviews/prepare-reviews.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Sample each book's reviews so that their stars match the distribution of the book's ratings.",
  operands: "",
  flags: {
    in: { type: "string", value: "FILE", help: "JSONL of structured reviews: book, reviewer, rating, aspects" },
    books: { type: "string", value: "FILE", help: "JSONL of their books: id, average_rating, ratings_5_to_1" },
    out: { type: "string", value: "FILE", help: "the reviews that are kept" },
    seed: { type: "number", value: "N", default: 1, integer: true, help: "the random seed for drawing reviews" },
  },
  examples: ["fabula reviews sample --in reviews.jsonl.gz --books books.jsonl.gz --out sampled.jsonl"],
  async run({ flags, terminal }) {
    const mitigation = await sampleReviews({
      input: requireFlag("reviews sample", "in", flags.in),
      books: requireFlag("reviews sample", "books", flags.books),
      output: requireFlag("reviews sample", "out", flags.out),
      seed: flags.seed,
    });
    if (flags.json) terminal.print(jsonDocument("sampled-reviews", mitigation));
    else {
      terminal.note(
        `${mitigation.kept} of ${mitigation.reviews} reviews kept; their stars follow the ratings within ${mitigation.largestDifference.toFixed(2)} points.`,
      );
    }
    return 0;
  },
});
