import { z } from "zod";
import { sha256 } from "./hash.ts";

/** How much a finding matters: any reader notices or the plot breaks; a careful reader notices; worth a thought. */
export const SEVERITIES = ["must", "should", "consider"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A quotation with the place where it stands. Offsets point into the text of the chapter. */
export const passageSchema = z.object({
  chapter: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  quote: z.string(),
});
export type Passage = z.infer<typeof passageSchema>;

/** One thing to look at, counted by code or read by a model, with the passages that show it. */
export const findingSchema = z.object({
  /** Follows the kind and the passages, so that the next draft can say of each finding: fixed, still there, new. */
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  claim: z.string(),
  severity: z.enum(SEVERITIES),
  /** How likely it is to be an unintended fault, 0 to 1: measured for counted findings, the model's estimate for read ones. */
  certainty: z.number().min(0).max(1),
  origin: z.enum(["counted", "read"]),
  passages: z.array(passageSchema).min(1),
  advice: z.string(),
});
export type Finding = z.infer<typeof findingSchema>;

/** The same passages give the same id wherever they move to in the book, and however the claim is worded. */
export function findingId(kind: string, passages: readonly Pick<Passage, "quote">[]): string {
  const quotes = passages.map(({ quote }) => quote.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " "));
  return sha256([kind, ...quotes.toSorted()].join("\u0000")).slice(0, 12);
}

/** Kinds of finding that praise; a letter keeps them apart from what to change. */
export function isStrength({ kind }: Pick<Finding, "kind">): boolean {
  return kind === "strength";
}
