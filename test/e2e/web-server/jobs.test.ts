import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Paged } from "../../../src/api/answers.ts";
import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import type { EvaluationPlan, EvaluationRequest, Job } from "../../../src/api/jobs.ts";
import type { RunCallDetails, RunCallRow, RunDetails, RunRow } from "../../../src/api/runs.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/simulated-server.ts";
import { addBook } from "../../support/library-requests.ts";
import { draftOf } from "../../support/stories.ts";
import { runFabula } from "../run-fabula.ts";
import { type Served, serveFabula } from "../serve-fabula.ts";

// Each test starts servers, threads and the providers' libraries in them, several times over.
vi.setConfig({ testTimeout: 180_000 });

let folder: string;
let models: SimulatedServer;
let judge: string;
let page: Served;
const start = () => serveFabula(folder, ["--judges", judge]);
/** Short, and judged often: what matters here is the calls. */
const addShortStory = () => addBook(page, "story.md", draftOf("The Story", 2));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-serve-"));
  models = await createSimulatedServer({
    latency: [100, 300],
    // Only faults that are not paid for: what a dropped connection had cost nobody knows.
    faults: { "rate-limit": 0.1, "server-error": 0.1, overloaded: 0.05 },
    retryAfterSeconds: 0.1,
  });
  judge = models.judge("simulated-small");
  page = await start();
});
afterEach(async () => {
  await page.stop("SIGKILL");
  await models.close();
  await rm(folder, { recursive: true, force: true });
});

async function newJob(changes: Partial<EvaluationRequest> = {}): Promise<Job> {
  const { id: bookId } = await addShortStory();
  const request = {
    bookId,
    judges: [judge],
    method: "aggregate",
    aspects: [],
    runs: 30,
    maximumCost: null,
    ...changes,
  };
  const response = await page.send("POST", "/api/jobs", request);
  expect(response.status).toBe(201);
  return (await response.json()) as Job;
}

/** Resolves when the job has had this many answers. */
async function untilAnswered(job: Job, calls: number): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    page
      .watch(job.id, ["done", "failed", "paused", "cancelled"], (event) => {
        if (event.kind === "state" && event.job.calls >= calls) resolve();
      })
      .then((ended) => reject(new Error(`ended as ${ended.state}: ${ended.note}`)))
      .catch(reject);
  });
}

