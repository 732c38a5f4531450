import { mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import type { EvaluationRequest, Job, JobEvent } from "../../api/jobs.ts";
import { type Clock, systemClock } from "../../core/clock.ts";
import { scored } from "../../core/verdict.ts";
import { ManualClock } from "../../testing/manual-clock.ts";
import { JobFiles } from "./job-files.ts";
import { JobQueue, type JobWork } from "./job-queue.ts";
import type { JudgedBook } from "./judge-book.ts";

const REQUEST: EvaluationRequest = {
  bookId: "b",
  judges: ["jury"],
  method: "aggregate",
  aspects: [],
  runs: 1,
  maximumCost: null,
};
const JUDGED: JudgedBook = { evaluation: sampleEvaluation(), stopped: null };

type JudgeOptions = Parameters<JobWork["judge"]>[1];

/** Work that a test ends when it likes. */
class SteeredWork implements JobWork {
  readonly started: string[] = [];
  /** A provider that never answers keeps its work from ending. */
  isHanging = false;
  readonly #begun = new Map<string, PromiseWithResolvers<JudgeOptions>>();
  readonly #ends = new Map<string, PromiseWithResolvers<JudgedBook>>();

  title = () => "A title";
  keep = async () => ({ id: "kept" });
  judge: JobWork["judge"] = ({ id }, options) => {
    this.started.push(id);
    const end = withResolvers<JudgedBook>();
    this.#ends.set(id, end);
    options.signal.addEventListener("abort", () => {
      if (!this.isHanging) end.reject(options.signal.reason);
    });
    this.#beginning(id).resolve(options);
    return end.promise;
  };
  /** Resolves when the work on this job has begun. */
  at = (id: string) => this.#beginning(id).promise;
  async end(id: string, result: JudgedBook | Error = JUDGED): Promise<void> {
    await this.at(id);
    if (result instanceof Error) this.#ends.get(id)!.reject(result);
    else this.#ends.get(id)!.resolve(result);
  }
  #beginning(id: string): PromiseWithResolvers<JudgeOptions> {
    const known = this.#begun.get(id) ?? withResolvers<JudgeOptions>();
    this.#begun.set(id, known);
    return known;
  }
}

interface PromiseWithResolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

function withResolvers<T>(): PromiseWithResolvers<T> {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

let folder: string;
let work: SteeredWork;
let queue: JobQueue;
const open = async (clock: Clock = systemClock) => {
  work = new SteeredWork();
  queue = await JobQueue.open(new JobFiles(join(folder, "jobs")), work, clock);
  queue.start();
};
/** What a server that died at this moment would have left behind, taken over by the next one. */
const crash = async () => {
  const dead = queue;
  await open();
  return dead;
};
const kept = async (id: string) => JSON.parse(await readFile(join(folder, "jobs", `${id}.json`), "utf8")) as Job;
/** Nothing can be written into a folder that is a file. */
const withoutRoom = async (jobs: string) => {
  await rename(jobs, `${jobs}-away`);
  await writeFile(jobs, "");
  return {
    async again() {
      await rm(jobs);
      await rename(`${jobs}-away`, jobs);
    },
  };
};
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-jobs-"));
  await open();
});
afterEach(async () => {
  work.isHanging = false;
  await queue.close();
  await rm(folder, { recursive: true, force: true });
});

const until = (id: string, state: Job["state"]) =>
  new Promise<Job>((resolve) => {
    const stop = queue.listen(id, (event) => {
      if (event.kind !== "state" || event.job.state !== state) return;
      setImmediate(() => stop());
      resolve(event.job);
    });
  });

