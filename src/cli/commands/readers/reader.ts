import type { ReportPlot } from "../../../api/evaluations.ts";
import { countOf, signedNumber } from "../../../core/wording.ts";
import { ordersOf } from "../../../reader/evaluation/history-orders.ts";
import { plainLine } from "../../../report/markup.ts";
import { sectionedPersonal } from "../../../report/personal/personal-view.ts";
import { reportFiles, reportText, textTable } from "../../../report/report-forms.ts";
import type { Accuracy, ComparisonAgreement } from "../../../tasks/readers/comparison-agreement.ts";
import type { CurveFigure } from "../../../tasks/readers/curve-point.ts";
import type { HistoryCurve } from "../../../tasks/readers/history-curve.ts";
import type { BookRanking, JudgedBook, PredictedBook, PredictedRanking } from "../../../tasks/readers/rank.ts";
import {
  EMBEDDED,
  readerComparePairsTask,
  readerCompareTask,
  readerCurveTask,
  readerDatasetTask,
  readerPredictPairsTask,
  readerPredictTask,
  readerQuestionsTask,
  readerRankTask,
  readerReviewPairsTask,
  readerReviewTask,
} from "../../../tasks/readers/reader.ts";
import type { ReaderReviewResult } from "../../../tasks/readers/review.ts";
import type { PairGroup } from "../../../tasks/reviews/review-pairs.ts";
import { embeddedPreferenceInWords, preferenceInWords } from "../../output/reader-wording.ts";
import { reasonsInWords, runInWords } from "../../output/run-wording.ts";
import { showAsked, showPlan } from "../../output/show-plan.ts";
import { checkedEnding, checkedReport, jsonDocument, writeReport, writeSections } from "../../output/write-report.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

export const predictCommand = taskCommand(readerPredictTask, {
  flags: {
    out: {
      type: "string",
      value: "FILE",
      help: "with --in: one prediction per line, - for standard output; with STORY: a report (.html, .md, .json)",
    },
  },
  usage: "`fabula reader predict` takes one STORY, or --in FILE. See `fabula reader predict --help`.",
  examples: [
    "fabula reader predict outline.json --as ada",
    "fabula reader predict --in pairs.jsonl --out predictions.jsonl",
    "fabula reader predict --in ten-point.jsonl --ratings-scale 10 --out predictions.jsonl",
    "fabula reader predict --in pairs.jsonl --out factorised.jsonl --baseline matrix-factorisation --ratings reviews.jsonl",
  ],
  prepare: checkedReport,
  async present({ prediction, view }, { flags: { out }, terminal, show }) {
    if (view === null) {
      await show(() => `Unscored: ${prediction.kind === "unscored" ? prediction.reason : ""}.`);
      return 3;
    }
    const report = sectionedPersonal(view);
    await writeSections(out, report, { terminal, document: () => jsonDocument("reader-prediction", view) });
    await show(() => `${report.title}\n\n${reportText(report)}`);
    return 0;
  },
  others: [
    otherWay(readerPredictPairsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give a story or --in, not both.",
      async present({ predicted, pairs, unscored }, { input, flags, terminal, document }) {
        if (flags.json && input.out !== "-") terminal.print(document());
        else terminal.note(`${predicted} of ${pairs} ratings predicted.`);
        for (const [reason, count] of Object.entries(unscored)) terminal.note(`  ${count} unscored: ${reason}`);
        return predicted < pairs ? 3 : 0;
      },
    }),
  ],
});

