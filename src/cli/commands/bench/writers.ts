import type { BookCurve, BookFigure } from "../../../bench/books.ts";
import { PEOPLE } from "../../../bench/duels/duel.ts";
import type { DuelBoard, DuelJudge } from "../../../bench/duels/duel-board.ts";
import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { isAtCeiling } from "../../../bench/validity.ts";
import { leaderboard } from "../../../bench/writers/leaderboard.ts";
import { ratesInWords } from "../../../bench/writing.ts";
import { seededRandom } from "../../../core/random.ts";
import { countOf, judgeInWords, signedNumber } from "../../../core/wording.ts";
import { csvBenchmark, markdownBenchmark, terminalBenchmark } from "../../../report/bench/benchmark-table.ts";
import { htmlBenchmark } from "../../../report/bench/board.ts";
import { reportWordsIn } from "../../../report/bench/words.ts";
import { leaderboardTable } from "../../../report/tables.ts";
import type { DuelResult } from "../../../tasks/bench/run-duels.ts";
import type { BookResult, BooksOfWriter } from "../../../tasks/bench/write-books.ts";
import {
  benchBookTask,
  benchDuelTask,
  benchPlaceTask,
  benchReportTask,
  benchRunTask,
  levelsByJudge,
  type Written,
} from "../../../tasks/bench/writers.ts";
import { writeTable } from "../../../tasks/tables.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showAsked, showFreePlan, showPlan } from "../../output/show-plan.ts";
import { writeReport } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

const GRADER_CANNOT =
  "The embedded grader imitates a language-model grader and does not read the story: it cannot tell expert prose from a good imitation, and its scale ends near 100. For a leaderboard, name language models as judges.";

export const runCommand = taskCommand(benchRunTask, {
  usage: "Give the benchmark's folder: `fabula bench run bench/ --writer …`.",
  shares: true,
  examples: [
    "fabula bench run bench/ --writer openai:gpt-4o --max-cost 10",
    "fabula bench run bench/ --writer ollama:llama3 --dry-run",
    "fabula bench run bench/ --writer openai:gpt-4o,anthropic:claude-sonnet-4-5 --max-cost 20",
    "fabula bench run bench/ --writer openai:gpt-4o --panel anthropic:claude-sonnet-4-5,google:gemini-2.5-pro",
  ],
  async present(asked, context) {
    if (!asked) return 0;
    const { input, flags, terminal } = context;
    if (!asked.plan && !flags.json) {
      const files = asked.result.writers.flatMap(({ scores }) => scores);
      terminal.note(`Scores are in ${files.join(", ")}: rank writers with \`fabula bench report\`.`);
    }
    if (!asked.plan && asked.result.byGrader) terminal.note(GRADER_CANNOT);
    return showAsked(asked, context, ({ writers, population, byGrader }) => ({
      lines: [
        ...writers.flatMap((written) => [...inWords(written, byGrader, population.language)]),
        ...(writers.length > 1 ? tiesInWords(writers, population, input.seed) : []),
      ],
      isWhole: writers.every(({ level, unwritten, unscored }) => level && unwritten + unscored === 0),
    }));
  },
});

/** Says which of the writers can be told apart, over the novels they share. */
function* tiesInWords(written: readonly Written[], population: ReferencePopulation, seed: number): Generator<string> {
  const chapters = written.flatMap((one) => one.chapters);
  const { comparisons } = leaderboard(chapters, population, seededRandom(seed));
  const words = reportWordsIn(population.language).run;
  for (const { first, second, adjusted, difference } of comparisons.pairs) {
    const apart = adjusted !== null && adjusted < comparisons.significance;
    const [better, worse] = difference >= 0 ? [first, second] : [second, first];
    yield apart
      ? words.above(better, worse, Math.abs(difference).toFixed(2), adjusted.toFixed(4))
      : words.tied(first, second);
  }
  yield comparisons.method;
}

