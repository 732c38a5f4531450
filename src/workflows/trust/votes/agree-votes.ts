import type { VoteAgreementReport } from "../../../report/agreement/vote-agreement.ts";
import { readVotes } from "./read-votes.ts";
import { agreementWithVotes } from "./vote-agreement.ts";

/** A file of blind votes → how often people sided with each judge. */
export async function agreeWithVotes(path: string): Promise<VoteAgreementReport> {
  const votes = await readVotes(path);
  return {
    source: path,
    votes: votes.length,
    voters: new Set(votes.map(({ voter }) => voter)).size,
    books: new Set(votes.map(({ bookId }) => bookId)).size,
    judges: agreementWithVotes(votes),
  };
}
