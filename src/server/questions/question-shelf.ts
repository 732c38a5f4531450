import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { QuestionResult } from "../../api/questions.ts";
import type { Clock } from "../../core/clock.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { checkedId, newId, notThere } from "../ids.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";

const resultSchema = z.object({
  id: z.string(),
  name: z.string(),
  items: z.number().int(),
  metrics: z.array(z.object({ id: z.string(), name: z.string(), mean: z.number().nullable() })),
  createdAt: z.string(),
}) satisfies z.ZodType<QuestionResult>;

/** Scored files of answers, a small file each. */
export class QuestionShelf {
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

  async add(result: Pick<QuestionResult, "name" | "items" | "metrics">): Promise<QuestionResult> {
    const now = this.#clock.now();
    const kept: QuestionResult = { id: newId(now), ...result, createdAt: now.toISOString() };
    await writeJsonFile(this.#pathOf(kept.id), kept);
    return kept;
  }

  async delete(id: string): Promise<void> {
    const known = (await this.list()).some((result) => result.id === id);
    if (!known) throw notThere("result");
    await rm(this.#pathOf(id), { force: true });
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${checkedId(id, "result")}.json`);
  }
}
