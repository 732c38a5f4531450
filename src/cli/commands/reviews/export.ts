import { join } from "node:path";
import { FabulaError } from "../../../core/errors.ts";
import { openRelease, type Release } from "../../../workflows/reproduce/longstoryeval-release.ts";
import { exportReviews, RATING_RULES } from "../../../workflows/reviews/export-reviews.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import type { Terminal } from "../../terminal.ts";

async function releaseOf(
  folder: string,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<Release> {
  const release = await openRelease({ folder, seed: 1, onProgress: terminal.progress, signal });
  if (release) return release;
  throw new FabulaError(
    "E_DATA_MISSING",
    `"${folder}" is no checkout of LongStoryEval's release: give --reviews and --books instead.`,
  );
}

export default defineCommand({
  summary: "Make training data for a model that reviews stories as readers do, with configurations for two trainers.",
  operands: "",
  flags: {
    reviews: {
      type: "string",
      value: "FILE",
      help: "JSONL of structured reviews: book, reviewer, rating, aspects, conclusion",
    },
    books: {
      type: "string",
      value: "FILE",
      help: "JSONL of their books: id, title, genres, premise, plot_summary, characters, excerpts, average_rating, ratings_5_to_1",
    },
    data: {
      type: "string",
      value: "CHECKOUT",
      help: "instead of --reviews and --books: a checkout of LongStoryEval's release, whose test books are kept out of training and whose form the examples have",
    },
    out: { type: "string", value: "FOLDER", help: "the folder to write to" },
    "test-share": {
      type: "number",
      value: "S",
      default: 0.1,
      minimum: 0,
      maximum: 0.9,
      help: "share of the books kept for testing",
    },
    "test-books": {
      type: "string",
      value: "FILE",
      help: "instead of a share: the books to keep out of training, an id or a title per line",
    },
    texts: {
      type: "string",
      value: "FOLDER",
      help: "the books' texts, named by their ids: examples then show excerpts, as the protocol does in use",
    },
    prompts: {
      type: "string",
      value: "FOLDER",
      help: "the form of the examples: a checkout of LongStoryEval's release for the form that NovelCritique was trained on, or prompts of your own [Fabula's]",
    },
    ratings: {
      type: "string",
      value: "RULE",
      choices: RATING_RULES,
      default: "shrunk",
      help: "LongStoryEval's Equation 1: as printed, or with each reader's habits drawn towards everyone's, as one or two ratings say little about a reader",
    },
    readers: {
      type: "string",
      value: "FILE",
      help: "with --ratings printed: JSONL of readers' means and deviations over all they rated [computed from the reviews]",
    },
    "per-book": {
      type: "number",
      value: "N",
      minimum: 1,
      integer: true,
      help: "at most this many reviews of one book",
    },
    "base-model": {
      type: "string",
      value: "NAME",
      default: "meta-llama/Llama-3.1-8B",
      help: "the model to be trained",
    },
    seed: {
      type: "number",
      value: "N",
      default: 1,
      integer: true,
      help: "the random seed for drawing reviews and books",
    },
  },
  examples: [
    "fabula reviews export --reviews reviews.jsonl --books books.jsonl --out training",
    "fabula reviews export --data LongStoryEval/ --out training",
    "fabula evaluate novel.epub --judge trained@http://localhost:8000/v1 --method summary --protocol novelcritique",
  ],
  async run({ flags: asked, terminal, signal }) {
    const folder = requireFlag("reviews export", "out", asked.out);
    const release = asked.data === undefined ? null : await releaseOf(asked.data, { terminal, signal });
    const flags = release ? { ...asked, prompts: asked.prompts ?? release.folder } : asked;
    const report = await exportReviews({
      reviews: release
        ? join(release.converted, "reviews.jsonl")
        : requireFlag("reviews export", "reviews", flags.reviews),
      books: release ? join(release.converted, "books.jsonl") : requireFlag("reviews export", "books", flags.books),
      folder,
      ...(release && { testBooks: join(release.folder, "dataset", "test.txt") }),
      testShare: flags["test-share"],
      ...(flags["test-books"] !== undefined && { testBooks: flags["test-books"] }),
      ...(flags.texts !== undefined && { texts: flags.texts }),
      ...(flags.prompts !== undefined && { prompts: flags.prompts }),
      ratings: RATING_RULES.find((rule) => rule === flags.ratings) ?? "shrunk",
      ...(flags.readers !== undefined && { readers: flags.readers }),
      ...(flags["per-book"] !== undefined && { perBook: flags["per-book"] }),
      baseModel: flags["base-model"],
      seed: flags.seed,
      onProgress: terminal.progress,
      signal,
    }).finally(() => release?.close());
    terminal.endProgress();
    if (flags.json) {
      terminal.print(jsonDocument("exported-reviews", report));
      return 0;
    }
    const { books, reviews, examples, booksWithoutSummary, booksWithExcerpts } = report;
    const bare = books.train + books.test - booksWithExcerpts;
    terminal.print(
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
        `Train in ${folder} with llama-factory.yaml or axolotl.yaml, serve the result with any OpenAI-compatible server, and give it as --judge NAME@URL --protocol novelcritique. recipe.sh does all of it up to Kendall's τ on the test books; DRY_RUN=1 sh recipe.sh shows the steps and their cost.`,
      ].join("\n"),
    );
    return 0;
  },
});
