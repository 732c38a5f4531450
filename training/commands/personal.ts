import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { defineCommand, requireFlag } from "../../src/cli/command.ts";
import { sha256 } from "../../src/core/hash.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { encodePersonalModel } from "../../src/reader/predictor/personal-weights.ts";
import { thinDescriptionTrust } from "../personal/fit-trust.ts";
import { trainPersonalModel } from "../personal/train-personal-model.ts";
import { readTrainingData } from "../personal/training-data.ts";

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

interface TrainPersonalRequest {
  readonly books: string;
  readonly reviews: string;
  readonly folder: string;
  readonly seed: number;
  readonly onProgress: ProgressListener;
}

interface TrainPersonalReport {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly books: number;
  readonly readers: number;
  readonly reviews: number;
}

/** Books and reviews → the weights of the personal predictor. The same data and seed give the same file. */
async function trainPersonal(request: TrainPersonalRequest): Promise<TrainPersonalReport> {
  const table = await readTrainingData(request.books, request.reviews);
  const everything = { books: () => true, readers: () => true };
  const { model, appeal } = trainPersonalModel(table, everything, request.seed, request.onProgress);
  const trust = thinDescriptionTrust(table.books, model.likeness, model.stories.weights, appeal);
  const bytes = encodePersonalModel({ ...model, trust });
  await mkdir(request.folder, { recursive: true });
  const file = join(request.folder, "weights.bin");
  await writeFile(file, bytes);
  return {
    file,
    sha256: sha256(bytes),
    bytes: bytes.length,
    books: table.books.length,
    readers: table.readers,
    reviews: table.rows,
  };
}
