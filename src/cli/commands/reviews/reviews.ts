import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { reportText } from "../../../report/report-forms.ts";
import { sectionedImportance, sectionedReviews } from "../../../report/reviews.ts";
import {
  reviewsAnalyseTask,
  reviewsExportTask,
  reviewsMapTask,
  reviewsNormaliseTask,
  reviewsReportTask,
  reviewsSampleTask,
  reviewsStructureTask,
} from "../../../tasks/reviews/reviews.ts";
import type { StructureReport } from "../../../tasks/reviews/structure-reviews.ts";
import { showAsked } from "../../output/show-plan.ts";
import { checkedReport, writeSections } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export const sampleCommand = taskCommand(reviewsSampleTask, {
  examples: ["fabula reviews sample --in reviews.jsonl.gz --books books.jsonl.gz --out sampled.jsonl"],
  async present({ kept, reviews, largestDifference }, { flags, terminal, document }) {
    if (flags.json) terminal.print(document());
    else {
      terminal.note(
        `${kept} of ${reviews} reviews kept; their stars follow the ratings within ${largestDifference.toFixed(2)} points.`,
      );
    }
    return 0;
  },
});

const UNMAPPED_SHOWN = 20;

export const structureCommand = taskCommand(reviewsStructureTask, {
  shares: true,
  examples: [
    "fabula reviews structure --in raw.jsonl --out reviews.jsonl --model llama3@http://localhost:8080/v1 --second-model openai:gpt-4o",
    "fabula reviews structure --in raw.jsonl --out reviews.jsonl --model openai:gpt-4o-mini --dry-run",
  ],
  present: async (asked, context) =>
    asked === null
      ? 0
      : showAsked(asked, context, (result) => ({
          lines: context.input.out === "-" ? [] : inWords(result, String(context.input.model)),
          isWhole: result.unscored === 0,
        })),
});

function* inWords(report: StructureReport, model: string): Generator<string> {
  const { reviews, byFirst, bySecond, dropped, unscored, unmapped } = report;
  yield `${countOf(reviews, "review")}: ${byFirst} structured by ${model}, ${bySecond} by the second model, ${dropped} dropped, ${unscored} unscored.`;
  if (unmapped.length === 0) return;
  yield "Aspects that belong to none we know, with how often they are named:";
  for (const { name, count } of unmapped.slice(0, UNMAPPED_SHOWN)) yield `  ${count}  ${plainLine(name)}`;
}

const UNMAPPED_NAMES_SHOWN = 40;

export const mapCommand = taskCommand(reviewsMapTask, {
  examples: ["fabula reviews map --in structured.jsonl --out mapped.jsonl"],
  async present({ reviews, names, exact, similar, unmapped }, { terminal, flags, document }) {
    if (flags.json) terminal.print(document());
    else {
      terminal.note(
        `${reviews} reviews, ${names} names: ${exact} known, ${similar} like a known one, ${unmapped.length} kinds unknown.`,
      );
      for (const { name, count } of unmapped.slice(0, UNMAPPED_NAMES_SHOWN))
        terminal.note(`  ${count}  ${plainLine(name)}`);
    }
    return 0;
  },
});

export const normaliseCommand = taskCommand(reviewsNormaliseTask, {
  examples: [
    "fabula reviews normalise --in reviews.jsonl.gz --books books.jsonl.gz --out normalised.jsonl",
    "fabula reviews normalise --in reviews.jsonl --books books.jsonl --readers readers.jsonl --out normalised.jsonl",
  ],
  async present({ ratings, reviewers, before, after, platform, unnormalised }, { input, flags, terminal, document }) {
    const moments = ({ mean, deviation }: typeof before) =>
      `mean ${mean.toFixed(3)}, deviation ${deviation.toFixed(3)}`;
    if (flags.json) terminal.print(document());
    else {
      terminal.note(
        `${ratings} ratings of ${reviewers} readers: ${moments(before)} before, ${moments(after)} after; the platform has ${moments(platform)}.`,
      );
    }
    if (unnormalised === 0) return 0;
    terminal.note(
      `${unnormalised} ratings have no normalised one: their readers are not in ${input.readers}, or give every book the same stars.`,
    );
    return 3;
  },
});

export const analyseCommand = taskCommand(reviewsAnalyseTask, {
  flags: { out: { type: "string", value: "FILE", help: "a report with plots (.html), tables (.md) or data (.json)" } },
  examples: ["fabula reviews analyse --reviews reviews.jsonl.gz --books books.jsonl.gz --out importance.html"],
  prepare: checkedReport,
  async present(importance, context) {
    const report = sectionedImportance(importance);
    await context.show(() => reportText(report));
    await writeSections(context.flags.out, report, context);
    return importance.all === null ? 3 : 0;
  },
});

export const reportCommand = taskCommand(reviewsReportTask, {
  flags: { out: { type: "string", value: "FILE", help: "a report with plots (.html), tables (.md) or data (.json)" } },
  examples: ["fabula reviews report --reviews reviews.jsonl.gz --books books.jsonl.gz --out reviews.html"],
  prepare: checkedReport,
  async present(findings, context) {
    const report = sectionedReviews(findings);
    await context.show(() => reportText(report));
    await writeSections(context.flags.out, report, context);
    return 0;
  },
});

export const exportCommand = taskCommand(reviewsExportTask, {
  examples: [
    "fabula reviews export --reviews reviews.jsonl --books books.jsonl --out training",
    "fabula reviews export --data LongStoryEval/ --out training",
    "fabula evaluate novel.epub --judge trained@http://localhost:8000/v1 --method summary --protocol novelcritique",
  ],
  async present({ books, reviews, examples, booksWithoutSummary, booksWithExcerpts }, { input, show }) {
    const bare = books.train + books.test - booksWithExcerpts;
    await show(() =>
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
        `Train in ${input.out} with llama-factory.yaml or axolotl.yaml, serve the result with any OpenAI-compatible server, and give it as --judge NAME@URL --protocol novelcritique. recipe.sh does all of it up to Kendall's τ on the test books; DRY_RUN=1 sh recipe.sh shows the steps and their cost.`,
      ].join("\n"),
    );
    return 0;
  },
});