export const compareCommand = taskCommand(readerCompareTask, {
  usage: "`fabula reader compare` takes two stories, or --in FILE. See `fabula reader compare --help`.",
  examples: [
    "fabula reader compare first.json second.json --as ada",
    "fabula reader compare first.md second.md --as ada --judge openai:gpt-4.1 --runs 3",
    "fabula reader compare --in choices.jsonl --out chosen.jsonl --judge openai:gpt-4.1 --probe",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) =>
      "failures" in result
        ? { lines: [...sameStory(result), preferenceInWords(result)], isWhole: result.failures.length === 0 }
        : {
            lines: [...sameStory(result), embeddedPreferenceInWords(result)],
            isWhole: result.left.kind === "predicted" && result.right.kind === "predicted",
          },
    ),
  others: [
    otherWay(readerComparePairsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give two stories or --in, not both.",
      present: (asked, context) =>
        showAsked(asked, context, (agreement) => ({
          lines: context.input.out === "-" ? [] : [agreementInWords(agreement)],
          isWhole:
            agreement.answered >= agreement.pairs &&
            Object.keys({ ...agreement.unanswered, ...agreement.unprobed }).length === 0,
        })),
    }),
  ],
});

function sameStory({ isSameStory }: { readonly isSameStory: boolean }): string[] {
  return isSameStory ? ["Both are the same story: there is nothing to choose between."] : [];
}

/** How often a judge chose as the readers did, aspect by aspect. */
function agreementInWords(agreement: ComparisonAgreement): string {
  const { pairs, answered, unanswered, unprobed, aspects, embedded, firstBias, knownBias } = agreement;
  const rows = aspects.map(({ aspect, judge, lastChoice, consistent }) => [
    aspect,
    accuracyInWords(judge),
    accuracyInWords(lastChoice),
    consistent.of > 0 ? `${consistent.same}/${consistent.of}` : "–",
  ]);
  const lines = [
    `${answered < pairs ? `${answered} of ${countOf(pairs, "pair")} answered` : countOf(pairs, "pair")}. Accuracy where the reader's preference is known, with its 95% interval; a tie counts half, and a pair that the reader called a tie is left out.`,
    textTable(["aspect", "judge", "same answer as last time", "same in both orders"], rows),
    `The embedded predictor, overall: ${accuracyInWords(embedded)}`,
  ];
  if (firstBias.bias !== null)
    lines.push(
      `Pull towards whatever is shown first: ${signedNumber(firstBias.bias, 2)} over ${firstBias.decisions} decisions`,
    );
  if (knownBias)
    lines.push(
      `Pull towards a story the judge knows: ${signedNumber(knownBias.bias, 2)} over ${knownBias.pairs} pairs with one known story`,
    );
  lines.push(...reasonsInWords("unanswered", unanswered), ...reasonsInWords("not probed", unprobed));
  return lines.join("\n");
}

function accuracyInWords({ value, interval, of, ties, leftOut }: Accuracy): string {
  const without = leftOut > 0 ? `${leftOut} left out` : "";
  if (value === null || interval === null) return without || "–";
  const counted = [String(of), ties > 0 && countOf(ties, "tie"), without].filter(Boolean).join(", ");
  return `${value.toFixed(3)} (${interval[0].toFixed(2)}–${interval[1].toFixed(2)}, ${counted})`;
}

export const reviewCommand = taskCommand(readerReviewTask, {
  usage: "`fabula reader review` takes one STORY. See `fabula reader review --help`.",
  examples: [
    "fabula reader review outline.json --as ada --judge openai:gpt-4.1",
    "fabula reader review outline.md --as ada --judge ollama:llama3.1 --k 5 --orders 3 --max-cost 1",
    "fabula reader review --in pairs.jsonl --out reviews.jsonl --judge openai:gpt-4.1 --orders 3 --probe",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (result) => {
      const { verdict, unscored } = result.review.spread;
      return {
        lines: [reviewInWords(result, context.input)],
        isWhole: verdict.kind === "scored" && unscored === 0,
      };
    }),
  others: [
    otherWay(readerReviewPairsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give a story or --in, not both.",
      present: (asked, context) =>
        showAsked(asked, context, ({ groups, withFewerOrders, unscored, unprobed }) => {
          const fewer =
            withFewerOrders > 0
              ? [
                  `${countOf(withFewerOrders, "pair")} asked about fewer than ${context.input.orders} times: so few earlier reviews have no more orders.`,
                ]
              : [];
          const reasons = [...reasonsInWords("unscored", unscored), ...reasonsInWords("not probed", unprobed)];
          return {
            lines: context.input.out === "-" ? [] : [groupsInWords(groups), ...fewer, ...reasons],
            isWhole: groups[0]!.scored >= groups[0]!.pairs && reasons.length === 0,
          };
        }),
    }),
  ],
});

