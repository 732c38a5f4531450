import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Vote } from "../../../api/votes.ts";
import { FabulaError } from "../../../core/errors.ts";
import { readJsonLines } from "../../../core/json-lines.ts";
import { standingVotes, voteLineSchema } from "./vote.ts";

/** The file of the web app's library that holds its votes. */
export const VOTES_FILE = "votes.jsonl";

/** Blind votes from a file, or from a library of the web app. */
export async function readVotes(path: string): Promise<Vote[]> {
  const isFolder = await stat(path).then(
    (status) => status.isDirectory(),
    () => false,
  );
  const votes = standingVotes(await readJsonLines(isFolder ? join(path, VOTES_FILE) : path, voteLineSchema));
  if (votes.length > 0) return votes;
  throw new FabulaError("E_VOTES_NONE", `"${path}" holds no votes: give some in the web app, under Disagreements.`);
}
