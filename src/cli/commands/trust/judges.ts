import { signedNumber } from "../../../core/wording.ts";
import { INSERTIONS } from "../../../judge/stress/damages.ts";
import type { Reaction } from "../../../judge/stress/stress-test.ts";
import { sectionedTrust } from "../../../report/agreement/trust-report.ts";
import { sectionedHealth } from "../../../report/health/health-report.ts";
import { reportText, textTable } from "../../../report/report-forms.ts";
import { healthTask, probeTask, stressTask, trustTask } from "../../../tasks/trust/judges.ts";
import type { ContaminationReport } from "../../../tasks/trust/probe-contamination.ts";
import type { StressReport } from "../../../tasks/trust/stress-books.ts";
import { showAsked } from "../../output/show-plan.ts";
import { checkedReport, writeSections } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

export const trustCommand = taskCommand(trustTask, {
  flags: {
    out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" },
  },
  usage: "Give one table: `fabula trust ratings.csv --human r1,r2,r3 --judge gpt,claude`.",
  common: ["human", "judge", "scores"],
  examples: [
    "fabula trust ratings.csv --human r1,r2,r3 --judge gpt,claude",
    "fabula trust stories.csv --id Story_ID --rater Worker_ID --human Coherence --judge gpt --system Model --item Prompt",
    "fabula trust rated.jsonl --human rating --judge crowd,editor",
    "fabula trust rated.csv --human rating --scores gpt.jsonl,claude.jsonl --kind genre --out trust.md",
    "fabula trust ratings.csv --human r1,r2,r3 --scores evaluations.jsonl --calibration people.json",
  ],
  prepare: checkedReport,
  async present(report, context) {
    const sectioned = sectionedTrust(report);
    await writeSections(context.flags.out, sectioned, context);
    // The answer comes last, because the end of the output is what a terminal shows.
    const [answer, ...others] = sectioned.sections;
    await context.show(() => reportText({ sections: [...others, answer!] }));
    // A judge without a measurable agreement counts as unscored.
    return report.study.judges.some(({ spearman }) => spearman.value === null) ? 3 : 0;
  },
});

export const healthCommand = taskCommand(healthTask, {
  flags: { out: { type: "string", value: "FILE", help: "write the report: .html, .md or .json" } },
  examples: [
    "fabula health scores.jsonl --scale 0,20",
    "fabula health evaluations/ --stress stress.json",
    "fabula health evaluations/ --votes votes.jsonl",
    "fabula health evaluations/ --anchors evaluations-in-march/ --comparisons pairs.jsonl --out health.html",
  ],
  prepare: checkedReport,
  async present(report, context) {
    const sectioned = sectionedHealth(report);
    await writeSections(context.flags.out, sectioned, context);
    await context.show(() => reportText(sectioned));
    return report.judges.some(({ unscored }) => unscored > 0) ? 3 : 0;
  },
});

export const probeCommand = taskCommand(probeTask, {
  usage: "Name one book: `fabula probe novel.epub --judge …`.",
  examples: ["fabula probe novel.epub --judge openai:gpt-4.1 --max-cost 2"],
  present: (asked, context) =>
    showAsked(asked, context, (result) => ({
      lines: reportInWords(result),
      isWhole: result.variants.every(({ overall }) => overall.kind === "scored"),
    })),
});

function* reportInWords({ title, judge, names, variants, gaps }: ContaminationReport): Generator<string> {
  yield `${title}, probed with ${judge}; ${names} names were replaced.`;
  for (const { variant, recognition, overall } of variants) {
    const known =
      recognition === null
        ? "no answer"
        : recognition.recognised
          ? `recognised as “${recognition.title}”`
          : recognition.title === null
            ? "not recognised"
            : `taken for “${recognition.title}”`;
    yield `  ${variant.padEnd(11)} ${overall.kind === "scored" ? overall.score.toFixed(1) : `unscored: ${overall.reason}`}, ${known}`;
  }
  for (const { against, points, interval, beyondNoise } of gaps) {
    const range = interval ? ` [${interval[0].toFixed(1)}, ${interval[1].toFixed(1)}]` : "";
    const meaning = beyondNoise ? "more than the judge's own noise" : "within the judge's own noise";
    yield `  original minus ${against}: ${points.toFixed(1)} points${range}, ${meaning}`;
  }
}

