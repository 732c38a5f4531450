import { z } from "zod";
import type { Vote, VoteChoice } from "../../../api/votes.ts";

const sideSchema = z.object({
  way: z.string(),
  judge: z.string(),
  name: z.string(),
  evaluationId: z.string(),
  score: z.number(),
});

export const voteChoiceSchema = z.enum(["A", "B", "tie", "score"]) satisfies z.ZodType<VoteChoice>;

/** One blind vote, a line of `votes.jsonl`; the first side was shown as A. */
const voteSchema = z.object({
  id: z.string(),
  at: z.string(),
  voter: z.string(),
  seed: z.number().int(),
  pair: z.string(),
  bookId: z.string(),
  title: z.string(),
  aspect: z.string(),
  aspectName: z.string(),
  choice: voteChoiceSchema,
  score: z.number().min(0).max(100).nullable(),
  sides: z.tuple([sideSchema, sideSchema]),
}) satisfies z.ZodType<Vote>;

/** Taken back: the vote before it counts no more. */
const retractionSchema = z.object({ retracted: z.string() });

export type VoteLine = Vote | { readonly retracted: string };
export const voteLineSchema: z.ZodType<VoteLine> = z.union([retractionSchema, voteSchema]);

/** What counts of a file of votes: of two votes by one voter on one pair the later one, and nothing that was taken back. */
export function standingVotes(lines: Iterable<VoteLine>): Vote[] {
  const byId = new Map<string, Vote>();
  for (const line of lines) {
    if ("retracted" in line) byId.delete(line.retracted);
    else byId.set(line.id, line);
  }
  return [...new Map([...byId.values()].map((vote) => [JSON.stringify([vote.voter, vote.pair]), vote])).values()];
}

/** Whom the voter sided with. An own score sides with the judge that is nearer. */
export function sidedWith({ choice, score, sides: [first, second] }: Vote): "A" | "B" | "tie" {
  if (choice !== "score" || score === null) return choice === "score" ? "tie" : choice;
  const [fromFirst, fromSecond] = [Math.abs(first.score - score), Math.abs(second.score - score)];
  if (fromFirst === fromSecond) return "tie";
  return fromFirst < fromSecond ? "A" : "B";
}
