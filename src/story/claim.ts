import { z } from "zod";
import { findingSchema, passageSchema, SEVERITIES } from "../core/finding.ts";
import type { Book } from "../text/book.ts";

/** What each question about a whole book looks for. The prompts explain the kinds; a reply may use no others. */
export const QUESTION_KINDS = {
  "close-continuity": [
    "attribute-conflict",
    "name-variant",
    "time-conflict",
    "place-conflict",
    "state-conflict",
    "knowledge-conflict",
    "chapter-order",
    "repeated-passage",
    "tense-shift",
    "point-of-view",
    "anachronism",
  ],
  "close-threads": ["open-thread", "unprepared", "plot-hole", "rule-conflict", "motive", "consequence"],
  "close-craft": [
    "strength",
    "structure",
    "pace",
    "character",
    "opening",
    "ending",
    "theme",
    "telling",
    "overused",
    "scale",
  ],
} as const;
export type ClaimQuestion = keyof typeof QUESTION_KINDS;

export const CLAIM_KINDS = Object.values(QUESTION_KINDS).flat();
export type ClaimKind = (typeof CLAIM_KINDS)[number];

/** A quotation as a model gives it, before it is looked up. */
export const quotedSchema = z.object({ chapter: z.number(), quote: z.string() });
export type Quoted = z.infer<typeof quotedSchema>;

/** One statement about the book with the passages it rests on, all of which stand in the book. */
const claimSchema = findingSchema.omit({ id: true, origin: true }).extend({ kind: z.enum(CLAIM_KINDS) });
export type Claim = Readonly<z.infer<typeof claimSchema>>;

/** What a second reading made of a claim. `merged`: another claim says it; `unchecked`: there was no answer. */
const REFUTATIONS = ["holds", "weak", "explained", "false", "merged", "unchecked"] as const;

/** A claim that a second reading has tried to refute. */
export const refutedClaimSchema = claimSchema.extend({
  verdict: z.enum(REFUTATIONS),
  why: z.string(),
  /** The passage that explains it, where it is explained. */
  explainedBy: passageSchema.nullable(),
});
export type RefutedClaim = Readonly<z.infer<typeof refutedClaimSchema>>;

/**
 * What an earlier draft's reading knows of claims: a verdict holds on where the same passages still stand. What was merged or
 * had no second reading is tried again, and so is what was explained by words that are gone.
 */
export function knownVerdicts(
  tried: readonly RefutedClaim[],
  { chapters }: Pick<Book, "chapters">,
): (claim: Claim) => RefutedClaim | null {
  const stands = (quote: string) => chapters.some(({ text }) => text.includes(quote));
  const lasting = tried.filter(({ verdict, explainedBy }) => {
    if (verdict === "merged" || verdict === "unchecked") return false;
    return verdict !== "explained" || (explainedBy !== null && stands(explainedBy.quote));
  });
  return (claim) => {
    const earlier = lasting.find(
      ({ kind, passages }) =>
        kind === claim.kind && isWithin(claim.passages, passages) && passages.every(({ quote }) => stands(quote)),
    );
    if (!earlier) return null;
    const { verdict, why, severity, claim: said } = earlier;
    return { ...claim, claim: said, severity, verdict, why, explainedBy: null };
  };
}

/** Whether each passage is one of the others, quoted at more or less length. */
function isWithin(passages: Claim["passages"], others: Claim["passages"]): boolean {
  return passages.every(({ quote }) =>
    others.some((other) => other.quote.includes(quote) || quote.includes(other.quote)),
  );
}

/** What a reply to a question about the whole book looks like. One odd value must not cost the other claims. */
export function claimsReplySchema(question: ClaimQuestion) {
  const kinds = QUESTION_KINDS[question];
  return z.object({
    claims: z.array(
      z.object({
        kind: z.enum(kinds as readonly [ClaimKind, ...ClaimKind[]]).catch(kinds[0]),
        title: z.string(),
        claim: z.string(),
        passages: z.array(quotedSchema),
        severity: z.enum(SEVERITIES).catch("should"),
        certainty: z.number().min(0).max(1).catch(0.5),
        advice: z.string(),
      }),
    ),
  });
}
