import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { QuestionResult } from "../../api/questions.ts";
import type { Clock } from "../../core/clock.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { checkedId, newId, notFound } from "../ids.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";

const resultSchema = z.object({
  id: z.string(),
  name: z.string(),
  items: z.number().int(),
  metrics: z.array(z.object({ id: z.string(), name: z.string(), mean: z.number().nullable() })),
  createdAt: z.string(),
}) satisfies z.ZodType<QuestionResult>;

type Scored = Pick<QuestionResult, "items" | "metrics">;

/** Runs of scored answers: a small file each for the list, and a folder beside it. */
export class QuestionFiles {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  /** Newest first. */
  async list(): Promise<QuestionResult[]> {
    await makeFolder(this.#folder, { mode: 0o700 });
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".json"));
    const results = await Promise.all(
      names.map((name) => readJsonFile(join(this.#folder, name), resultSchema).catch(() => null)),
    );
    return results.filter((result) => result !== null).sort((left, right) => right.id.localeCompare(left.id));
  }

  /** Makes a run of a first file; nothing of it is left when the file cannot be scored. */
  async add(name: string, score: (folder: string) => Promise<Scored>): Promise<QuestionResult> {
    const now = this.#clock.now();
    const id = newId(now);
    await makeFolder(this.folderOf(id), { mode: 0o700 });
    try {
      const kept: QuestionResult = { id, name, ...(await score(this.folderOf(id))), createdAt: now.toISOString() };
      await writeJsonFile(this.#pathOf(id), kept);
      return kept;
    } catch (error) {
      await rm(this.folderOf(id), { recursive: true, force: true });
      throw error;
    }
  }

  async change(id: string, score: (folder: string) => Promise<Scored>): Promise<QuestionResult> {
    const before = await this.find(id);
    const kept: QuestionResult = { ...before, ...(await score(this.folderOf(id))) };
    await writeJsonFile(this.#pathOf(id), kept);
    return kept;
  }

  async find(id: string): Promise<QuestionResult> {
    const found = await readJsonFile(this.#pathOf(id), resultSchema);
    if (found === null) throw notFound("result");
    return found;
  }

  async delete(id: string): Promise<void> {
    await this.find(id);
    await rm(this.#pathOf(id), { force: true });
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  /** Where a run's answers and ratings are. */
  folderOf(id: string): string {
    return join(this.#folder, checkedId(id, "result"));
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${checkedId(id, "result")}.json`);
  }
}
