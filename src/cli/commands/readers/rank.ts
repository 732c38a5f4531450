import { readerRankTask } from "../../../tasks/readers/reader.ts";
import type { BookRanking, JudgedBook, PredictedBook } from "../../../workflows/readers/rank.ts";
import { showAsked } from "../../output/show-asked.ts";
import { textTable } from "../../output/table.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(readerRankTask, {
  examples: [
    "fabula reader rank --books goodreads_library_export.csv",
    "fabula reader rank --books to-read/ --profile ada",
    "fabula reader rank --books to-read/ --profile ada --judge openai:gpt-4.1 --max-cost 1",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (ranking) => ({
      lines: ranking.kind === "predicted" ? predictedInWords(ranking) : judgedInWords(ranking, context.input.orders),
      isWhole: ranking.unranked.length === 0,
    })),
});

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
