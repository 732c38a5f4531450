import type { BookCurve, BookFigure } from "../../../bench/books.ts";
import { countOf, judgeInWords, signedNumber } from "../../../core/wording.ts";
import { benchBookTask } from "../../../tasks/bench/book.ts";
import type { BookResult, BooksOfWriter } from "../../../tasks/bench/books.ts";
import { showAsked } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export const bookCommand = taskCommand(benchBookTask, {
  usage: "Give a benchmark with synopses: `fabula bench book bench/ --writer openai:gpt-4o --judge openai:gpt-4.1`.",
  examples: [
    "fabula bench book bench/ --writer openai:gpt-4o --judge openai:gpt-4.1 --dry-run",
    "fabula bench book bench/ --writer openai:gpt-4o --judge openai:gpt-4.1 --novels 2 --max-cost 10",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) => ({
      lines: linesOf(result),
      isWhole: result.unfinished === 0 && result.unscored === 0,
    })),
});

const FIGURES: readonly (readonly [BookFigure, string, number])[] = [
  ["quality", "quality", 2],
  ["repetition", "repeated %", 1],
  ["findings", "findings", 1],
  ["read", "read closely", 1],
];

function* linesOf({ writers, chapters, scale, unfinished, unscored }: BookResult): Generator<string> {
  for (const writer of writers) {
    yield* writerLines(writer);
    yield "";
  }
  yield `Quality: mean score of a chapter, ${scale.minimum} to ${scale.maximum}. Repeated: share of its words in runs that stand in an earlier chapter.`;
  yield "Findings of `fabula check`, and of a close reading, per 10,000 words; one that spans chapters counts in the last of them.";
  const isOneBook = writers.every(({ books }) => books.length < 2);
  yield `Over ten chapters: the mean slope of the books${isOneBook ? "" : ", with a 95 % interval"}; a book has ${countOf(chapters, "chapter")}.${
    isOneBook ? " One book has no interval: write more with --novels." : ""
  }`;
  if (unfinished > 0) yield `${countOf(unfinished, "book")} ended early: the reasons are in the JSON document.`;
  if (unscored > 0) yield `${countOf(unscored, "text")} got no score from some judge.`;
}

function* writerLines({ writer, books, curves, whole }: BooksOfWriter): Generator<string> {
  const words = books.reduce((sum, book) => sum + book.words, 0);
  yield `${judgeInWords(writer)}: ${countOf(books.length, "book")}, ${words.toLocaleString("en")} words${
    whole ? `; as a whole ${whole.mean.toFixed(2)}${rangeOf(whole.interval, 2)}` : ""
  }`;
  const shown = FIGURES.filter(([figure]) => curves[figure].points.length > 0);
  const width = 14;
  yield `  ${"chapter".padEnd(20)}${shown.map(([, label]) => label.padStart(width)).join("")}`;
  for (const { chapter } of curves.repetition.points) {
    const cells = shown.map(([figure, , digits]) => {
      const point = curves[figure].points.find((one) => one.chapter === chapter);
      return (point ? scaled(figure, point.value).toFixed(digits) : "–").padStart(width);
    });
    yield `  ${String(chapter).padEnd(20)}${cells.join("")}`;
  }
  const over = shown.map(([figure, , digits]) => slopeInWords(figure, curves[figure], digits).padStart(width));
  yield `  ${"over ten chapters".padEnd(20)}${over.join("")}`;
  for (const [figure, label, digits] of shown) {
    const { slope } = curves[figure];
    if (slope?.interval) {
      const [low, high] = slope.interval.map((end) => signedNumber(scaled(figure, end), digits));
      yield `    ${label}: 95 % from ${low} to ${high}`;
    }
  }
}

function scaled(figure: BookFigure, value: number): number {
  return figure === "repetition" ? 100 * value : value;
}

function slopeInWords(figure: BookFigure, { slope }: BookCurve, digits: number): string {
  return slope ? signedNumber(scaled(figure, slope.perTenChapters), digits) : "–";
}

function rangeOf(interval: readonly [number, number] | null, digits: number): string {
  return interval ? ` (${interval[0].toFixed(digits)}–${interval[1].toFixed(digits)})` : "";
}