function groupsInWords(groups: readonly PairGroup[]): string {
  const figure = (value: number | null) => (value === null ? "–" : value.toFixed(3));
  return textTable(
    ["stories", "pairs", "scored", "with a rating", "Pearson", "Spearman", "Kendall", "mean of the history", "spread"],
    groups.map(({ group, pairs, scored, rated, judge, meanOfHistory, spreadOverOrders }) => [
      group,
      String(pairs),
      String(scored),
      String(rated),
      figure(judge.pearson),
      figure(judge.spearman),
      figure(judge.kendall),
      figure(meanOfHistory.pearson),
      figure(spreadOverOrders),
    ]),
  );
}

function reviewInWords(
  { review, embedded, recognition }: ReaderReviewResult,
  { scale, orders }: { readonly scale: string; readonly orders: number },
): string {
  const { verdict, standardDeviation, scores } = review.spread;
  const lines: string[] = [];
  const first = review.orders.find((order) => order.review !== null);
  if (first) lines.push(first.review!, "");
  lines.push(
    verdict.kind === "scored" ? `Score: ${verdict.score.toFixed(1)} of ${scale}` : `Unscored: ${verdict.reason}`,
  );
  if (standardDeviation !== null) {
    lines.push(
      `Over ${scores.length} orders of the history: ${scores.join(", ")}; standard deviation ${standardDeviation.toFixed(2)}`,
    );
  }
  if (review.orders.length < orders) {
    const shown = countOf(review.history.chosen.length, "earlier review");
    lines.push(
      `Asked ${countOf(review.orders.length, "time")}, not ${orders}: ${shown} can be shown in no more orders.`,
    );
  }
  if (embedded.kind === "predicted") {
    const [low, high] = embedded.interval;
    lines.push(
      `The embedded predictor, without a model: ${embedded.rating.toFixed(2)} out of 5 (${low.toFixed(1)}–${high.toFixed(1)})`,
    );
  }
  if (recognition) {
    lines.push(
      "unread" in recognition
        ? `Whether the model knows the story could not be learnt: ${recognition.unread}`
        : recognition.recognised
          ? "The model recognises this story: what it knows of its fame may colour the score."
          : "The model does not recognise this story.",
    );
  }
  const { chosen, leftOut } = review.history;
  lines.push(
    `Shown: ${countOf(chosen.length, "earlier review")}${chosen.length > 0 ? ` (${chosen.map(({ title }) => title ?? "untitled").join("; ")})` : ""}`,
  );
  const reasons = new Map<string, number>();
  for (const { reason } of leftOut) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  for (const [reason, count] of reasons) lines.push(`Left out: ${count}, because ${reason}`);
  return lines.join("\n");
}

export const rankCommand = taskCommand(readerRankTask, {
  examples: [
    "fabula reader rank --books goodreads_library_export.csv",
    "fabula reader rank --books storygraph.csv --known-books books.csv",
    "fabula reader rank --books to-read/ --profile ada",
    "fabula reader rank --books to-read/ --profile ada --judge openai:gpt-4.1 --max-cost 1",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (ranking) => ({
      lines:
        ranking.kind === "predicted"
          ? predictedInWords(ranking, context.input.knownBooks !== undefined)
          : judgedInWords(ranking),
      isWhole: ranking.unranked.length === 0,
    })),
});