export const stressCommand = taskCommand(stressTask, {
  usage: "Give at least one book: `fabula stress novel.epub`.",
  examples: [
    "fabula stress novel.epub",
    "fabula stress library/*.epub --judge editor --json",
    "fabula stress novel.epub --strength 0.3",
    "fabula stress novel.epub --judge openai:gpt-4.1 --dry-run    (what it would cost)",
  ],
  present: (asked, context) =>
    showAsked(asked, context, (report) => ({
      lines: [inWords(report)],
      isWhole: asked.run
        ? report.books.every(({ rows }) =>
            rows.every(({ move, reaction }) => move !== null || reaction === "not tried"),
          )
        : report.books.some(({ rows }) => rows.some(({ reaction }) => !isUnknown(reaction))),
    })),
});

function isUnknown(reaction: Reaction): boolean {
  return reaction === "not tried" || reaction === "cannot be told";
}

function inWords({ judge, books, summary, threshold }: StressReport): string {
  const one = books.length === 1 ? books[0]! : null;
  const several = new Set(summary.map(({ aspect }) => aspect)).size > 1;
  const rows = summary.map(({ damage, name, harmless, aspect, counts, meanMove, interval }) => {
    const row = one?.rows.find((candidate) => candidate.damage === damage && candidate.aspect === aspect);
    const range = interval ? ` [${signedNumber(interval[0], 2)}, ${signedNumber(interval[1], 2)}]` : "";
    return [
      `${name}${harmless ? " (must not matter)" : ""}${several ? `: ${aspect}` : ""}`,
      meanMove === null ? "–" : `${signedNumber(meanMove, 2)}${range}`,
      one ? describe(row?.reaction ?? "not tried", harmless, row?.reason ?? null) : String(counts.right),
      ...(one ? [] : [String(counts.blind), String(counts.wrong), String(counts["cannot be told"])]),
    ];
  });
  const heading = one
    ? ["damage", "move, 95% interval", "reaction"]
    : ["damage", "mean move, 95% interval", "right way", "did not react", "WRONG way", "cannot be told"];
  const blind = summary.filter(
    ({ harmless, counts }) => !harmless && counts.blind > 0 && counts.right + counts.wrong === 0,
  );
  return [
    `Stress test of ${judge} on ${one ? one.title : `${books.length} books`}`,
    "",
    textTable(heading, rows),
    "",
    `Moves are in points of the judge's own scale. ${threshold}`,
    ...insertionsInWords(summary),
    ...(blind.length === 0
      ? []
      : [`It is blind to ${blind.length} of these kinds of damage: its score says nothing about them.`]),
  ].join("\n");
}

/** The injected passage that changed a score most. */
function insertionsInWords(summary: StressReport["summary"]): string[] {
  const moved = summary.flatMap(({ damage, name, aspect, meanMove }) =>
    INSERTIONS.some(({ id }) => id === damage) && meanMove !== null ? [{ name, aspect, move: meanMove }] : [],
  );
  const [furthest] = moved.sort((left, right) => Math.abs(right.move) - Math.abs(left.move));
  if (!furthest) return [];
  const { name, aspect, move } = furthest;
  return [
    `Of the passages that address the judge, ${name} changed a score most: ${signedNumber(move, 2)} (${aspect}).`,
  ];
}

function describe(reaction: string, harmless: boolean, reason: string | null): string {
  if (reason !== null)
    return reaction === "not tried" || reaction === "cannot be told"
      ? `${reaction}: ${reason}`
      : `${reaction === "right" ? "right way" : "WRONG way"}: unscored, ${reason}`;
  if (reaction === "blind") return "did not react";
  return reaction === "wrong" ? "WRONG way" : harmless ? "right: did not react" : "right way";
}
