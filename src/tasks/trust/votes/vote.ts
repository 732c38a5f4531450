import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { JudgeAgreement, Vote, VoteChoice, VotedSide } from "../../../api/votes.ts";
import { csvLine } from "../../../core/csv.ts";
import { FabulaError } from "../../../core/errors.ts";
import { groupBy } from "../../../core/group-by.ts";
import { readJsonLines } from "../../../core/json-lines.ts";
import { mean, wilsonInterval } from "../../../stats/distribution.ts";

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

/** Withdraws a vote, which then no longer counts. */
const retractionSchema = z.object({ retracted: z.string() });

export type VoteLine = Vote | { readonly retracted: string };
export const voteLineSchema: z.ZodType<VoteLine> = z.union([retractionSchema, voteSchema]);

/**
 * The valid votes of a file: of two votes by one voter on one pair the later one, without those that were withdrawn.
 */
export function standingVotes(lines: Iterable<VoteLine>): Vote[] {
  const byId = new Map<string, Vote>();
  for (const line of lines) {
    if ("retracted" in line) byId.delete(line.retracted);
    else byId.set(line.id, line);
  }
  return [...new Map([...byId.values()].map((vote) => [JSON.stringify([vote.voter, vote.pair]), vote])).values()];
}

/** Which judge the voter sided with. If the voter gave a score, it is the judge that is closer to it. */
export function sidedWith({ choice, score, sides: [first, second] }: Vote): "A" | "B" | "tie" {
  if (choice !== "score" || score === null) return choice === "score" ? "tie" : choice;
  const [fromFirst, fromSecond] = [Math.abs(first.score - score), Math.abs(second.score - score)];
  if (fromFirst === fromSecond) return "tie";
  return fromFirst < fromSecond ? "A" : "B";
}

/** The file of the web app's library that holds its votes. */
export const VOTES_FILE = "votes.jsonl";

/** Reads blind votes from a file, or from a library folder of the web app. */
export async function readVotes(path: string): Promise<Vote[]> {
  const isFolder = await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
  const votes = standingVotes(await readJsonLines(isFolder ? join(path, VOTES_FILE) : path, voteLineSchema));
  if (votes.length > 0) return votes;
  throw new FabulaError("E_VOTES_NONE", `"${path}" holds no votes: give some in the web app, under Disagreements.`);
}

/** What one vote says about one of its two judges. */
interface SideOutcome extends VotedSide {
  readonly outcome: "won" | "lost" | "tied";
  readonly bookId: string;
  readonly own: number | null;
  /**
   * The question that was answered: a voter's own score of an aspect is one answer, however many pairs of judges it
   * decides.
   */
  readonly answer: string;
}

export function outcomesOf(votes: readonly Vote[]): SideOutcome[] {
  return votes.flatMap((vote) => {
    const winner = sidedWith(vote);
    const outcome = (place: "A" | "B") => (winner === "tie" ? "tied" : winner === place ? "won" : "lost");
    const place = vote.choice === "score" ? [vote.voter, vote.bookId, vote.aspect] : [vote.id];
    const shared = { bookId: vote.bookId, own: vote.score, answer: JSON.stringify(place) };
    return [
      { ...vote.sides[0], ...shared, outcome: outcome("A") },
      { ...vote.sides[1], ...shared, outcome: outcome("B") },
    ];
  });
}

/** How often voters sided with each judge, most trusted first. */
export function agreementWithVotes(votes: readonly Vote[]): JudgeAgreement[] {
  const judges = [...groupBy(outcomesOf(votes), ({ way }) => way).values()].map((outcomes): JudgeAgreement => {
    const { name, judge } = outcomes.at(-1)!;
    const won = outcomes.filter(({ outcome }) => outcome === "won").length;
    const tied = outcomes.filter(({ outcome }) => outcome === "tied").length;
    const sided = won + tied / 2;
    const answers = new Set(outcomes.map(({ answer }) => answer)).size;
    const distances = outcomes.flatMap(({ own, score }) => (own === null ? [] : [Math.abs(own - score)]));
    return {
      name,
      judge,
      votes: outcomes.length,
      won,
      tied,
      books: new Set(outcomes.map(({ bookId }) => bookId)).size,
      share: sided / outcomes.length,
      interval: wilsonInterval((sided / outcomes.length) * answers, answers, 0.95),
      distance: distances.length === 0 ? null : { n: distances.length, value: mean(distances) },
    };
  });
  return judges.sort((left, right) => right.share - left.share || left.name.localeCompare(right.name));
}

const COLUMNS = [
  ...["id", "at", "voter", "book", "aspect", "judge_a", "score_a", "judge_b", "score_b"],
  ...["choice", "sided_with", "human"],
];

/** Votes as a table, one row each; `human` is the voter's own score if one was given. All scores are from 0 to 100. */
export function votesAsCsv(votes: readonly Vote[]): string {
  const rows = votes.map((vote) => {
    const [first, second] = vote.sides;
    const sided = sidedWith(vote);
    return [
      ...[vote.id, vote.at, vote.voter, vote.title, vote.aspect],
      ...[first.name, first.score, second.name, second.score, vote.choice],
      ...[sided === "tie" ? null : sided === "A" ? first.name : second.name, vote.score],
    ];
  });
  return [COLUMNS, ...rows].map((row) => `${csvLine(row)}\n`).join("");
}