function* inWords(result: Written, isEmbeddedAlone: boolean, language: string | undefined): Generator<string> {
  const { name, level, unscored, rates } = result;
  const words = reportWordsIn(language).run;
  const range = (interval: readonly number[]) => interval.map((end) => end.toFixed(1)).join("–");
  const speaking = isEmbeddedAlone ? `${words.byGrader}${name}` : name;
  yield level
    ? words.level(speaking, level.level.toFixed(1), range(level.interval), level.novels)
    : words.unplaced(name);
  if (level && isAtCeiling(level)) yield `  ${words.ceiling(level.composite.toFixed(2))}`;
  for (const { judge, level: own, interval } of levelsByJudge(result))
    yield `  ${judge}: ${own.toFixed(1)} (${range(interval)})`;
  const kept = ratesInWords(name, rates, language);
  if (kept) yield kept;
  if (unscored > 0) yield words.unscored(unscored);
}

const GRADER_SPEAKS =
  "These are the percentiles of a language-model grader that reads no story: a range each, and none for a text outside what it learnt from. Texts whose ranges overlap cannot be told apart. The grader cannot tell expert prose from a good imitation of it: its scale ends near 100, and a text placed there is not necessarily great.";

export const placeCommand = taskCommand(benchPlaceTask, {
  examples: [
    "fabula bench place chapter.txt                                   (among the English classics that ship)",
    "fabula bench place chapter.txt --population bench/population.grader.json",
    "fabula bench place --in texts.jsonl --population population.json --out placed.jsonl",
  ],
  async present({ result, plan, plannedWork, run }, { flags: { json }, terminal, document }) {
    if (plannedWork !== null) return showFreePlan(plannedWork, { json, terminal });
    if (plan) return showPlan(plan, json, terminal);
    if (json && result.out !== "-") terminal.print(document());
    if (result.byGrader) terminal.note(GRADER_SPEAKS);
    if (run) terminal.note(runInWords(run));
    return result.unscored > 0 ? 3 : 0;
  },
});

export const reportCommand = taskCommand(benchReportTask, {
  usage: "Give the scores to rank: `fabula bench report scores.jsonl`.",
  flags: {
    out: {
      type: "string",
      value: "FILE",
      help: "write a report: .html, .md or .json, or a table: .csv, .jsonl or .parquet",
    },
  },
  examples: [
    "fabula bench report scores.jsonl --population population.json --out leaderboard.html",
    "fabula bench report published.jsonl.gz --rubric longform --json",
  ],
  async present({ benchmark, names }, { flags: { out, json }, terminal, document, show }) {
    if (out && /\.(?:jsonl|parquet)$/i.test(out)) {
      const { columns, rows } = leaderboardTable(benchmark);
      await writeTable(out, columns, rows);
    } else if (out) {
      await writeReport(out, {
        html: () => htmlBenchmark(benchmark, names),
        md: () => markdownBenchmark(benchmark, names),
        csv: () => csvBenchmark(benchmark),
        json: () => `${document()}\n`,
      });
    }
    await show(() => terminalBenchmark(benchmark, { colours: terminal.colours }));
    if (out && !json) terminal.note(`The report is in ${out}.`);
    return benchmark.board.unplaced.length > 0 ? 3 : 0;
  },
});

export const duelCommand = taskCommand(benchDuelTask, {
  usage: "Give a benchmark with texts of two writers: `fabula bench duel bench/ --judge openai:gpt-4.1`.",
  examples: [
    "fabula bench duel bench/ --judge openai:gpt-4.1 --dry-run",
    "fabula bench duel bench/ --judge openai:gpt-4.1,anthropic:claude-sonnet-4-5 --max-cost 10",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) => ({
      lines: duelLines(result),
      isWhole: result.board !== null && result.unanswered === 0,
    })),
});

const ENDED: Readonly<Record<DuelResult["ended"], string>> = {
  settled: "Every pair is far enough apart: more meetings would not change the letters.",
  "all met": "Every pair has met on all that both wrote.",
  "meetings spent": "All meetings are spent: --meetings N allows more.",
  "no judge": "No judge was asked: these are the answers and votes that are there.",
};

