import {
  type BookRanking,
  type JudgedBook,
  type PredictedBook,
  rankBooks,
  rankBooksByJudge,
} from "../../../workflows/readers/rank.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import { defineCommand } from "../../command.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { historyFlag, READER_FLAGS } from "../../flags/reader-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { showOutcome } from "../../output/show-outcome.ts";
import { showFreePlan } from "../../output/show-plan.ts";
import { textTable } from "../../output/table.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";
import { runServices } from "../../run-services.ts";

const EMBEDDED = "embedded";

export default defineCommand({
  summary:
    "Rank the books of a folder by how much one reader would like them: without a model or network, or by a language model.",
  operands: "",
  flags: {
    books: {
      type: "string",
      value: "FOLDER",
      help: "books (EPUB, text, Word, PDF); NAME.json beside NAME.epub adds plot_summary, characters, genres",
    },
    profile: { type: "string", value: "PROFILE", help: "the reader: a profile's name, or a profile in a .json file" },
    profiles: PROFILES_FLAG,
    judge: {
      type: "string",
      value: "MODEL",
      default: EMBEDDED,
      help: "who ranks: embedded, or a model that stands in for the reader: openai:MODEL, MODEL@http://host/v1, …",
    },
    k: historyFlag(3),
    orders: {
      type: "number",
      default: 3,
      integer: true,
      minimum: 1,
      maximum: 50,
      value: "N",
      help: "ask a model about each book this many times, with the earlier reviews in a different order each time",
    },
    "stars-only": READER_FLAGS["stars-only"],
    temperature: READER_FLAGS.temperature,
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula reader rank --books to-read/ --profile ada",
    "fabula reader rank --books to-read/ --profile ada --judge openai:gpt-4.1 --max-cost 1",
  ],
  async run(asked) {
    const { flags, terminal } = asked;
    const folder = requireFlag("reader rank", "books", flags.books);
    const name = requireFlag("reader rank", "profile", flags.profile);
    const profile = await openProfile(name, profileFolder(flags.profiles));
    if (flags.judge === EMBEDDED) {
      if (flags["dry-run"]) return showFreePlan(`rank the books of ${folder}`, { json: flags.json, terminal });
      const ranking = await rankBooks(folder, profile, terminal.progress);
      terminal.endProgress();
      const lines = predictedInWords(ranking);
      terminal.print(
        flags.json ? jsonDocument("reader-ranking", documentOf(ranking, predictedFields)) : lines.join("\n"),
      );
      return ranking.unranked.length > 0 ? 3 : 0;
    }
    const outcome = await rankBooksByJudge({
      folder,
      profile,
      judge: flags.judge,
      count: flags.k,
      orders: flags.orders,
      scale: 10,
      withWords: !flags["stars-only"],
      temperature: flags.temperature,
      settings: runSettings(flags),
      services: runServices(terminal, asked.signal),
      onProgress: terminal.progress,
    });
    return showOutcome(outcome, flags.json, terminal, (ranking) => ({
      kind: "reader-ranking",
      document: documentOf(ranking, judgedFields),
      lines: judgedInWords(ranking, flags.orders),
      isWhole: ranking.unranked.length === 0,
    }));
  },
});

function documentOf<Book extends PredictedBook | JudgedBook>(
  { reader, ranked, unranked }: BookRanking<Book>,
  fieldsOf: (book: Book) => object,
) {
  const books = ranked.map((book) => {
    const { item, rank } = book;
    return { rank, file: item.file, title: item.title, ...fieldsOf(book), missing: item.missing };
  });
  return { reader, books, unranked };
}

function predictedFields({ prediction }: PredictedBook) {
  const { rating, interval, because, descriptionTrust, notes } = prediction;
  return { rating, interval, because, descriptionTrust, notes };
}

function judgedFields({ rating, interval, scores, review }: JudgedBook) {
  return { rating, interval, scores, review };
}

function predictedInWords(ranking: BookRanking<PredictedBook>): string[] {
  return tableInWords(
    ranking,
    "Books marked = on the same rank cannot be told apart: their order is right less than three times in five.",
    ["stars", "four times in five"],
    ({ prediction: { rating, interval } }) => [rating.toFixed(2), range(interval)],
  );
}

function judgedInWords(ranking: BookRanking<JudgedBook>, orders: number): string[] {
  return tableInWords(
    ranking,
    orders > 1
      ? "Books marked = on the same rank cannot be told apart: asked again, the model would put them the other way round more than twice in five times."
      : "The model was asked once about each book, so nothing says which of them it can tell apart: use --orders 3 or more.",
    ["of 10", "95% over the orders"],
    ({ rating, interval }) => [rating.toFixed(1), interval ? range(interval) : "–"],
  );
}

function tableInWords<Book extends PredictedBook | JudgedBook>(
  { reader, ranked, unranked }: BookRanking<Book>,
  hint: string,
  headings: readonly string[],
  cellsOf: (book: Book) => readonly string[],
): string[] {
  const isShared = (rank: number) => ranked.filter((book) => book.rank === rank).length > 1;
  const rows = ranked.map((book) => [
    `${book.rank}${isShared(book.rank) ? "=" : ""}`,
    book.item.title,
    ...cellsOf(book),
    book.item.missing.join(", "),
  ]);
  return [
    `For ${reader}. ${hint}`,
    textTable(["rank", "book", ...headings, "not known of it"], rows),
    ...unranked.map(({ file, reason }) => `Not ranked: ${file}: ${reason}`),
  ];
}

function range(interval: readonly [number, number]): string {
  return interval.map((bound) => bound.toFixed(1)).join("–");
}
