import { open, readFile, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import type { Vote } from "../../api/votes.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { standingVotes, type VoteLine, voteLineSchema } from "../../workflows/trust/votes/vote.ts";
import { notFound } from "../ids.ts";

/** Blind votes, a line each, on the disk before they are answered; a vote taken back is a line of its own. */
export class VoteShelf {
  readonly path: string;
  #lines: Promise<VoteLine[]> | null = null;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  /** The votes that count, the earliest first. */
  async list(voter?: string): Promise<Vote[]> {
    const votes = standingVotes(await this.#read());
    return voter === undefined ? votes : votes.filter((vote) => vote.voter === voter);
  }

  add(vote: Vote): Promise<void> {
    return this.#append(vote);
  }

  async takeBack(id: string): Promise<Vote> {
    const vote = (await this.list()).find((one) => one.id === id);
    if (!vote) throw notFound("vote");
    await this.#append({ retracted: id });
    return vote;
  }

  /** One line after the other, whoever votes at the same time. */
  #append(line: VoteLine): Promise<void> {
    const written = this.#writing.then(async () => {
      const lines = await this.#read();
      await makeFolder(dirname(this.path), { mode: 0o700 });
      const file = await open(this.path, "a", 0o600);
      try {
        await file.write(`${JSON.stringify(line)}\n`);
        await file.datasync();
      } finally {
        await file.close();
      }
      lines.push(line);
    });
    this.#writing = written.catch(() => {});
    return written;
  }

  #read(): Promise<VoteLine[]> {
    this.#lines ??= readWhole(this.path).catch((error: unknown) => {
      this.#lines = null;
      throw error;
    });
    return this.#lines;
  }
}

/** A line that a crash cut short was never answered: it is removed before the next one is written after it. */
async function readWhole(path: string): Promise<VoteLine[]> {
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (content === null) return [];
  const end = content.lastIndexOf("\n") + 1;
  if (end < content.length) await truncate(path, end);
  return readJsonLines(path, voteLineSchema);
}