function* duelLines(result: DuelResult): Generator<string> {
  const { board, known, asked, votes, unanswered, ended, ownFamily, hasHuman } = result;
  if (!board) {
    yield "No two texts have been compared yet: name a judge with --judge.";
    return;
  }
  yield `${countOf(known + asked, "meeting")} by judges (${asked} new, both orders), ${countOf(votes, "vote")} of people, on ${countOf(board.novels, "novel")}.`;
  yield "";
  yield* duelTable(board, result.names);
  yield "";
  yield "Strength: log-odds of winning against the average contestant, with a 95 % interval. Writers that share a letter cannot be told apart,";
  yield `corrected for all pairs; the unit is the novel. ${
    board.acrossJudges
      ? "The judges are a sample: this holds for other judges too."
      : "This holds for these judges: three or more would say something about others."
  }`;
  yield "";
  for (const judge of board.judges) yield judgeLine(judge);
  if (board.amongPeople) {
    const { same, of } = board.amongPeople;
    yield `People among themselves: ${same} of ${of} votes on the same meeting agree.`;
  }
  if (votes > 0 && board.judges.every(({ withPeople }) => !withPeople))
    yield "No meeting was decided by a judge and by people: their agreement is not known.";
  if (!hasHuman)
    yield "The human originals took no part: their texts are not here. Name their folder with --originals.";
  if (ownFamily > 0)
    yield `${countOf(ownFamily, "answer")} of judges about writers of their own family ${ownFamily === 1 ? "does" : "do"} not count.`;
  if (unanswered > 0) yield `${countOf(unanswered, "answer")} could not be read.`;
  yield ENDED[ended];
}

function duelTable({ rows }: DuelBoard, names: Readonly<Record<string, string>>): string[] {
  const cells = rows.map(({ rank, writer, groups, strength, interval: [low, high], won, meetings }) => [
    String(rank),
    names[writer] ?? judgeInWords(writer),
    groups,
    strength.toFixed(2),
    `${low.toFixed(2)} to ${high.toFixed(2)}`,
    `${(100 * won).toFixed(0)} %`,
    String(Math.round(meetings)),
  ]);
  const all = [["#", "writer", "group", "strength", "95 %", "won", "meetings"], ...cells];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
}

function judgeLine({ judge, meetings, consistent, first, withPeople, order }: DuelJudge): string {
  const parts = [
    countOf(meetings, "meeting"),
    ...(consistent.of > 0 ? [`the same answer in both orders in ${consistent.same} of ${consistent.of}`] : []),
    ...(first ? [`${(100 * first.share).toFixed(0)} % for the text shown first`] : []),
    ...(withPeople
      ? [
          `agrees with people on ${withPeople.same} of ${withPeople.of} (95 %: ${withPeople.interval.map((end) => (100 * end).toFixed(0)).join("–")} %)`,
        ]
      : []),
    ...(order === null ? [] : [`order like people's: Spearman ${order.toFixed(2)}`]),
  ];
  return `${judge === PEOPLE ? "People" : judgeInWords(judge)}: ${parts.join("; ")}.`;
}

export const bookCommand = taskCommand(benchBookTask, {
  usage: "Give a benchmark with synopses: `fabula bench book bench/ --writer openai:gpt-4o --judge openai:gpt-4.1`.",
  examples: [
    "fabula bench book bench/ --writer openai:gpt-4o --judge openai:gpt-4.1 --dry-run",
    "fabula bench book bench/ --writer openai:gpt-4o --judge openai:gpt-4.1 --novels 2 --max-cost 10",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) => ({
      lines: bookLines(result),
      isWhole: result.unfinished === 0 && result.unscored === 0,
    })),
});

const FIGURES: readonly (readonly [BookFigure, string, number])[] = [
  ["quality", "quality", 2],
  ["repetition", "repeated %", 1],
  ["findings", "findings", 1],
  ["read", "read closely", 1],
];

function* bookLines({ writers, chapters, scale, unfinished, unscored }: BookResult): Generator<string> {
  for (const writer of writers) {
    yield* writerLines(writer);
    yield "";
  }
  yield `Quality: mean score of a chapter, ${scale.minimum} to ${scale.maximum}. Repeated: share of its words in passages that also occur in an earlier chapter.`;
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
