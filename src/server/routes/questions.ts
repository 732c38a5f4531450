import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import {
  type AuditDecision,
  type GradeRequest,
  QUESTION_FILTERS,
  type QuestionEvidence,
  type QuestionResult,
  type QuestionReview,
  type QuestionSet,
  REVIEW_DECISIONS,
  SET_STEPS,
  type StepRequest,
  type StepWork,
} from "../../api/questions.ts";
import type { Clock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files.ts";
import type { ProgressEvent } from "../../core/progress.ts";
import { ANSWER_SETTINGS, GRADING_PROTOCOLS, GRADING_SETTINGS } from "../../qa/choices.ts";
import { HIGHEST_RATING, LOWEST_RATING } from "../../qa/rating.ts";
import { clientAddress } from "../http/client-address.ts";
import { problemOf } from "../http/problem.ts";
import { whoSent } from "../http/token.ts";
import { json, jsonOrUpload, query, respond, upload } from "../http/typed-route.ts";
import { attachment, withUpload } from "../http/upload.ts";
import { checkedId, newId, notFound } from "../ids.ts";
import { shownPlan } from "../jobs/plan-evaluation.ts";
import { taskHost } from "../jobs/run-settings.ts";
import { checkJudges } from "../judges.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";
import { QuestionRuns } from "../questions/question-runs.ts";
import { type PreparedTask, QuestionSets, reasonsIn } from "../questions/question-sets.ts";
import { answerFiles, replaceAnswers, runFiles, type ScoredFile } from "../questions/score-file.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const resultSchema = z.object({
  id: z.string(),
  name: z.string(),
  items: z.number().int(),
  metrics: z
    .array(z.looseObject({ id: z.string(), n: z.number().default(0), mean: z.number().nullable() }))
    .transform((all) => all.flatMap(({ id, n, mean }) => (mean === null ? [] : [{ id, n, mean }]))),
  systems: z.array(z.string()).default([]),
  setId: z.string().optional(),
  leftOut: z.array(z.object({ line: z.number().int(), reason: z.string() })).optional(),
  createdAt: z.string(),
}) satisfies z.ZodType<QuestionResult>;

type Score = (folder: string, known: readonly string[]) => Promise<ScoredFile>;

/** Runs of scored answers: a small file each for the list, and a folder beside it. */
class QuestionFiles {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #changing = new Map<string, Promise<void>>();

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

