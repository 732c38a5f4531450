import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "../../api/jobs.ts";
import { makeFolder } from "../../core/files.ts";
import { checkedId } from "../ids.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";
import { jobRecordSchema } from "./job-record.ts";

const SOON_MILLISECONDS = 300;
const AGAIN_MILLISECONDS = 5000;

/**
 * Jobs on disk, one file each. Writes of one job never overtake each other, and progress is only written now and then. A write
 * that failed because the disk is full is tried again until it succeeds.
 */
export class JobFiles {
  readonly #folder: string;
  readonly #writing = new Map<string, Promise<void>>();
  readonly #soon = new Map<string, { job: Job; readonly timer: NodeJS.Timeout }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async readAll(): Promise<Job[]> {
    await makeFolder(this.#folder, { mode: 0o700 });
    const jobs: Job[] = [];
    for (const name of await readdir(this.#folder)) {
      if (!name.endsWith(".json")) continue;
      const job = await readJsonFile(join(this.#folder, name), jobRecordSchema).catch(() => null);
      if (job && `${job.id}.json` === name) jobs.push(job);
    }
    return jobs;
  }

  write(job: Job): Promise<void> {
    const waiting = this.#soon.get(job.id);
    if (waiting) clearTimeout(waiting.timer);
    this.#soon.delete(job.id);
    const after = this.#writing.get(job.id) ?? Promise.resolve();
    const written = after.catch(() => {}).then(() => writeJsonFile(this.#pathOf(job.id), job));
    this.#writing.set(job.id, written);
    written.catch(() => {
      const isLatest = this.#writing.get(job.id) === written && !this.#soon.has(job.id);
      if (isLatest) this.#writeIn(AGAIN_MILLISECONDS, job);
    });
    return written;
  }

  writeSoon(job: Job): void {
    const waiting = this.#soon.get(job.id);
    if (waiting) waiting.job = job;
    else this.#writeIn(SOON_MILLISECONDS, job);
  }

  async delete(id: string): Promise<void> {
    clearTimeout(this.#soon.get(id)?.timer);
    this.#soon.delete(id);
    const writing = this.#writing.get(id);
    this.#writing.delete(id);
    await writing?.catch(() => {});
    await rm(this.#pathOf(id), { force: true });
  }

  /** Writes what waits; fails when any of it cannot be written. */
  async settled(): Promise<void> {
    for (const { job } of [...this.#soon.values()]) void this.write(job).catch(() => {});
    const all = await Promise.allSettled(this.#writing.values());
    const failed = all.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  #writeIn(milliseconds: number, job: Job): void {
    const timer = setTimeout(() => {
      const latest = this.#soon.get(job.id);
      if (latest) void this.write(latest.job).catch(() => {});
    }, milliseconds);
    this.#soon.set(job.id, { job, timer: timer.unref() });
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${checkedId(id, "job")}.json`);
  }
}
