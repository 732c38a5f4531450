import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { QUESTION_FILTERS, type QuestionResult } from "../../api/questions.ts";
import type { Clock } from "../../core/clock.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { GRADING_SETTINGS } from "../../qa/choices.ts";
import { HIGHEST_RATING, LOWEST_RATING } from "../../qa/rating.ts";
import { clientAddress } from "../http/client-address.ts";
import { jsonBody, queryOf } from "../http/json-body.ts";
import { withUpload } from "../http/upload.ts";
import { checkedId, newId, notFound } from "../ids.ts";
import { readJsonFile, writeJsonFile } from "../library/json-file.ts";
import { QuestionRuns } from "../questions/question-runs.ts";
import type { Services } from "../services.ts";
import { runTask } from "../threads/run-task.ts";

const resultSchema = z.object({
  id: z.string(),
  name: z.string(),
  items: z.number().int(),
  metrics: z.array(z.object({ id: z.string(), name: z.string(), mean: z.number().nullable() })),
  leftOut: z.array(z.object({ line: z.number().int(), reason: z.string() })).optional(),
  createdAt: z.string(),
}) satisfies z.ZodType<QuestionResult>;

type Scored = Pick<QuestionResult, "items" | "metrics" | "leftOut">;

/** Runs of scored answers: a small file each for the list, and a folder beside it. */
class QuestionFiles {
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
    const kept: QuestionResult = { ...before, leftOut: undefined, ...(await score(this.folderOf(id))) };
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

const ENDINGS = { endings: ["jsonl", "ndjson", "jsonl.gz"] };
const itemsQuery = z.object({
  filter: z.enum(QUESTION_FILTERS).default("all"),
  from: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
const raterName = z.string().trim().min(1).max(80);
const taskQuery = z.object({ rater: raterName, setting: z.enum(GRADING_SETTINGS).default("reference") });
const ratingBody = z.object({
  rater: raterName,
  item: z.string().max(80),
  rating: z.number().int().min(LOWEST_RATING).max(HIGHEST_RATING).nullable(),
});

export function questionRoutes({ settings, clock }: Services): Hono {
  const questions = new QuestionFiles(join(settings.library, "questions"), clock);
  const runs = new QuestionRuns();
  return new Hono()
    .get("/", async (context) => context.json(await questions.list()))
    .post("/", (context) =>
      withUpload(context, ENDINGS, async ({ path, name }) => {
        const added = await questions.add(name, (folder) =>
          runTask("score-answers", { path, name, folder }, { client: clientAddress(context) }),
        );
        return context.json(added, 201);
      }),
    )
    .post("/:id/files", (context) =>
      withUpload(context, ENDINGS, async ({ path, name }) => {
        const id = context.req.param("id");
        const scored = await questions.change(id, (folder) =>
          runTask("score-answers", { path, name, folder }, { client: clientAddress(context) }),
        );
        return context.json(scored, 201);
      }),
    )
    .get("/:id", async (context) => {
      const { id, name } = await questions.find(context.req.param("id"));
      return context.json(await runs.run(id, name, questions.folderOf(id)));
    })
    .get("/:id/items", async (context) => {
      const folder = questions.folderOf(context.req.param("id"));
      return context.json(await runs.items(folder, queryOf(context, itemsQuery)));
    })
    .get("/:id/rating", async (context) => {
      const { rater, setting } = queryOf(context, taskQuery);
      return context.json(await runs.task(questions.folderOf(context.req.param("id")), rater, setting));
    })
    .put("/:id/rating", bodyLimit({ maxSize: 10_000 }), async (context) => {
      await runs.rate(questions.folderOf(context.req.param("id")), await jsonBody(context, ratingBody));
      return context.body(null, 204);
    })
    .get("/:id/agreement", async (context) =>
      context.json(await runs.agreement(questions.folderOf(context.req.param("id")))),
    )
    .get("/:id/rated.jsonl", async (context) =>
      context.body(await runs.rated(questions.folderOf(context.req.param("id"))), 200, {
        "content-type": "application/jsonl; charset=utf-8",
        "content-disposition": 'attachment; filename="rated.jsonl"',
      }),
    )
    .delete("/:id", async (context) => {
      await questions.delete(context.req.param("id"));
      return context.body(null, 204);
    });
}
