import { groupBy } from "../core/group-by.ts";
import { countOf } from "../core/wording.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import type { LetterView } from "../judge/letter/parts.ts";
import {
  type EvaluationView,
  type JurorView,
  type JuryView,
  judgedAspects,
  type RemarkView,
} from "./evaluation-view.ts";
import { notesSection } from "./letter/letter-view.ts";
import { mapSection } from "./map-section.ts";
import { escapeMarkdown, escapeSentence } from "./markup.ts";
import { personalSection } from "./personal/personal-section.ts";
import { quotation, sectionMarkdown } from "./report-forms.ts";
import { draftLines } from "./terminal-report.ts";
import { intervalInWords, percentileInWords, type Scale, scoreInWords, supportInWords } from "./wording.ts";

/** Headings above a judge's praise and criticism. */
const JUDGED = {
  section: "Passages that made the difference",
  strengths: "Strongest",
  weaknesses: "Weakest",
} as const;

/** Headings above line notes, which say what an editor would change and not what is good. */
const NOTED = {
  section: "Line notes: what a professional editor would leave and change",
  strengths: "Least likely to be changed",
  weaknesses: "Most likely to be changed",
} as const;

export function markdownReport(view: EvaluationView): string {
  const { evaluation } = view;
  const headings = view.jury ? NOTED : JUDGED;
  const map = mapSection(evaluation);
  const hasSegments = view.evaluation.support !== undefined;
  const rows = [
    ...(view.jury
      ? []
      : [
          {
            name: "**Overall**",
            verdict: evaluation.overall,
            percentile: evaluation.overallPercentile,
            support: evaluation.support,
          },
        ]),
    ...judgedAspects(view).map(({ result, label, isPart }) => ({
      name: `${isPart ? "– " : ""}${escapeMarkdown(label)}`,
      verdict: result.verdict,
      percentile: result.percentile,
      support: result.support,
    })),
  ].map(({ name, verdict, percentile, support }) => {
    const segments = hasSegments ? ` ${supportInWords(support)} |` : "";
    return verdict.kind === "scored"
      ? `| ${name} | ${scoreInWords(verdict)} | ${intervalInWords(verdict)} | ${percentileInWords(percentile)} |${segments}`
      : `| ${name} | unscored | | ${escapeMarkdown(verdict.reason)} |${segments}`;
  });
  const remarked = view.jury && view.notes ? [] : view.aspects;
  const sections = remarked.flatMap(({ label, strengths, weaknesses }) =>
    strengths.length + weaknesses.length === 0
      ? []
      : [
          `## ${escapeMarkdown(label)}`,
          "",
          ...remarkLines(headings.strengths, strengths),
          ...remarkLines(headings.weaknesses, weaknesses),
        ],
  );
  return [
    `# ${escapeMarkdown(evaluation.book.title)}`,
    "",
    `${escapeMarkdown(view.byline)}`,
    "",
    ...draftPart(evaluation),
    ...(view.letter ? letterMarkdown(view.letter) : []),
    ...(map ? sectionMarkdown(map) : []),
    ...(view.notes ? sectionMarkdown(notesSection(view.notes)) : []),
    ...(view.letter ? ["## Verdicts", ""] : []),
    `${escapeMarkdown(view.judged)} ${escapeMarkdown(view.sureness)}`,
    "",
    ...(view.injection ? sectionMarkdown(view.injection) : []),
    ...(view.jury ? jurySectionMarkdown(view.jury) : []),
    ...(rows.length === 0
      ? []
      : [
          `| aspect | score | interval | percentile |${hasSegments ? " segments |" : ""}`,
          `| --- | --- | --- | --- |${hasSegments ? " --- |" : ""}`,
          ...rows,
          "",
        ]),
    ...(evaluation.personal ? sectionMarkdown(personalSection(evaluation.personal)) : []),
    ...sections,
    "## What was read",
    "",
    ...(view.grounded.total > 0
      ? [
          `Passages found in the book: ${view.grounded.found} of ${countOf(view.grounded.total, "quotation")} shown here.`,
          "",
        ]
      : []),
    "| chapter | title | words |",
    "| --- | --- | --- |",
    ...evaluation.book.chapters.map(
      (chapter) => `| ${chapter.index} | ${escapeMarkdown(chapter.title ?? "")} | ${chapter.words} |`,
    ),
    "",
    ...[...groupBy(evaluation.coverage.skipped, ({ reason }) => reason)].map(([reason, gaps]) =>
      gaps.length === 1
        ? `- Chapter ${gaps[0]!.chapter} was not judged: ${escapeMarkdown(reason)}`
        : `- ${gaps.length} chapters were not judged (${gaps[0]!.chapter} to ${gaps.at(-1)!.chapter}): ${escapeMarkdown(reason)}`,
    ),
    ...evaluation.book.warnings.map((warning) => `- Warning: ${escapeMarkdown(warning)}`),
    ...evaluation.notes.map((note) => `- ${escapeMarkdown(note)}`),
    "",
  ].join("\n");
}

