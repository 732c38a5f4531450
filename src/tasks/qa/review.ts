import { FabulaError } from "../../core/errors.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { documentSchema } from "../../qa/dataset/document.ts";
import { readSteps, writeSteps } from "../../qa/dataset/steps.ts";
import {
  type AppliedReview,
  applyReview,
  droppedSchema,
  type ReviewedChange,
  reviewSchema,
} from "../../qa/refinement.ts";
import { cohenKappa, type Statistic } from "../../stats/index.ts";

export interface ReviewRequest {
  /** A review file that a person filled in. */
  readonly review: string;
  /** A second person's review of the same changes. */
  readonly second?: string;
  /** The refined data; with `output`, rejected changes are reverted. */
  readonly input?: string;
  /** The samples that refinement dropped; those with a decision on every change are restored. */
  readonly dropped?: string;
  readonly output?: string;
}

interface Reviewer {
  readonly accepted: number;
  readonly rejected: number;
  readonly undecided: number;
}

export interface ReviewReport {
  readonly first: Reviewer;
  readonly second: Reviewer | null;
  /** Over the changes that both reviewers decided. */
  readonly agreement: { readonly both: number; readonly kappa: Statistic } | null;
  readonly applied: Omit<AppliedReview, "documents"> | null;
}

/** Sums up a filled-in review and how far two reviewers agree, and writes the data without the rejected changes. */
export async function reviewChanges(request: ReviewRequest): Promise<ReviewReport> {
  const first = await readJsonLines(request.review, reviewSchema);
  const second = request.second ? await readJsonLines(request.second, reviewSchema) : null;
  return {
    first: countDecisions(first),
    second: second && countDecisions(second),
    agreement: second && agreementOf(first, second),
    applied: await apply(request, first),
  };
}

async function apply({ input, dropped, output }: ReviewRequest, review: readonly ReviewedChange[]) {
  if (input === undefined && output === undefined) return null;
  if (input === undefined || output === undefined) {
    throw new FabulaError("E_USAGE", "To apply a review, give the refined data with --in and the new file with --out.");
  }
  const left = dropped === undefined ? [] : await readJsonLines(dropped, droppedSchema);
  const { documents, ...applied } = applyReview(await readJsonLines(input, documentSchema), review, left);
  await writeJsonLines(output, documents);
  await writeSteps(output, await readSteps(input));
  return applied;
}

function countDecisions(review: readonly ReviewedChange[]): Reviewer {
  const count = (decision: ReviewedChange["decision"]) =>
    review.filter((change) => change.decision === decision).length;
  return { accepted: count("accept"), rejected: count("reject"), undecided: count(null) };
}

function agreementOf(first: readonly ReviewedChange[], second: readonly ReviewedChange[]) {
  const others = new Map(second.map(({ id, decision }) => [id, decision]));
  const pairs = first.flatMap(({ id, decision }) => {
    const other = others.get(id) ?? null;
    return decision === null || other === null
      ? []
      : [[Number(decision === "accept"), Number(other === "accept")] as const];
  });
  return {
    both: pairs.length,
    kappa: cohenKappa(
      pairs.map(([left]) => left),
      pairs.map(([, right]) => right),
    ),
  };
}
