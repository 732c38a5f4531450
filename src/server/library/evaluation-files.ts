import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { costFields } from "../../core/cost.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { verdictSchema } from "../../core/verdict.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../judge/evaluation.ts";
import { checkedId, newId, notFound } from "../ids.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

const summarySchema = z.object({
  id: z.string(),
  bookId: z.string(),
  title: z.string(),
  judge: z.string(),
  method: z.string(),
  runs: z.number().int(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  overall: verdictSchema,
  cost: z.number().nullable(),
  unpricedCalls: z.number().int().optional(),
  createdAt: z.string(),
});
export type StoredSummary = z.infer<typeof summarySchema>;

/** Evaluations as JSON files, validated as they are read; their summaries are held. */
export class EvaluationFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #summaries: Map<string, StoredSummary>;

  private constructor(folder: string, clock: Clock, summaries: Map<string, StoredSummary>) {
    this.#folder = folder;
    this.#clock = clock;
    this.#summaries = summaries;
  }

  static async open(folder: string, clock: Clock): Promise<EvaluationFiles> {
    await makeFolder(folder, { mode: 0o700 });
    const summaries = new Map<string, StoredSummary>();
    for (const name of await readdir(folder)) {
      const summary = await readJsonFile(join(folder, name, "summary.json"), summarySchema).catch(() => null);
      if (summary?.id === name) summaries.set(name, summary);
    }
    return new EvaluationFiles(folder, clock, summaries);
  }

  /** Newest first. */
  list(bookId?: string): StoredSummary[] {
    return [...this.#summaries.values()]
      .filter((summary) => bookId === undefined || summary.bookId === bookId)
      .sort((left, right) => right.id.localeCompare(left.id));
  }

  summary(id: string): StoredSummary {
    const summary = this.#summaries.get(id);
    if (!summary) throw notFound("evaluation");
    return summary;
  }

  async evaluation(id: string): Promise<BookEvaluation> {
    const path = join(this.#folderOf(this.summary(id).id), "evaluation.json");
    const evaluation = await readJsonFile(path, bookEvaluationSchema);
    if (!evaluation) throw notFound("evaluation");
    return evaluation;
  }

  async add(bookId: string, evaluation: BookEvaluation): Promise<StoredSummary> {
    const now = this.#clock.now();
    const { judge, method, runs, scale, overall, book } = evaluation;
    const summary: StoredSummary = {
      ...{ id: newId(now), bookId, title: book.title, judge, method, runs, scale, overall, ...costFields(evaluation) },
      createdAt: now.toISOString(),
    };
    const folder = this.#folderOf(summary.id);
    await writeJsonFile(join(folder, "evaluation.json"), evaluation);
    await writeJsonFile(join(folder, "summary.json"), summary);
    this.#summaries.set(summary.id, summary);
    return summary;
  }

  async delete(id: string): Promise<void> {
    const folder = this.#folderOf(this.summary(id).id);
    this.#summaries.delete(id);
    await rm(folder, { recursive: true, force: true });
  }

  #folderOf(id: string): string {
    return join(this.#folder, checkedId(id, "evaluation"));
  }
}
