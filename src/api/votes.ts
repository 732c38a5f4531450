/**
 * All scores here are from 0 to 100: each judge's own scale, converted linearly. Who gave a score is not revealed
 * before the vote.
 */

/** A passage that one judge praised and the other criticised, with offsets into the chapter's text. */
export interface DisputedPassage {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** `overall` or an aspect's id, of a book. */
export interface DisputedPlace {
  readonly bookId: string;
  readonly aspect: string;
  readonly aspectName: string;
}

/** A dispute between two judges. */
export interface Dispute extends DisputedPlace {
  readonly id: string;
  readonly difference: number;
  readonly passage: DisputedPassage | null;
}

/**
 * GET /api/disagreements?book=&after=&limit= → Paged<DisagreementRow>: where judges disagree, largest disagreement
 * first.
 */
export interface DisagreementRow extends DisputedPlace {
  readonly id: string;
  readonly title: string;
  /** The highest score minus the lowest. */
  readonly spread: number;
  /** Lowest first, without names. */
  readonly scores: readonly number[];
  /** Passages that one judge praised and another criticised. */
  readonly passages: readonly DisputedPassage[];
}

/** GET /api/disagreements/judges → JudgeStanding[]: the judge that differs most from the others comes first. */
export interface JudgeStanding {
  readonly name: string;
  readonly judge: string;
  /** Verdicts on something that at least one other judge scored too. */
  readonly verdicts: number;
  readonly books: number;
  /** Spearman's rank correlation with the median of the other judges; null if it does not exist. */
  readonly correlation: { readonly value: number; readonly interval: readonly [number, number] | null } | null;
  /** Mean of its score minus the median. */
  readonly lean: number;
  /** Mean absolute distance from the median. */
  readonly distance: number;
  /** Whether it correlates less with the others than each of them does, beyond chance. */
  readonly standsApart: boolean;
  readonly evaluationId: string;
}

/**
 * GET /api/votes/queue?voter=&seed=&book=&aspect=&limit= → VoteQueue: what this voter has not voted on, largest
 * disagreement first.
 */
export interface VoteQueue {
  readonly pairs: readonly BlindPair[];
  readonly left: number;
}

export interface BlindPair extends Dispute {
  readonly title: string;
  readonly sides: readonly [BlindSide, BlindSide];
}

export interface BlindSide {
  readonly score: number;
  readonly interval: readonly [number, number] | null;
  readonly strengths: readonly BlindRemark[];
  readonly weaknesses: readonly BlindRemark[];
}

export interface BlindRemark {
  readonly text: string;
  readonly quotes: readonly { readonly chapter: number; readonly quote: string; readonly found: boolean }[];
}

/** POST /api/votes → VoteAnswer. DELETE /api/votes/:id → VoterAgreement. */
export interface VoteRequest {
  readonly voter: string;
  /** Determines which judge is A. */
  readonly seed: number;
  readonly pair: string;
  readonly choice: VoteChoice;
  /** The voter's own score, present only if the choice is `score`. */
  readonly score: number | null;
}

export type VoteChoice = "A" | "B" | "tie" | "score";

export interface Vote extends DisputedPlace {
  readonly id: string;
  readonly at: string;
  readonly voter: string;
  readonly seed: number;
  readonly pair: string;
  readonly title: string;
  readonly choice: VoteChoice;
  readonly score: number | null;
  readonly sides: readonly [VotedSide, VotedSide];
}

export interface VotedSide {
  /** Judge, method and settings; votes on the same combination are counted together. */
  readonly way: string;
  readonly judge: string;
  readonly name: string;
  readonly evaluationId: string;
  readonly score: number;
}

export interface VoteAnswer {
  readonly vote: Vote;
  readonly agreement: VoterAgreement;
}

/** GET /api/votes?voter= → VoterAgreement. GET /api/votes/export?format=csv|jsonl → a file. */
export interface VoterAgreement {
  readonly votes: number;
  readonly books: number;
  readonly judges: readonly JudgeAgreement[];
  /** The file of the votes, which `fabula agree --votes` and `fabula health --votes` read. */
  readonly file: string;
}

/** How often people sided with one judge. */
export interface JudgeAgreement {
  readonly name: string;
  readonly judge: string;
  readonly votes: number;
  readonly books: number;
  readonly won: number;
  readonly tied: number;
  /** The share of the votes on this judge that sided with it; a tie counts half for each. */
  readonly share: number;
  /** Wilson, 95 %; every vote counts as one, but an own score of a book's aspect once, however many pairs it decides. */
  readonly interval: readonly [number, number];
  /** Mean distance from the voters' own scores, if there are any. */
  readonly distance: { readonly n: number; readonly value: number } | null;
}
