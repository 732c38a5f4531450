import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { costFields } from "../../core/cost.ts";
import { makeFolder } from "../../core/files.ts";
import { verdictSchema } from "../../core/verdict.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../judge/evaluation.ts";
import { isOfTheJury } from "../../jury/juror.ts";
import { type EvaluationLine, evaluationLineSchema, evaluationLines, type GridEvaluation } from "../../report/grid.ts";
import { letterView } from "../../report/letter/letter-view.ts";
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
  coveredCalls: z.number().int().optional(),
  createdAt: z.string(),
});
export type StoredSummary = z.infer<typeof summarySchema>;
/** A summary with what the grid and the shelf show. */
const recordSchema = summarySchema.extend({
  lines: z.array(evaluationLineSchema),
  /** The findings its letter shows, by id; worked out from the evaluation if missing. */
  findings: z.array(z.string()).optional(),
});

/** The evaluation whose letter is shown: the newest close reading, else the newest of the embedded jury, else the newest. */
export function closest(known: readonly StoredSummary[]): StoredSummary | undefined {
  return known.find(({ method }) => method === "close") ?? known.find(({ judge }) => isOfTheJury(judge)) ?? known.at(0);
}

/** The findings that a letter shows, by id. */
export function shownFindings(evaluation: BookEvaluation): readonly string[] {
  return letterView(evaluation)?.blocks.flatMap((block) => (block.kind === "item" ? [block.id] : [])) ?? [];
}

/** Evaluations as JSON files, validated as they are read; their summaries and their lines of the grid are kept in memory. */
export class EvaluationFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #summaries = new Map<string, StoredSummary>();
  readonly #lines = new Map<string, readonly EvaluationLine[]>();
  readonly #findings = new Map<string, readonly string[]>();
  #version = 0;
  /** The evaluation that was added last, which is usually requested next. */
  #latest: { readonly id: string; readonly evaluation: BookEvaluation } | null = null;

  private constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  static async open(folder: string, clock: Clock): Promise<EvaluationFiles> {
    await makeFolder(folder, { mode: 0o700 });
    const files = new EvaluationFiles(folder, clock);
    for (const name of await readdir(folder)) {
      const record = await readJsonFile(join(folder, name, "summary.json"), recordSchema).catch(() => null);
      if (record?.id !== name) continue;
      const { lines, findings, ...summary } = record;
      files.#summaries.set(name, summary);
      files.#lines.set(name, lines);
      if (findings) files.#findings.set(name, findings);
    }
    return files;
  }

  /** Another number after every change. */
  get version(): number {
    return this.#version;
  }

  /** Newest first. */
  list(bookId?: string): StoredSummary[] {
    return [...this.#summaries.values()]
      .filter((summary) => bookId === undefined || summary.bookId === bookId)
      .sort((left, right) => (left.id < right.id ? 1 : -1));
  }

  /** All judges in the order of their first evaluation; for panels and the jury, their members. */
  judges(): string[] {
    const seen = new Set<string>();
    for (const { id, judge } of this.list().reverse()) {
      for (const line of this.#lines.get(id) ?? [{ judge }]) seen.add(line.judge);
    }
    return [...seen];
  }

  summary(id: string): StoredSummary {
    const summary = this.#summaries.get(id);
    if (!summary) throw notFound("evaluation");
    return summary;
  }

  async evaluation(id: string): Promise<BookEvaluation> {
    if (this.#latest?.id === id) return this.#latest.evaluation;
    const path = join(this.#folderOf(this.summary(id).id), "evaluation.json");
    const evaluation = await readJsonFile(path, bookEvaluationSchema);
    if (!evaluation) throw notFound("evaluation");
    return evaluation;
  }

  /** The findings its letter shows, by id. */
  async findings(id: string): Promise<readonly string[]> {
    const findings = this.#findings.get(id) ?? shownFindings(await this.evaluation(id));
    this.#findings.set(id, findings);
    return findings;
  }

  async add(bookId: string, evaluation: BookEvaluation): Promise<StoredSummary> {
    const now = this.#clock.now();
    const { judge, method, runs, scale, overall, book } = evaluation;
    const summary: StoredSummary = {
      id: newId(now),
      bookId,
      title: book.title,
      judge,
      method,
      runs,
      scale,
      overall,
      ...costFields(evaluation),
      createdAt: now.toISOString(),
    };
    const folder = this.#folderOf(summary.id);
    await writeJsonFile(join(folder, "evaluation.json"), evaluation);
    await this.#keep(summary, evaluationLines(evaluation), shownFindings(evaluation));
    this.#latest = { id: summary.id, evaluation };
    return summary;
  }

  /** Every evaluation as the grid shows it, newest first. */
  forGrid(): GridEvaluation[] {
    return this.list().map((summary) => ({ ...summary, lines: this.#lines.get(summary.id)! }));
  }

  async #keep(summary: StoredSummary, lines: readonly EvaluationLine[], findings: readonly string[]): Promise<void> {
    await writeJsonFile(join(this.#folderOf(summary.id), "summary.json"), { ...summary, lines, findings });
    this.#summaries.set(summary.id, summary);
    this.#lines.set(summary.id, lines);
    this.#findings.set(summary.id, findings);
    this.#version += 1;
  }

  async delete(id: string): Promise<void> {
    const folder = this.#folderOf(this.summary(id).id);
    this.#summaries.delete(id);
    this.#lines.delete(id);
    this.#findings.delete(id);
    if (this.#latest?.id === id) this.#latest = null;
    this.#version += 1;
    await rm(folder, { recursive: true, force: true });
  }

  #folderOf(id: string): string {
    return join(this.#folder, checkedId(id, "evaluation"));
  }
}