function draftPart(evaluation: BookEvaluation): string[] {
  const lines = draftLines(evaluation);
  if (lines === null) return [];
  const list = [...lines.said, ...lines.shown].map((line) => `- ${escapeMarkdown(line)}`);
  return ["## Since the earlier draft", "", ...list, ""];
}

function remarkLines(heading: string, remarks: readonly RemarkView[]): string[] {
  if (remarks.length === 0) return [];
  return [
    `**${heading}**`,
    "",
    ...remarks.flatMap((remark) => [
      ...(remark.text ? [`- ${escapeMarkdown(remark.text)}`] : []),
      ...remark.passages.map(
        (passage) =>
          `${remark.text ? "  " : ""}- “${escapeMarkdown(passage.quote)}” (${escapeMarkdown(passage.where)}${passage.found ? "" : "; not found in the book"}${passage.note === null ? "" : `; ${escapeMarkdown(passage.note)}`})`,
      ),
    ]),
    "",
  ];
}

/** A letter alone, with the title of its book. */
export function letterFile({ evaluation, byline }: EvaluationView, letter: LetterView): string {
  const { title } = evaluation.book;
  return [`# ${escapeMarkdown(title)}`, "", escapeMarkdown(byline), "", ...letterMarkdown(letter)].join("\n");
}

function letterMarkdown({ blocks }: LetterView): string[] {
  return blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case "heading":
        return [`## ${escapeMarkdown(block.text)}`, ""];
      case "text":
        return [escapeSentence(block.text), ""];
      case "list":
        return [
          ...block.entries.map((entry, at) => `${block.numbered ? `${at + 1}.` : "-"} ${escapeMarkdown(entry)}`),
          "",
        ];
      case "quote":
        return [`- ${quotation(block.quote)}`, ""];
      case "item":
        return [
          `### ${block.number}. ${escapeMarkdown(block.title)}`,
          "",
          escapeMarkdown(block.text),
          "",
          ...block.quotes.map((quote) => `- ${quotation(quote)}`),
          "",
          escapeMarkdown(block.advice),
          "",
        ];
      default:
        return block satisfies never;
    }
  });
}

function jurySectionMarkdown({ jurors, agreement, grader }: JuryView): string[] {
  const cell = (verdict: JurorView["result"]["overall"], scale: Scale) =>
    verdict.kind === "scored"
      ? `${scoreInWords(verdict)} of ${scale.maximum} | ${intervalInWords(verdict)}`
      : `unscored: ${escapeMarkdown(verdict.reason)} | `;
  return [
    "| juror | score | range | who is speaking | percentile |",
    "| --- | --- | --- | --- | --- |",
    ...jurors.map(
      ({ label, result, beside, place }) =>
        `| ${label} | ${cell(result.overall, result.scale)} | ${escapeMarkdown(beside)} | ${escapeMarkdown(place)} |`,
    ),
    "",
    ...(agreement === null ? [] : [escapeMarkdown(agreement), ""]),
    ...(grader === null
      ? []
      : [
          `The grader's own criteria (${escapeMarkdown(grader.speaker)}):`,
          "",
          "| criterion | score | range |",
          "| --- | --- | --- |",
          ...grader.criteria.map(
            ({ name, better, verdict }) =>
              `| ${escapeMarkdown(name)}${better === "lower" ? " (less is better)" : ""} | ${cell(verdict, grader.scale)} |`,
          ),
          "",
        ]),
  ];
}
