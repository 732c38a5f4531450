import type { ReportCell, ReportFile, ReportSection } from "../api/evaluations.ts";
import { countOf } from "../core/wording.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { type EvaluationView, judgedAspects } from "./evaluation-view.ts";
import { notesSection } from "./letter/letter-view.ts";
import { mapSection } from "./map-section.ts";
import { personalSection } from "./personal/personal-section.ts";
import { folded, reportFiles } from "./report-forms.ts";
import { scoreInWords } from "./wording.ts";

/** An evaluation, or its letter alone, as one HTML file. */
export async function htmlReport(view: EvaluationView, part: ReportFile["part"] = "report"): Promise<string> {
  return (await reportFiles()).reportFile({ ...fileOf(view), part });
}

function fileOf(view: EvaluationView): Omit<ReportFile, "part"> {
  const { evaluation, byline, judged, sureness, letter } = view;
  return {
    evaluation: { ...evaluation, aspects: judgedAspects(view).map(({ result }) => result) },
    ...{ byline, judged, sureness, letter },
    opening: [
      ...(view.injection ? [view.injection] : []),
      ...(evaluation.changes?.words ? [draftSummary(evaluation.changes.words)] : []),
    ],
    counted: [mapSection(evaluation), view.notes && notesSection(view.notes)].filter((section) => section !== null),
    personal: evaluation.personal ? personalSection(evaluation.personal) : null,
    agreement: agreementInWords(evaluation),
    closing: readingSection(view),
  };
}

/** Changes since the earlier draft, in sentences, shown before the letter. */
function draftSummary(words: readonly string[]): ReportSection {
  return { heading: "Since the earlier draft", parts: [{ kind: "list", entries: words }] };
}

function agreementInWords({ panel }: BookEvaluation): string[] {
  if (!panel) return [];
  const { concordance, without } = panel;
  return [
    ...(concordance === null
      ? []
      : [
          `Their agreement on which aspects are better (Kendall's W) is ${concordance.toFixed(2)}; 1 is full agreement, 0 none.`,
        ]),
    ...without.map(({ judge, overall }) => `Overall without ${shortName(judge)}: ${scoreInWords(overall)}.`),
  ];
}

/** `model@http://host/v1` is shown as the model's name; the address is at the top of the report. */
function shortName(judge: string): string {
  return judge.replace(/@https?:\/\/\S+$/, "");
}

function readingSection({ evaluation: { book, coverage, notes }, grounded }: EvaluationView): ReportSection {
  return {
    heading: "What was read, and notes",
    parts: [
      {
        kind: "list",
        entries: [
          ...(grounded.total > 0
            ? [`Passages found in the book: ${grounded.found} of ${countOf(grounded.total, "quotation")} shown here.`]
            : []),
          ...book.warnings.map((warning) => `Warning: ${warning}`),
          ...notes,
        ],
      },
      folded(countOf(book.chapters.length, "chapter"), {
        kind: "table",
        headings: ["Chapter", "Title", "Words", ""],
        rows: book.chapters.map(({ index, title, words }) => {
          const gap = coverage.skipped.find(({ chapter }) => chapter === index);
          const state: ReportCell = gap ? { text: gap.reason, isMarked: true } : "judged";
          return [String(index), title ?? "", words.toLocaleString("en-GB"), state];
        }),
      }),
    ],
  };
}
