import { pathToFileURL } from "node:url";
import type { ReportFile, ReportPart, ReportSection } from "../api/evaluations.ts";
import { builtPath } from "../core/assets.ts";
import { countOf } from "../core/wording.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { type EvaluationView, type InjectionView, judgedAspects, MASKED_COLUMNS } from "./evaluation-view.ts";
import type { NotesView } from "./letter/letter-view.ts";
import { mapSection } from "./letter/map/map-section.ts";
import { personalSection } from "./personal/personal-section.ts";
import { scoreInWords } from "./wording.ts";

/**
 * An evaluation as one HTML file, drawn by the web app's own components: it opens without a network or a script. They are built for
 * this by `scripts/build.mjs` and loaded when the first file is written.
 */
export async function htmlReport(view: EvaluationView): Promise<string> {
  const built = pathToFileURL(builtPath("report-file", "report-file.js")).href;
  const { reportFile }: { reportFile(file: ReportFile): Promise<string> } = await import(/* @vite-ignore */ built);
  return reportFile(fileOf(view));
}

function fileOf(view: EvaluationView): ReportFile {
  const { evaluation, byline, judged, sureness, letter } = view;
  return {
    evaluation: { ...evaluation, aspects: judgedAspects(view).map(({ result }) => result) },
    ...{ byline, judged, sureness, letter },
    opening: [
      ...(view.injection ? [injectionSection(view.injection)] : []),
      ...(evaluation.changes?.words ? [draftSummary(evaluation.changes.words)] : []),
    ],
    counted: [mapSection(evaluation), view.notes && notesSection(view.notes)].filter((section) => section !== null),
    personal: evaluation.personal ? personalSection(evaluation.personal) : null,
    agreement: agreementInWords(evaluation),
    closing: readingSection(view),
  };
}

function injectionSection({ sentence, masked }: InjectionView): ReportSection {
  const again: ReportPart[] = masked
    ? [
        { kind: "text", text: masked.heading },
        {
          kind: "table",
          columns: MASKED_COLUMNS,
          rows: masked.rows.map(({ label, given, masked: without, difference }) => ({
            cells: [label, given, without, difference],
          })),
        },
      ]
    : [];
  return { heading: null, parts: [{ kind: "text", text: sentence, strong: true }, ...again] };
}

/** In sentences, before the letter: who names an earlier draft asks for this first. */
function draftSummary(words: readonly string[]): ReportSection {
  return { heading: "Since the earlier draft", parts: [{ kind: "list", entries: words }] };
}

function notesSection({ heading, intro, notes }: NotesView): ReportSection {
  return {
    heading,
    parts: [
      { kind: "text", text: intro },
      { kind: "quotes", quotes: notes },
    ],
  };
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

/** `model@http://host/v1` is known by its model; the address stands at the head of the report. */
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
      {
        kind: "table",
        folded: countOf(book.chapters.length, "chapter"),
        columns: ["Chapter", "Title", "Words", ""],
        rows: book.chapters.map(({ index, title, words }) => {
          const gap = coverage.skipped.find(({ chapter }) => chapter === index);
          return {
            cells: [String(index), title ?? "", words.toLocaleString("en-GB"), gap?.reason ?? "judged"],
            isMarked: gap !== undefined,
          };
        }),
      },
    ],
  };
}