/** How often each request was answered and billed: nothing is paid twice when no count is above one. */
function paidTwice(): number {
  const counts = new Map<string, number>();
  for (const { body, outcome } of models.exchanges) {
    if (outcome === "answered") counts.set(body, (counts.get(body) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count > 1).length;
}

const runOf = ({ runId }: Job) => page.json<RunDetails>(`/api/runs/${runId}`);

const answered = () => models.exchanges.filter(({ outcome }) => outcome === "answered").length;

describe("a job that asks a model", () => {
  it("is planned, watched to its end in spite of faults, and found among the runs", async () => {
    const { id: bookId } = await addShortStory();
    const request = { bookId, judges: [judge], method: "aggregate", aspects: ["plot"], runs: 16, maximumCost: null };
    const plan = (await (await page.send("POST", "/api/plans", request)).json()) as EvaluationPlan;
    expect(plan.calls).toBeGreaterThan(2);
    expect(plan.cost).toBe(0);
    expect(models.exchanges).toHaveLength(0);

    const added = (await (await page.send("POST", "/api/jobs", request)).json()) as Job;
    const stages = new Set<string>();
    let notes = 0;
    const job = await page.watch(added.id, ["done", "failed"], (event) => {
      if (event.kind === "state") stages.add(event.job.stage);
      if (event.kind === "note") notes += 1;
    });
    expect(job).toMatchObject({ state: "done", calls: plan.calls, done: plan.calls, total: plan.calls });
    expect([...stages]).toEqual(expect.arrayContaining(["Planning", "Judging", "Done"]));
    expect(notes).toBeGreaterThan(0);

    const { evaluation } = await page.json<EvaluationDetails>(`/api/evaluations/${job.evaluationId}`);
    expect(evaluation).toMatchObject({ judge, runs: 16, run: job.runId });
    const known = (await (await page.send("POST", "/api/plans", request)).json()) as EvaluationPlan;
    expect(known.known).toBe(plan.calls);

    const runs = await page.json<Paged<RunRow>>(`/api/runs?search=${encodeURIComponent("AGGREGATE --runs 16")}`);
    expect(runs).toMatchObject({ total: 1, next: null });
    expect(runs.items[0]).toMatchObject({ id: job.runId, status: "done", calls: plan.calls });
    expect((await page.json<Paged<RunRow>>("/api/runs?status=failed")).total).toBe(0);
    const details = await page.json<RunDetails>(`/api/runs/${job.runId}`);
    expect(details.byModel.reduce((sum, { calls }) => sum + calls, 0)).toBe(plan.calls);
    const first = await page.json<Paged<RunCallRow>>(`/api/runs/${job.runId}/calls?limit=2`);
    const second = await page.json<Paged<RunCallRow>>(`/api/runs/${job.runId}/calls?limit=2&after=${first.next}`);
    expect(first.items).toHaveLength(2);
    expect(second.items[0]!.position).toBeGreaterThan(first.items[1]!.position);

    // Found by judge and book; each call with its prompt; every call exported.
    const found = async (query: string) => (await page.json<Paged<RunRow>>(`/api/runs?${query}`)).total;
    expect(await found(`model=${encodeURIComponent(judge)}&book=${request.bookId}`)).toBe(1);
    expect(await found("model=another")).toBe(0);
    const calls = `/api/runs/${job.runId}/calls`;
    expect((await page.json<Paged<RunCallRow>>(`${calls}?outcome=failed`)).total).toBe(0);
    const call = await page.json<RunCallDetails>(`${calls}/${first.items[0]!.position}`);
    expect(call.request!.messages.map(({ content }) => content).join()).toContain("Answer with one JSON object");
    expect(call.reply!.startsWith(first.items[0]!.reply!)).toBe(true);
    expect((await page.get(`${calls}/999999`)).status).toBe(404);
    const exported = async (format: string) => page.get(`/api/runs/${job.runId}/export?format=${format}`);
    const lines = (await (await exported("jsonl")).text()).trim().split("\n");
    expect(lines).toHaveLength(plan.calls);
    expect(JSON.parse(lines[0]!)).toHaveProperty("request");
    expect((await (await exported("parquet")).arrayBuffer()).byteLength).toBeGreaterThan(100);
  });

  it("is paused and resumed, and pays nothing twice", async () => {
    const job = await newJob();
    await untilAnswered(job, 3);
    const pausing = (await (await page.send("POST", `/api/jobs/${job.id}/pause`)).json()) as Job;
    expect(["pausing", "paused"]).toContain(pausing.state);
    const paused = await page.watch(job.id, ["paused"]);
    expect(paused.note).toContain("nothing that was paid for is lost");
    const before = answered();
    expect(before).toBeGreaterThanOrEqual(3);

    await page.send("POST", `/api/jobs/${job.id}/resume`);
    const done = await page.watch(job.id, ["done", "failed"]);
    expect(done).toMatchObject({ state: "done", runId: paused.runId });
    expect(answered()).toBeGreaterThan(before);
    expect(paidTwice()).toBe(0);
    expect((await page.json<Paged<RunRow>>("/api/runs")).total).toBe(1);
    expect((await page.send("POST", `/api/jobs/${job.id}/resume`)).status).toBe(409);
  });

  it("is cancelled while it runs and while it waits, and its book stays until then", async () => {
    const job = await newJob({ runs: 40 });
    await untilAnswered(job, 2);
    expect((await page.send("DELETE", `/api/books/${job.request.bookId}`)).status).toBe(409);
    await page.send("POST", `/api/jobs/${job.id}/cancel`);
    expect(await page.watch(job.id, ["cancelled"])).toMatchObject({ evaluationId: null });
    const calls = models.exchanges.length;
    expect((await page.send("DELETE", `/api/books/${job.request.bookId}`)).status).toBe(204);
    expect(models.exchanges.length).toBe(calls);
    expect((await page.send("POST", `/api/jobs/${job.id}/pause`)).status).toBe(409);
  });

  it("stops at its cost limit and goes on with a higher one", async () => {
    const prices = join(folder, "prices.yaml");
    await writeFile(prices, `date: 2026-01-01\nmodels:\n  "${judge}": { input: 100, output: 100 }\n`);
    await page.stop("SIGINT");
    page = await serveFabula(folder, ["--judges", judge, "--prices", prices]);
    const job = await newJob({ method: "summary", runs: 2, maximumCost: 0.01 });
    const stopped = await page.watch(job.id, ["paused", "done", "failed"]);
    expect(stopped).toMatchObject({ state: "paused", note: expect.stringContaining("cost limit of $0.01") });
    expect(stopped.cost).toBeLessThanOrEqual(0.01);
    await page.send("POST", `/api/jobs/${job.id}/resume`, { maximumCost: 1000 });
    const done = await page.watch(job.id, ["done", "failed", "paused"]);
    expect(done).toMatchObject({ state: "done", runId: stopped.runId });
    expect(paidTwice()).toBe(0);
  });

  it("fails in one sentence when the model cannot be asked", async () => {
    await models.close();
    const job = await newJob({ method: "one-pass", runs: 1 });
    const ended = await page.watch(job.id, ["paused", "done", "failed"]);
    expect(ended).toMatchObject({ state: "failed", evaluationId: null });
    expect(ended.note).toMatch(/^No server is running at \S+, where \S+ should be: start it, then try again\.$/);
  });
});

describe("a server that ends", () => {
  it("by kill -9 in the middle lists its job as paused, and the next one resumes it without paying twice", async () => {
    const job = await newJob();
    await untilAnswered(job, 4);
    await page.stop("SIGKILL");
    page = await start();
    const [listed] = await page.json<Job[]>("/api/jobs");
    expect(listed).toMatchObject({ id: job.id, state: "paused", runId: expect.any(String) });
    expect(listed!.note).toContain("Stored answers are not paid for again");
    // The process that worked for the server ends with it, as soon as it gets a core.
    await expect.poll(async () => (await runOf(listed!)).status).toBe("killed");
    await expect.poll(() => models.exchanges.filter(({ outcome }) => outcome === "pending")).toEqual([]);
    const before = answered();
    const kept = await runOf(listed!);
    expect(kept.asked).toBeGreaterThanOrEqual(4);
    await page.send("POST", `/api/jobs/${job.id}/resume`);
    const done = await page.watch(job.id, ["done", "failed"]);
    expect(done).toMatchObject({ state: "done", runId: listed!.runId });
    // What was on its way when the process died is lost with it; of what had arrived, nothing is asked again.
    const { total } = await page.json<Paged<RunCallRow>>(`/api/runs/${done.runId}/calls`);
    expect(answered() - before).toBe(total - kept.asked);
    const books = await readdir(join(folder, "fabula", "library", "books"));
    expect(books).toEqual([job.request.bookId]);
  });

  it("by Ctrl-C pauses its job, says so, and leaves a run that the command line can finish as well", async () => {
    const job = await newJob();
    await untilAnswered(job, 3);
    expect(await page.stop("SIGINT")).toBe(0);
    expect(page.stderr()).toContain("Pausing");
    const before = answered();
    page = await start();
    const [paused] = await page.json<Job[]>("/api/jobs");
    expect(paused).toMatchObject({ state: "paused" });
    const resumed = await runFabula(["runs", "resume", paused!.runId!, "--json"], {
      folder,
      environment: { XDG_DATA_HOME: folder },
    });
    expect(resumed.code).toBe(0);
    expect(answered()).toBeGreaterThan(before);
    expect(paidTwice()).toBe(0);
    const after = answered();
    await page.send("POST", `/api/jobs/${job.id}/resume`);
    expect(await page.watch(job.id, ["done", "failed"])).toMatchObject({ state: "done" });
    expect(answered()).toBe(after);
  });
});
