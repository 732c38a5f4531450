import { cohenKappa, type Statistic } from "../../stats/index.ts";

/** What a document is, as the filter and reviewers name it. */
export const DOCUMENT_KINDS = ["narrative", "movie", "play", "non-fiction", "mismatched summary"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface AuditedDocument {
  readonly id: string;
  /** By the pipeline: the reason it was removed for, or narrative. */
  readonly pipeline: DocumentKind;
  /** By each reviewer; undefined where the line was left empty. */
  readonly reviewers: readonly (DocumentKind | undefined)[];
}

/** One kind of document: how the pipeline's word compares with the first reviewer's. */
export interface KindAgreement {
  readonly kind: DocumentKind;
  readonly documents: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
  /** Of the first two reviewers on this kind against all others; null with one reviewer. */
  readonly kappa: Statistic | null;
}

/** LiteraryQA's Table 11: precision, recall and F1 of each kind that is filtered out, and the reviewers' agreement. */
export function documentAudit(documents: readonly AuditedDocument[]): KindAgreement[] {
  const decided = documents.filter(({ reviewers }) => reviewers[0] !== undefined);
  return DOCUMENT_KINDS.slice(1).flatMap((kind) => {
    const isSaid = decided.filter(({ pipeline }) => pipeline === kind);
    const isTrue = decided.filter(({ reviewers }) => reviewers[0] === kind);
    if (isSaid.length === 0 && isTrue.length === 0) return [];
    const both = isSaid.filter(({ reviewers }) => reviewers[0] === kind).length;
    const precision = isSaid.length === 0 ? null : both / isSaid.length;
    const recall = isTrue.length === 0 ? null : both / isTrue.length;
    const f1 = isSaid.length + isTrue.length === 0 ? null : (2 * both) / (isSaid.length + isTrue.length);
    const twice = decided.filter(({ reviewers }) => reviewers[1] !== undefined);
    const marks = (place: number) => twice.map(({ reviewers }) => Number(reviewers[place] === kind));
    const kappa = twice.length === 0 ? null : cohenKappa(marks(0), marks(1));
    return [{ kind, documents: isTrue.length, precision, recall, f1, kappa }];
  });
}