function predictedInWords(ranking: PredictedRanking, hasTable: boolean): string[] {
  const table = tableInWords(
    ranking,
    "Books marked = on the same rank cannot be told apart: their order is right less than three times in five.",
    ["stars", "four times in five"],
    ({ prediction: { rating, interval } }) => [rating.toFixed(2), range(interval)],
  );
  return [...table, ...ranking.ranked.slice(0, WHY_SHOWN).map(whyInWords), ...basisInWords(ranking, hasTable)];
}

const WHY_SHOWN = 3;

/** What is known about the story, and the earlier review that supports the prediction most. */
function whyInWords({ item, prediction: { why } }: PredictedBook): string {
  const story = why.filter(({ about }) => about === "story");
  const [review] = why
    .filter(({ about, effect }) => about === "history" && effect > 0)
    .sort((left, right) => right.effect - left.effect);
  const told = [...story, ...(review ? [review] : [])].map(
    ({ title, about, text, effect }) =>
      `${signedNumber(effect, 2)} ${about === "history" && title !== undefined ? `“${title}”: ` : ""}${text}`,
  );
  return plainLine(`${item.title}: ${told.join(" ")}`);
}

/** Stars that no reader would notice. */
const NO_DIFFERENCE = 0.005;

/** What the ranking is based on, and what would improve it. */
function basisInWords({ ranked, basis }: PredictedRanking, hasTable: boolean): string[] {
  const { averages, forecasts, unknown, general, own, thin } = basis;
  const known = [
    averages > 0 && `known of ${averages}`,
    forecasts > 0 && `forecast from the description for ${forecasts}`,
    unknown > 0 && `unknown for ${unknown}`,
  ].filter(Boolean);
  const [first, second] = [`what readers in general give them (${known.join(", ")})`, "the reader's own ratings"];
  const [most, rest] = general >= own ? [first, second] : [second, first];
  return [
    ...(ranked.length < 2
      ? []
      : Math.max(general, own) < NO_DIFFERENCE
        ? [`Nothing that is known sets these books apart: what readers in general give them is ${known.join(", ")}.`]
        : [
            `The order rests mostly on ${most}, which sets the books apart by ±${Math.max(general, own).toFixed(2)} stars, and less on ${rest}, ±${Math.min(general, own).toFixed(2)}.`,
          ]),
    ...(!hasTable && forecasts + unknown > averages
      ? ["A table of books with their averages, --known-books FILE, would say more than anything else."]
      : []),
    ...(thin === null ? [] : [thin]),
  ];
}

function judgedInWords(ranking: BookRanking<JudgedBook>): string[] {
  return tableInWords(
    ranking,
    ranking.ranked.some(({ scores }) => scores.length > 1)
      ? "Books marked = on the same rank cannot be told apart: asked again, the model would put them the other way round more than twice in five times."
      : "The model was asked once about each book, so nothing says which of them it can tell apart: use --orders 3 or more, and at least two earlier reviews (--k).",
    ["of 10", "95% over the orders"],
    ({ rating, interval }) => [rating.toFixed(1), interval ? range(interval) : "–"],
  );
}

function tableInWords<Book extends PredictedBook | JudgedBook>(
  { reader, ranked, unranked, alreadyRead }: BookRanking<Book>,
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
    ...(alreadyRead > 0 ? [`Left out: ${countOf(alreadyRead, "book")} read or given up, as the list says.`] : []),
    ...unranked.map(({ file, reason }) => `Not ranked: ${file}: ${reason}`),
  ];
}

function range(interval: readonly [number, number]): string {
  return interval.map((bound) => bound.toFixed(1)).join("–");
}

/** A rating that would settle less than this makes no noticeable difference. */
const LITTLE = 0.02;

