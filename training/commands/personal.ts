import { defineCommand } from "../../src/cli/command.ts";
import { requireFlag } from "../../src/cli/flags/require-flag.ts";
import { trainPersonal } from "../personal/personal-from-files.ts";

export default defineCommand({
  summary: "Retrain the personal predictor from books and their reviews.",
  operands: "",
  flags: {
    books: {
      type: "string",
      value: "FILE",
      help: "books as JSONL: id, title, genres, premise, plot_summary, characters, average_rating",
    },
    reviews: { type: "string", value: "FILE", help: "reviews as JSONL: book, reviewer, rating, aspects, conclusion" },
    out: { type: "string", value: "FOLDER", help: "where weights.bin goes" },
    seed: {
      type: "number",
      default: 1,
      integer: true,
      minimum: 0,
      value: "N",
      help: "the same seed gives the same file",
    },
  },
  examples: ["npm run train -- personal --books books.jsonl.gz --reviews reviews.jsonl.gz --out weights/"],
  async run({ flags, terminal }) {
    const report = await trainPersonal({
      books: requireFlag("npm run train -- personal", "books", flags.books),
      reviews: requireFlag("npm run train -- personal", "reviews", flags.reviews),
      folder: requireFlag("npm run train -- personal", "out", flags.out),
      seed: flags.seed,
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    terminal.print(
      flags.json
        ? JSON.stringify(report)
        : `${report.file}: ${(report.bytes / 1e6).toFixed(1)} MB from ${report.reviews} reviews by ${report.readers} readers of ${report.books} books\nsha256 ${report.sha256}`,
    );
    return 0;
  },
});
