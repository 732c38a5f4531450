import { normaliseReviews } from "../../../workflows/reviews/prepare-reviews.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
  summary: "Put the ratings of strict and generous readers on one scale.",
  operands: "",
  flags: {
    in: { type: "string", value: "FILE", help: "JSONL of structured reviews: book, reviewer, rating, aspects" },
    out: { type: "string", value: "FILE", help: "write the same reviews with normalised_rating added" },
    books: {
      type: "string",
      value: "FILE",
      help: "JSONL of books with ratings_5_to_1: their ratings are the platform's; else those of the reviews are",
    },
    readers: {
      type: "string",
      value: "FILE",
      help: "JSONL of reviewer with mean and deviation, or ratings_5_to_1: then by Equation 1 of LongStoryEval as printed",
    },
  },
  examples: [
    "fabula reviews normalise --in reviews.jsonl.gz --books books.jsonl.gz --out normalised.jsonl",
    "fabula reviews normalise --in reviews.jsonl --books books.jsonl --readers readers.jsonl --out normalised.jsonl",
  ],
  async run({ flags, terminal }) {
    const report = await normaliseReviews({
      input: requireFlag("reviews normalise", "in", flags.in),
      output: requireFlag("reviews normalise", "out", flags.out),
      ...(flags.books !== undefined && { books: flags.books }),
      ...(flags.readers !== undefined && { readers: flags.readers }),
    });
    const moments = ({ mean, deviation }: typeof report.before) =>
      `mean ${mean.toFixed(3)}, deviation ${deviation.toFixed(3)}`;
    if (flags.json) terminal.print(jsonDocument("normalised-reviews", report));
    else {
      terminal.note(
        `${report.ratings} ratings of ${report.reviewers} readers: ${moments(report.before)} before, ${moments(report.after)} after; the platform has ${moments(report.platform)}.`,
      );
    }
    if (report.unnormalised > 0) {
      terminal.note(
        `${report.unnormalised} ratings have no normalised one: their readers are not in ${flags.readers}, or give every book the same stars.`,
      );
    }
    return report.unnormalised > 0 ? 3 : 0;
  },
});