export const questionsCommand = taskCommand(readerQuestionsTask, {
  examples: ["fabula reader questions --books goodreads_library_export.csv", "fabula reader questions --profile ada"],
  async present({ reader, about, candidates, passedOver, questions }, { show, input }) {
    const unrated = countOf(candidates, "book");
    const rest = Math.min(input.count, candidates) - questions.length;
    await show(() =>
      questions.length === 0
        ? `For ${reader}: a rating of ${candidates === 1 ? "the one book" : `any of the ${unrated}`} read and not rated would settle less than 0.1% of what is not known about ${about}.`
        : [
            `For ${reader}: rate ${questions.length === 1 ? "this one" : "these, in this order"}. Of ${unrated} read and not rated, ${questions.length === 1 ? "its rating" : "their ratings"} would teach most about ${about}.`,
            textTable(
              ["", "book", "settles", "says most about"],
              questions.map(({ title, author, settles, near }, at) => [
                String(at + 1),
                author === null ? title : `${title}, ${author}`,
                `${(100 * settles).toFixed(1)}%`,
                near.join("; "),
              ]),
            ),
            ...(questions[0]!.settles < LITTLE
              ? [
                  `${questions.length === 1 ? "It would not" : "None of them would"} change much: one rating says little about other books.`,
                ]
              : []),
            ...(rest > 0 ? ["No more are asked for: the others would settle less than 0.1% each."] : []),
            ...(candidates < input.count ? ["There are no more books that were read and not rated."] : []),
            ...(passedOver > 0 ? [`${countOf(passedOver, "more book")} of the list were not looked at.`] : []),
            "“Settles” is the part of what is not known about those ratings that this one would remove, once those above it are given.",
          ].join("\n"),
    );
    return 0;
  },
});

export const curveCommand = taskCommand(readerCurveTask, {
  flags: { out: { type: "string", value: "FILE", help: "the plot (.svg), or every figure (.json)" } },
  examples: [
    "fabula reader curve --in pairs.jsonl --out curve.svg",
    "fabula reader curve --in pairs.jsonl --judge openai:gpt-4.1 --longest 3 --max-cost 5 --out curve.svg",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, ["svg", "json"]);
    return input;
  },
  async present(asked, context) {
    const { out } = context.flags;
    if (!asked.plan && out !== undefined) {
      await writeReport(out, {
        svg: async () => `${await (await reportFiles()).plotFile(plotOf(asked.result))}\n`,
        json: () => `${jsonDocument("reader-curve", asked.result)}\n`,
      });
      context.terminal.note(`${out} written.`);
    }
    return showAsked(asked, context, (curve) => ({
      lines: [curveInWords(curve, context.input.orders)],
      isWhole:
        curve.points.every(({ series }) => series[0]!.lines === curve.lines) &&
        curve.points.every(({ series }) => !hasNoFigure(series[0]!)) &&
        Object.keys(curve.missing).length === 0,
    }));
  },
});

function plotOf({ judge, points }: HistoryCurve): Extract<ReportPlot, { shape: "lines" }> {
  return {
    kind: "plot",
    shape: "lines",
    caption: `Agreement of ${judge} with readers by length of history`,
    axes: { x: "earlier reviews shown", y: "Kendall τ" },
    lines: points[0]!.series.map(({ name }, index) => ({
      name: name === "judge" ? judge : name,
      points: points.map(({ length, series }) => ({ x: length, ...series[index]!.kendall })),
    })),
  };
}

function curveInWords(
  { judge, lines, leftOut, readers, books, points, missing }: HistoryCurve,
  wanted: number,
): string {
  const names = points[0]!.series.map(({ name }) => (name === "judge" ? judge : name));
  const rows = points.flatMap(({ length, series, orders }) =>
    series.map(({ name, pearson, spearman, kendall }, index) => [
      index === 0 ? String(length) : "",
      names[index]!,
      figure(pearson),
      figure(spearman),
      figure(kendall),
      name === "judge" && orders.standardDeviation !== null
        ? `${orders.mean!.toFixed(3)} ± ${orders.standardDeviation.toFixed(3)} (${orders.kendall.length})`
        : "",
    ]),
  );
  return [
    `${lines} lines of ${readers} readers and ${books} books${leftOut > 0 ? `; ${leftOut} lines left out: no rating, or too few reviews` : ""}. Intervals draw readers and books together (95%).`,
    textTable(["reviews", "by", "Pearson", "Spearman", "Kendall", "Kendall over orders"], rows),
    ...ordersInWords(judge, points, wanted),
    ...Object.entries(missing).map(([reason, count]) => `${countOf(count, "prediction")} missing, ${reason}.`),
    ...undefinedFigures(judge, points).map(
      (predictor) =>
        `A dash for ${predictor}: its predictions, or the true ratings of those lines, are all alike or fewer than three.`,
    ),
  ].join("\n");
}