describe("a queue of jobs", () => {
  it("lets the embedded jury read one book at a time, and models judge beside it", async () => {
    const first = await queue.add(REQUEST);
    const second = await queue.add(REQUEST);
    const model = await queue.add({ ...REQUEST, judges: ["openai:gpt-4.1"] });
    await work.at(model.id);
    expect(queue.get(second.id).state).toBe("queued");
    await work.end(first.id);
    expect(await until(first.id, "done")).toMatchObject({ evaluationId: "kept", stage: "Done" });
    await work.at(second.id);
    expect(work.started).toEqual([first.id, model.id, second.id]);
    expect(queue.isBusyWith("b")).toBe(true);
  });

  it("lets clients take turns: one with many books does not keep another waiting for all of them", async () => {
    const many = [await queue.add(REQUEST, "many"), await queue.add(REQUEST, "many"), await queue.add(REQUEST, "many")];
    const one = await queue.add(REQUEST, "one");
    await work.end(many[0]!.id);
    await work.end(one.id);
    await work.end(many[1]!.id);
    await work.at(many[2]!.id);
    expect(work.started).toEqual([many[0]!.id, one.id, many[1]!.id, many[2]!.id]);
  });

  it("tells a newcomer what has happened, and then what happens", async () => {
    const job = await queue.add(REQUEST);
    const { onEvent } = await work.at(job.id);
    onEvent({ kind: "chapter", chapter: 1, lastChapter: 1, verdict: scored(12) });
    onEvent({ kind: "progress", stage: "Judging", done: 1, total: 2 });
    const events: JobEvent[] = [];
    queue.listen(job.id, (event) => events.push(event));
    expect(events.map(({ kind }) => kind)).toEqual(["state", "chapter"]);
    onEvent({ kind: "chapter", chapter: 2, lastChapter: 2, verdict: scored(13) });
    expect(events.at(-1)).toMatchObject({ kind: "chapter", chapter: 2 });
    expect(queue.get(job.id)).toMatchObject({ done: 1, total: 2 });
  });

  it("pauses, resumes and cancels what runs and what waits", async () => {
    const running = await queue.add(REQUEST);
    const waiting = await queue.add(REQUEST);
    await until(running.id, "running");
    expect((await queue.pause(waiting.id)).state).toBe("paused");
    await queue.pause(running.id);
    await until(running.id, "paused");
    await queue.resume(running.id, 5);
    expect(await until(running.id, "running")).toMatchObject({ request: { maximumCost: 5 } });
    await expect(queue.resume(running.id)).rejects.toMatchObject({ code: "E_CONFLICT" });
    await queue.cancel(running.id);
    await until(running.id, "cancelled");
    expect((await queue.cancel(waiting.id)).state).toBe("cancelled");
    await expect(queue.cancel(waiting.id)).rejects.toMatchObject({ code: "E_CONFLICT" });
    await expect(queue.pause(waiting.id)).rejects.toMatchObject({ code: "E_CONFLICT" });
  });

  it("keeps the sentence of an error, and a failed job can be tried again", async () => {
    const job = await queue.add(REQUEST);
    await work.end(job.id, new Error("The key was refused: check it."));
    expect(await until(job.id, "failed")).toMatchObject({ note: "The key was refused: check it.", evaluationId: null });
    await queue.resume(job.id);
    await until(job.id, "running");
  });

  it("pauses what a dead server left running, and what a closing one runs", async () => {
    const job = await queue.add({ ...REQUEST, judges: ["openai:gpt-4.1"] });
    const { onEvent } = await work.at(job.id);
    onEvent({ kind: "run", runId: "20260101-000000-abcd" });
    const dead = queue;
    // The run's id is written at once, but not before this returns.
    while (!(await new JobFiles(join(folder, "jobs")).readAll()).some(({ runId }) => runId !== null));
    await writeFile(join(folder, "jobs", "no-job.json"), "{");
    await open();
    expect(queue.list()).toHaveLength(1);
    expect(queue.get(job.id)).toMatchObject({ state: "paused", runId: "20260101-000000-abcd" });
    await dead.close();
    await queue.resume(job.id);
    await until(job.id, "running");
    await queue.close();
    await open();
    expect(queue.get(job.id)).toMatchObject({ state: "paused", note: expect.stringContaining("nothing") });
    expect(await readdir(join(folder, "jobs"))).toHaveLength(2);
  });

  it("goes on by itself, after a restart, with the jobs that were waiting", async () => {
    const running = await queue.add(REQUEST);
    const waiting = await queue.add(REQUEST);
    await work.at(running.id);
    const dead = await crash();
    expect(queue.get(running.id)).toMatchObject({
      state: "paused",
      noteCode: "server-ended",
      note: expect.stringMatching(/resume it.+only calls in progress are repeated/),
    });
    await work.end(waiting.id);
    expect(await until(waiting.id, "done")).toMatchObject({ evaluationId: "kept", note: null });
    expect(work.started).toEqual([waiting.id]);
    await dead.close();
  });

  it("cancels a job within half a minute though its provider hangs, and starts the next", async () => {
    const clock = new ManualClock();
    await open(clock);
    work.isHanging = true;
    const job = await queue.add(REQUEST);
    const next = await queue.add(REQUEST);
    const { abandon, onEvent } = await work.at(job.id);
    expect((await queue.cancel(job.id)).state).toBe("cancelling");
    await clock.advance(29_000);
    expect(queue.get(job.id).state).toBe("cancelling");
    await clock.advance(1000);
    await work.at(next.id);
    expect(queue.get(job.id)).toMatchObject({ state: "cancelled", note: null });
    expect(abandon.aborted).toBe(true);
    onEvent({ kind: "progress", stage: "Judging", done: 7, total: 9 });
    expect(queue.get(job.id)).toMatchObject({ stage: "Cancelled", done: 0 });
    await work.end(next.id);
  });

  it("keeps a job cancelled when the server dies while its last calls are waited for", async () => {
    await open(new ManualClock());
    work.isHanging = true;
    const job = await queue.add(REQUEST);
    await work.at(job.id);
    await queue.cancel(job.id);
    await crash();
    expect(queue.get(job.id)).toMatchObject({ state: "cancelled", finishedAt: expect.any(String) });
    await expect(queue.resume(job.id)).rejects.toMatchObject({ code: "E_CONFLICT" });
    expect(work.started).toEqual([]);
    expect((await kept(job.id)).state).toBe("cancelled");
  });

  it("never starts a job that was refused because the disk was full, not even after a restart", async () => {
    const jobs = join(folder, "jobs");
    const room = await withoutRoom(jobs);
    await expect(queue.add(REQUEST)).rejects.toMatchObject({ code: "E_FILE_WRITE" });
    await room.again();
    await queue.close();
    await open();
    expect(queue.list()).toEqual([]);
    expect(await readdir(jobs)).toEqual([]);
    expect(work.started).toEqual([]);
  });

  it("leaves a job paused when the disk is too full to resume it, and resumes it when there is room", async () => {
    const job = await queue.add(REQUEST);
    await work.at(job.id);
    await queue.pause(job.id);
    await until(job.id, "paused");
    await queue.close();
    await open();
    const room = await withoutRoom(join(folder, "jobs"));
    await expect(queue.resume(job.id, 5)).rejects.toMatchObject({ code: "E_FILE_WRITE" });
    expect(queue.get(job.id)).toMatchObject({ state: "paused", stage: "Paused", request: { maximumCost: null } });
    await room.again();
    await queue.resume(job.id, 5);
    expect(await until(job.id, "running")).toMatchObject({ request: { maximumCost: 5 } });
    await queue.close();
    expect(await kept(job.id)).toMatchObject({ state: "paused", request: { maximumCost: 5 } });
  });

  it("goes on with the next job when the end of one cannot be written, and writes it when it can", async () => {
    const job = await queue.add(REQUEST);
    const next = await queue.add(REQUEST);
    await until(job.id, "running");
    await work.at(job.id);
    const jobs = join(folder, "jobs");
    const room = await withoutRoom(jobs);
    await work.end(job.id);
    expect(await until(job.id, "done")).toMatchObject({ evaluationId: "kept" });
    expect(await until(next.id, "failed")).toMatchObject({ note: expect.stringContaining("could not be written") });
    expect(work.started).toEqual([job.id]);
    await expect(new JobFiles(jobs).readAll()).rejects.toThrow();

    await room.again();
    await queue.resume(next.id);
    await work.end(next.id);
    await until(next.id, "done");
    await queue.close();
    expect([(await kept(job.id)).state, (await kept(next.id)).state]).toEqual(["done", "done"]);
  });
});