  /** Makes a run from a first file; nothing is left if the file cannot be scored. */
  async add(name: string, score: Score, setId?: string): Promise<QuestionResult> {
    const now = this.#clock.now();
    const id = newId(now);
    await makeFolder(this.folderOf(id), { mode: 0o700 });
    try {
      const scored = await score(this.folderOf(id), []);
      const kept: QuestionResult = { id, name, ...scored, ...(setId && { setId }), createdAt: now.toISOString() };
      await writeJsonFile(this.#pathOf(id), kept);
      return kept;
    } catch (error) {
      await rm(this.folderOf(id), { recursive: true, force: true });
      throw error;
    }
  }

  /** Files that are added at the same moment wait for each other: each must know the systems that are already there. */
  change(id: string, score: Score): Promise<QuestionResult> {
    const waiting = this.#changing.get(id) ?? Promise.resolve();
    const changed = waiting.then(() => this.#change(id, score));
    const settled = changed.then(
      () => {},
      () => {},
    );
    this.#changing.set(id, settled);
    void settled.then(() => this.#changing.get(id) === settled && this.#changing.delete(id));
    return changed;
  }

  async #change(id: string, score: Score): Promise<QuestionResult> {
    const before = await this.find(id);
    const { items, metrics, systems, leftOut } = await score(this.folderOf(id), before.systems);
    const added = metrics.map((metric) => {
      const known = before.metrics.find((one) => one.id === metric.id) ?? { n: 0, mean: 0 };
      const n = known.n + metric.n;
      return { id: metric.id, n, mean: (known.n * known.mean + metric.n * metric.mean) / n };
    });
    const kept: QuestionResult = {
      ...before,
      leftOut,
      items: before.items + items,
      metrics: [...added, ...before.metrics.filter(({ id: one }) => !added.some((metric) => metric.id === one))],
      systems: [...before.systems, ...systems],
    };
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

/** Background work of models on question sets and runs. Every paid answer is in the store. */
class Works {
  readonly #works = new Map<string, { state: StepWork; readonly abort: AbortController }>();

  get(id: string): StepWork | null {
    return this.#works.get(id)?.state ?? null;
  }

  start(
    id: string,
    step: string,
    work: (options: {
      readonly onEvent: (event: ProgressEvent) => void;
      readonly signal: AbortSignal;
    }) => Promise<void>,
  ): void {
    this.refuseWhileBusy(id);
    if ([...this.#works.values()].filter(({ state }) => state.isRunning).length >= MOST_WORKS) {
      throw new FabulaError(
        "E_TOO_MUCH_WORK",
        "Other model work is running: wait until it has finished, then start again.",
      );
    }
    const abort = new AbortController();
    const entry = {
      state: { step, stage: "", done: 0, total: null, isRunning: true, problem: null } as StepWork,
      abort,
    };
    this.#works.set(id, entry);
    const onEvent = ({ stage, done, total }: ProgressEvent) => {
      entry.state = { ...entry.state, stage, done, total };
    };
    void work({ onEvent, signal: abort.signal }).then(
      () => this.#works.delete(id),
      (error: unknown) => {
        entry.state = { ...entry.state, isRunning: false, problem: problemOf(error) };
      },
    );
  }

  refuseWhileBusy(id: string): void {
    if (this.get(id)?.isRunning) throw new FabulaError("E_CONFLICT", "A step is running: wait for it, or stop it.");
  }

  stop(id: string): void {
    this.#works.get(id)?.abort.abort(new FabulaError("E_INTERRUPTED", "Stopped. The answers so far are kept."));
  }

  close(): void {
    for (const id of this.#works.keys()) this.stop(id);
  }
}

const MOST_WORKS = 3;
const ENDINGS = { endings: ["jsonl", "ndjson", "jsonl.gz"] };
const page = {
  from: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
};
const itemsQuery = z.object({
  filter: z.enum(QUESTION_FILTERS).default("all"),
  metric: z.string().max(200).default("f1"),
  ...page,
});
const raterName = z.string().trim().min(1).max(80);
const taskQuery = z.object({ rater: raterName, setting: z.enum(GRADING_SETTINGS).default("reference") });
const ratingBody = z.object({
  rater: raterName,
  item: z.string().max(80),
  rating: z.number().int().min(LOWEST_RATING).max(HIGHEST_RATING).nullable(),
});
const modelName = z.string().trim().min(1).max(300);
const maximumCost = z.number().nonnegative().nullable();
const gradeBody = z.strictObject({
  judge: modelName,
  grading: z.enum(GRADING_SETTINGS),
  protocol: z.enum(GRADING_PROTOCOLS),
  maximumCost,
}) satisfies z.ZodType<GradeRequest>;
const stepBody = z.strictObject({
  step: z.enum(SET_STEPS),
  judge: modelName.nullable(),
  maximumCost,
  setting: z.enum(ANSWER_SETTINGS).exactOptional(),
  count: z.number().int().min(3).max(300).exactOptional(),
  apply: z.boolean().exactOptional(),
}) satisfies z.ZodType<StepRequest>;
const longText = z.string().trim().min(1).max(5000);
const reviewBody = z.strictObject({
  id: z.string().max(80),
  decision: z.enum(REVIEW_DECISIONS).nullable(),
  question: longText.exactOptional(),
  answers: z.array(longText).min(1).max(20).exactOptional(),
}) satisfies z.ZodType<QuestionReview>;
const auditBody = z.strictObject({
  reviewer: raterName,
  item: z.string().max(80),
  decision: z.boolean().nullable(),
}) satisfies z.ZodType<AuditDecision>;
const decisionBody = z.strictObject({
  step: z.enum(SET_STEPS),
  item: z.number().int().nonnegative(),
  decision: z.string().max(20).nullable(),
});
const stepQuery = z.object({ step: z.enum(SET_STEPS), ...page });
const reviewQuery = z.object({ filter: z.enum([...REVIEW_DECISIONS, "all", "undecided"]).default("all"), ...page });
const evidenceQuery = z.object({ document: z.string().max(300).default(""), question: z.string().max(5000) });
const bookBody = z.strictObject({ document: z.string().max(300), bookId: z.string().max(64).nullable() });
const small = bodyLimit({ maxSize: 100_000 });
const ungradedSchema = z.array(z.object({ reason: z.string(), count: z.number() }));

/** Answers to questions as runs, and the sets of questions that they are to. */
export function questionRoutes(services: Services) {
  const { settings, clock, books, audit } = services;
  const questions = new QuestionFiles(join(settings.library, "questions"), clock);
  const runs = new QuestionRuns();
  const sets = new QuestionSets(join(settings.library, "question-sets"), services);
  const works = new Works();
  services.onClose(() => works.close());

  type WorkOptions = Parameters<Parameters<Works["start"]>[2]>[0];
  const doTask = (task: PreparedTask, options: WorkOptions | null) =>
    runTask("own-task", { ...task, settings: taskHost(settings) }, options ?? {});
  const doPaid = (task: PreparedTask, options: WorkOptions, who: string, judge: string | null, questions: string) =>
    audit.paid({ who, task: task.name, judges: judge === null ? [] : [judge], questions }, doTask(task, options));
  const planned = async ({ given, ...task }: PreparedTask) => {
    const { plan } = await doTask({ ...task, given: { ...given, dryRun: true } }, null);
    return shownPlan(plan);
  };
  const score =
    (path: string, name: string, client: string): Score =>
    (folder, known) =>
      runTask("score-answers", { path, name, folder, known }, { client });

  const gradeTask = async (id: string, { judge, grading, protocol, maximumCost: most }: GradeRequest) => {
    checkJudges([judge], settings);
    const { setId } = await questions.find(id);
    const folder = questions.folderOf(id);
    const data = setId !== undefined && grading === "summary" ? await sets.final(setId).catch(() => null) : null;
    return {
      name: "qa-score",
      given: {
        in: await answerFiles(folder),
        judge,
        grading,
        protocol,
        ...(most !== null && { maxCost: most }),
        ...(data !== null && { data }),
        out: join(folder, "graded.jsonl"),
      },
    } satisfies PreparedTask;
  };
  const grade = async (id: string, request: GradeRequest, options: WorkOptions, who: string): Promise<void> => {
    const { document } = await doPaid(await gradeTask(id, request), options, who, request.judge, id);
    const folder = questions.folderOf(id);
    await replaceAnswers(folder, join(folder, "graded.jsonl"));
    await writeJsonFile(join(folder, "ungraded.json"), gradeReasons(document));
  };

  const checkStep = async (id: string, { step, judge, setting = "retrieval" }: StepRequest): Promise<void> => {
    if (judge !== null) checkJudges([judge], settings);
    const needsModel = step === "write" || step === "refine" || step === "answer";
    if (needsModel && judge === null) throw new FabulaError("E_REQUEST", "Choose the model that does this.");
    if (step !== "answer") return;
    const { runId } = await sets.get(id);
    const known =
      runId === null
        ? []
        : await questions.find(runId).then(
            ({ systems }) => systems,
            () => [],
          );
    if (known.includes(`${judge}, ${setting}`)) {
      throw new FabulaError("E_CONFLICT", `${judge} has answered with the setting "${setting}" already.`);
    }
  };
  const perform = async (id: string, request: StepRequest, options: WorkOptions, who: string): Promise<void> => {
    const task = await sets.prepare(id, request);
    const { document, calls, cost } = await doPaid(task, options, who, request.judge, id);
    if (request.step === "answer") await addAnswers(id, String(task.given.out));
    await sets.finished(id, request.step, { judge: request.judge, calls, cost, notes: reasonsIn(document) });
  };
  const addAnswers = async (id: string, path: string): Promise<void> => {
    const { runId, name } = await sets.get(id);
    const found = runId === null ? null : await questions.find(runId).catch(() => null);
    const added = found
      ? await questions.change(found.id, score(path, name, ""))
      : await questions.add(name, score(path, name, ""), id);
    await writeJsonFile(runFiles(questions.folderOf(added.id)).summaries, await sets.summaries(id));
    if (!found) await sets.answered(id, added.id);
  };
  const shownSet = async (id: string): Promise<QuestionSet> => {
    // Read first: work that ends while the set is read still shows as running, and is requested again.
    const work = works.get(id);
    const set = await sets.get(id);
    const folder = set.runId === null ? null : questions.folderOf(set.runId);
    const run = folder === null ? null : await runs.run(folder).catch(() => null);
    return {
      ...set,
      runId: run === null ? null : set.runId,
      work,
      systems: run?.systems.map(({ system }) => system) ?? [],
      judges: run?.judges ?? [],
      rated: run === null ? 0 : await runs.rated(folder!),
    };
  };
  type Wanted = Awaited<ReturnType<QuestionSets["evidence"]>>;
  const evidenceFor = async ({ bookId, ...wanted }: Wanted): Promise<QuestionEvidence> => {
    if (bookId === null) return { bookId, origin: "searched", passages: [] };
    return { bookId, ...(await runTask("find-evidence", { folder: books.folderOf(bookId), ...wanted })) };
  };

  const runRoutes = new Hono()
    .get("/", async (context) => respond(context, await questions.list()))
    .post("/", upload(), (context) =>
      withUpload(context, ENDINGS, async ({ path, name }) =>
        respond(context, await questions.add(name, score(path, name, clientAddress(context))), 201),
      ),
    )
    .post("/:id/files", upload(), (context) =>
      withUpload(context, ENDINGS, async ({ path, name }) => {
        const id = context.req.param("id");
        works.refuseWhileBusy(id);
        return respond(context, await questions.change(id, score(path, name, clientAddress(context))), 201);
      }),
    )
    .get("/:id", async (context) => {
      const work = works.get(context.req.param("id"));
      const { id, name, setId = null } = await questions.find(context.req.param("id"));
      const folder = questions.folderOf(id);
      const ungraded = (await readJsonFile(join(folder, "ungraded.json"), ungradedSchema)) ?? [];
      return respond(context, { id, name, setId, ...(await runs.run(folder)), work, ungraded });
    })
    .get("/:id/differences", query(z.object({ metric: z.string().max(200) })), async (context) => {
      const { metric } = context.req.valid("query");
      return respond(context, await runs.differences(questions.folderOf(context.req.param("id")), metric));
    })
    .post("/:id/judge/plan", small, json(gradeBody), async (context) => {
      const task = await gradeTask(context.req.param("id"), context.req.valid("json"));
      return respond(context, await planned(task));
    })
    .post("/:id/judge", small, json(gradeBody), async (context) => {
      const { id } = await questions.find(context.req.param("id"));
      const request = context.req.valid("json");
      checkJudges([request.judge], settings);
      works.start(id, "judge", (options) => grade(id, request, options, whoSent(context)));
      return context.body(null, 202);
    })
    .delete("/:id/work", (context) => {
      works.stop(context.req.param("id"));
      return context.body(null, 204);
    })
    .get("/:id/items", query(itemsQuery), async (context) => {
      const folder = questions.folderOf(context.req.param("id"));
      return respond(context, await runs.items(folder, context.req.valid("query")));
    })
    .get("/:id/evidence", query(evidenceQuery), async (context) => {
      const { document, question } = context.req.valid("query");
      const { setId } = await questions.find(context.req.param("id"));
      const found = setId === undefined ? null : await sets.evidenceFor(setId, document, question).catch(() => null);
      const wanted = found ?? { ...sets.libraryBook(document, document), question, answers: [], given: [] };
      return respond(context, await evidenceFor(wanted));
    })
    .get("/:id/rating", query(taskQuery), async (context) => {
      const { rater, setting } = context.req.valid("query");
      return respond(context, await runs.task(questions.folderOf(context.req.param("id")), rater, setting));
    })
    .put("/:id/rating", bodyLimit({ maxSize: 10_000 }), json(ratingBody), async (context) => {
      await runs.rate(questions.folderOf(context.req.param("id")), context.req.valid("json"));
      return context.body(null, 204);
    })
    .get("/:id/agreement", async (context) =>
      respond(context, await runs.agreement(questions.folderOf(context.req.param("id")))),
    )
    .get("/:id/rated.jsonl", async (context) =>
      context.body(await runs.ratedLines(questions.folderOf(context.req.param("id"))), 200, {
        "content-type": "application/jsonl; charset=utf-8",
        "content-disposition": 'attachment; filename="rated.jsonl"',
      }),
    )
    .delete("/:id", async (context) => {
      works.stop(context.req.param("id"));
      await questions.delete(context.req.param("id"));
      return context.body(null, 204);
    });

  const setRoutes = new Hono()
    .get("/", async (context) => respond(context, await sets.list()))
    .post("/", jsonOrUpload(z.strictObject({ bookId: z.string().max(64) })), async (context) => {
      const book = context.req.valid("json");
      if (book) return respond(context, await shownSet(await sets.begin(book.bookId)), 201);
      return withUpload(context, ENDINGS, async ({ path, name }) =>
        respond(context, await shownSet(await sets.load(path, name)), 201),
      );
    })
    .get("/:id", async (context) => respond(context, await shownSet(context.req.param("id"))))
    .delete("/:id", async (context) => {
      works.stop(context.req.param("id"));
      await sets.delete(context.req.param("id"));
      return context.body(null, 204);
    })
    .put("/:id/books", small, json(bookBody), async (context) => {
      const { document, bookId } = context.req.valid("json");
      await sets.chooseBook(context.req.param("id"), document, bookId);
      return context.body(null, 204);
    })
    .post("/:id/steps/plan", small, json(stepBody), async (context) => {
      const request = context.req.valid("json");
      await checkStep(context.req.param("id"), request);
      return respond(context, await planned(await sets.prepare(context.req.param("id"), request)));
    })
    .post("/:id/steps", small, json(stepBody), async (context) => {
      const id = context.req.param("id");
      const request = context.req.valid("json");
      await checkStep(id, request);
      works.start(id, request.step, (options) => perform(id, request, options, whoSent(context)));
      return context.body(null, 202);
    })
    .delete("/:id/work", (context) => {
      works.stop(context.req.param("id"));
      return context.body(null, 204);
    })
    .get("/:id/items", query(stepQuery), async (context) => {
      const { step, from, limit } = context.req.valid("query");
      return respond(context, await sets.items(context.req.param("id"), step, from, limit));
    })
    .put("/:id/items", small, json(decisionBody), async (context) => {
      const { step, item, decision } = context.req.valid("json");
      await sets.decide(context.req.param("id"), step, item, decision);
      return context.body(null, 204);
    })
    .get("/:id/questions", query(reviewQuery), async (context) => {
      const { filter, from, limit } = context.req.valid("query");
      return respond(context, await sets.questions(context.req.param("id"), filter, from, limit));
    })
    .put("/:id/questions", small, json(reviewBody), async (context) => {
      await sets.reviewQuestion(context.req.param("id"), context.req.valid("json"));
      return context.body(null, 204);
    })
    .get("/:id/evidence", query(evidenceQuery), async (context) => {
      const { question } = context.req.valid("query");
      return respond(context, await evidenceFor(await sets.evidence(context.req.param("id"), question)));
    })
    .get("/:id/audit", query(z.object({ reviewer: raterName })), async (context) => {
      const { reviewer } = context.req.valid("query");
      return respond(context, await sets.auditTask(context.req.param("id"), reviewer));
    })
    .put("/:id/audit", small, json(auditBody), async (context) => {
      await sets.auditDecision(context.req.param("id"), context.req.valid("json"));
      return context.body(null, 204);
    })
    .get("/:id/audit/report", async (context) => respond(context, await sets.auditReport(context.req.param("id"))))
    .get("/:id/questions.jsonl", async (context) => {
      const { name } = await sets.get(context.req.param("id"));
      return context.body(await readFile(await sets.final(context.req.param("id")), "utf8"), 200, {
        "content-type": "application/jsonl; charset=utf-8",
        "content-disposition": attachment(name, "jsonl"),
      });
    })
    .get("/:id/card.md", async (context) => {
      const { name } = await sets.get(context.req.param("id"));
      return context.body(await sets.card(context.req.param("id")), 200, {
        "content-type": "text/markdown; charset=utf-8",
        "content-disposition": attachment(`${name} card`, "md"),
      });
    });
  return { runs: runRoutes, sets: setRoutes };
}

/** Why answers could not be graded, over the files of a run. */
function gradeReasons(document: Readonly<Record<string, unknown>>): readonly { reason: string; count: number }[] {
  const files = Array.isArray(document.files) ? (document.files as Record<string, unknown>[]) : [document];
  const counts = new Map<string, number>();
  for (const { reason, count } of files.flatMap(reasonsIn)) counts.set(reason, (counts.get(reason) ?? 0) + count);
  return [...counts].map(([reason, count]) => ({ reason, count }));
}
