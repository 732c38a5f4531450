import type { TitledTable } from "../../api/evaluations.ts";
import type { Acceptance, AuditReport, Detection, KindAgreement } from "../../qa/audit.ts";
import type { Statistic } from "../../stats/index.ts";

/** LiteraryQA's Tables 1, 2 and 11 in its layout, with what refinement found and missed. */
export function auditTables(report: AuditReport & { readonly documents: readonly KindAgreement[] }): TitledTable[] {
  return [
    {
      ...acceptanceTable(
        "Originals: is the text acceptable? (LiteraryQA's Table 1)",
        "acceptability",
        report.originals,
        "%",
      ),
      note: "Before refinement, changed and unchanged samples mixed, without saying which is which.",
    },
    detectionTable(report.detection),
    acceptanceTable("Corrections: is the sample right now? (Table 2)", "corrections", report.corrections, ""),
    ...(report.documents.length > 0 ? [documentTable(report.documents)] : []),
  ];
}

function acceptanceTable(title: string, what: string, rows: readonly Acceptance[], unit: "%" | ""): TitledTable {
  const reviewers = rows[0]!.reviewers.map((_, index) => `A${index + 1}${unit && ` ${unit}`}`);
  const share = (value: number | null) =>
    value === null ? "–" : unit === "%" ? (100 * value).toFixed(2) : value.toFixed(2);
  return {
    title,
    headings: [what, "κ", ...reviewers, "lines"],
    rows: rows.map(({ name, kappa, reviewers: own }) => [
      name,
      kappaInWords(kappa),
      ...own.map((one) => share(one.share)),
      `${own[0]!.lines}`,
    ]),
  };
}

function detectionTable(rows: readonly Detection[]): TitledTable {
  return {
    title: "What refinement found and missed",
    headings: ["text", "changed", "precision", "95 % interval", "recall", "95 % interval"],
    rows: rows.map(({ name, flagged, precision, recall, recallInterval }) => [
      name,
      `${flagged}`,
      precision?.value.toFixed(2) ?? "–",
      range(precision?.interval ?? null),
      recall?.toFixed(2) ?? "–",
      range(recallInterval),
    ]),
    note: "By the first reviewer: precision is the share of changed texts that were unacceptable; recall the share of unacceptable texts that were changed, the unchanged samples weighed by how many each stands for.",
  };
}

function range(interval: readonly [number, number] | null): string {
  return interval?.map((end) => end.toFixed(2)).join(" to ") ?? "–";
}

function documentTable(rows: readonly KindAgreement[]): TitledTable {
  return {
    title: "Documents (Table 11)",
    headings: ["category", "Pr", "Re", "F1", "κ", "documents"],
    rows: rows.map(({ kind, precision, recall, f1, kappa, documents }) => [
      kind,
      ...[precision, recall, f1].map((value) => value?.toFixed(2) ?? "–"),
      kappaInWords(kappa),
      `${documents}`,
    ]),
  };
}

function kappaInWords(kappa: Statistic | null): string {
  return kappa?.value?.toFixed(2) ?? "–";
}
