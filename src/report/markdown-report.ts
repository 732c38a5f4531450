import { groupBy } from "../core/group-by.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { draftLines } from "./draft-lines.ts";
import { type EvaluationView, judgedAspects, type RemarkView } from "./evaluation-view.ts";
import { injectionMarkdown } from "./injection/injection-section.ts";
import { jurySectionMarkdown } from "./jury-section.ts";
import { letterMarkdown, notesMarkdown } from "./letter/letter-markdown.ts";
import { mapMarkdown } from "./letter/map/map-markdown.ts";
import { escapeMarkdown } from "./markup.ts";
import { personalSectionMarkdown } from "./personal/personal-section.ts";
import { JUDGED, NOTED } from "./remark-headings.ts";
import { countOf, intervalInWords, percentileInWords, scoreInWords, supportInWords } from "./wording.ts";

export function markdownReport(view: EvaluationView): string {
  const { evaluation } = view;
  const headings = view.jury ? NOTED : JUDGED;
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
    ...(evaluation.map ? mapMarkdown(evaluation.map, evaluation.letter?.words.language ?? "en") : []),
    ...(view.notes ? notesMarkdown(view.notes) : []),
    ...(view.letter ? ["## Verdicts", ""] : []),
    `${escapeMarkdown(view.judged)} ${escapeMarkdown(view.sureness)}`,
    "",
    ...(view.injection ? injectionMarkdown(view.injection) : []),
    ...(view.jury ? jurySectionMarkdown(view.jury) : []),
    ...(rows.length === 0
      ? []
      : [
          `| aspect | score | interval | percentile |${hasSegments ? " segments |" : ""}`,
          `| --- | --- | --- | --- |${hasSegments ? " --- |" : ""}`,
          ...rows,
          "",
        ]),
    ...(evaluation.personal ? personalSectionMarkdown(evaluation.personal) : []),
    ...sections,
    "## What was read",
    "",
    ...(view.grounded.total > 0
      ? [`${view.grounded.found} of ${countOf(view.grounded.total, "quotation")} were found in the book.`, ""]
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
          `${remark.text ? "  " : ""}- “${escapeMarkdown(passage.quote)}” (${escapeMarkdown(passage.where)}${passage.verified ? "" : "; not found in the book"}${shareText(passage.share)}${passage.note === null ? "" : `; ${escapeMarkdown(passage.note)}`})`,
      ),
    ]),
    "",
  ];
}

function shareText(share: number | null): string {
  return share === null ? "" : `; ${share >= 0 ? "+" : "−"}${Math.abs(share).toFixed(2)}`;
}