/** Predictors without any defined figure of agreement, with the length of their history. */
function undefinedFigures(judge: string, points: HistoryCurve["points"]): string[] {
  return points.flatMap(({ length, series }) =>
    series
      .filter(hasNoFigure)
      .map(({ name }) => `${name === "judge" ? judge : name} with ${countOf(length, "review")}`),
  );
}

function hasNoFigure({ lines, kendall }: HistoryCurve["points"][number]["series"][number]): boolean {
  return lines > 0 && kendall.value === null;
}

/** Why fewer orders were asked about than wanted. */
function ordersInWords(judge: string, points: HistoryCurve["points"], wanted: number): string[] {
  if (judge === EMBEDDED) return ["The embedded predictor gives the same rating in every order of a history."];
  const fewer = points.filter(({ length }) => ordersOf(length, wanted) < wanted);
  if (fewer.length === 0) return [];
  const counts = fewer.map(({ length }) => `${ordersOf(length, wanted)} of ${countOf(length, "review")}`);
  return [`There are fewer than ${wanted} orders of short histories: ${counts.join(", ")}.`];
}

function figure({ value, interval }: CurveFigure): string {
  if (value === null) return "–";
  return interval ? `${value.toFixed(3)} (${interval[0].toFixed(2)}–${interval[1].toFixed(2)})` : value.toFixed(3);
}

export const datasetCommand = taskCommand(readerDatasetTask, {
  examples: [
    "fabula reader dataset --stories stories.jsonl --reviews reviews.jsonl --model openai:gpt-4.1-mini --out tuning/ --max-cost 10",
    "fabula reader dataset --stories stories.jsonl --reviews reviews.jsonl --out tuning/ --k 5",
  ],
  async present({ result, plan, run }, { input: { out: folder, model }, flags, terminal, show }) {
    if (plan) return showPlan(plan, flags.json, terminal);
    const { train, validation, readers, stories, comparisons, leaks, shortened, tooLong, unprepared, aspects } = result;
    await show(() =>
      [
        ...(aspects.train + aspects.validation > 0
          ? [
              `${folder}: ${aspects.train} choices on one aspect to train on and ${aspects.validation} to validate with.`,
            ]
          : []),
        ...(stories === 0
          ? []
          : [
              `${folder}: ${train} conversations to train on, ${validation} to validate with, from ${readers.kept} readers (${readers.dropped} dropped for too few reviews) and ${stories} stories.`,
            ]),
        ...(stories === 0
          ? []
          : [
              `Beside them ${comparisons.train} and ${comparisons.validation} comparisons: which of two stories the reader rated clearly higher.`,
            ]),
        ...(leaks
          ? [
              `${leaks.named} of ${leaks.conversations} conversations still name one of their books (titles ${leaks.by.title}, authors ${leaks.by.author}, characters ${leaks.by.character}).`,
            ]
          : []),
        ...(model === undefined && stories > 0
          ? [
              "The stories were taken as they are: a model may know published ones. Give --model to change names and retell plots.",
            ]
          : []),
        ...(shortened + tooLong > 0
          ? [`${shortened} histories were shortened to fit; ${tooLong} did not fit at all.`]
          : []),
        ...Object.entries(unprepared).map(([reason, count]) => `  ${count} stories left out: ${reason}`),
      ].join("\n"),
    );
    if (model !== undefined && run) terminal.note(runInWords(run));
    return Object.keys(unprepared).length > 0 ? 3 : 0;
  },
});
