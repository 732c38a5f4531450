import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, rm, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { z } from "zod";
import {
  type AuditDecision,
  type AuditTables,
  type AuditTask,
  type CountedReason,
  type QuestionEvidence,
  type QuestionReview,
  type QuestionSet,
  type QuestionSetSummary,
  REVIEW_DECISIONS,
  type ReviewDecision,
  type ReviewPage,
  SET_STEPS,
  type SetCount,
  type SetStep,
  type SetStepName,
  type StepItems,
  type StepRequest,
} from "../../api/questions.ts";
import type { Clock } from "../../core/clock.ts";
import { csvLine } from "../../core/csv.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../core/files.ts";
import { countBy } from "../../core/group-by.ts";
import { sha256 } from "../../core/hash.ts";
import { readFittingLines, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { readTable } from "../../core/table/read-table.ts";
import { countQuestions, documentSchema, type QaDocument, type Question } from "../../qa/dataset/document.ts";
import { editDistance } from "../../qa/dataset/edit-distance.ts";
import { readSteps, type Step } from "../../qa/dataset/steps.ts";
import { NOBODY_LOOKED } from "../../qa/writing.ts";
import { auditTables } from "../../report/qa/audit-tables.ts";
import { auditRefinement } from "../../tasks/qa/audit.ts";
import type { TaskName } from "../../tasks/registry.ts";
import { checkedId, newId, notFound } from "../ids.ts";
import { describedBook, originalName } from "../library/book-files.ts";
import { readJsonFile, withEntry, writeJsonFile } from "../library/json-file.ts";
import type { Services } from "../services.ts";

/** The file each step writes; a step reads the latest file that exists. */
const OUTPUTS = {
  write: "data.jsonl",
  filter: "filtered.jsonl",
  dedupe: "unique.jsonl",
  refine: "refined.jsonl",
  review: "reviewed.jsonl",
} as const;
type ChainStep = keyof typeof OUTPUTS;
const CHAIN = Object.keys(OUTPUTS) as readonly ChainStep[];
/** The name of a step in the table of steps that goes with the data. */
const STAGES: Readonly<Record<ChainStep, string>> = {
  write: "written",
  filter: "filtered",
  dedupe: "deduplicated",
  refine: "refined",
  review: "reviewed",
};
/** The list that a person can review after a step. */
const LISTS = {
  write: "left-out.jsonl",
  filter: "removed.jsonl",
  dedupe: "pairs.jsonl",
  refine: "changes.jsonl",
} as const;
type ListedStep = keyof typeof LISTS;
const CHOICES: Readonly<Record<ListedStep, readonly string[]>> = {
  write: [],
  filter: ["remove", "keep"],
  dedupe: ["remove", "keep"],
  refine: ["accept", "reject"],
};
const AUDIT = "audit";
const SHEETS = ["originals.csv", "corrections.csv"] as const;

const reasonSchema = z.object({ reason: z.string(), count: z.number().int() });
const doneSchema = z.object({
  judge: z.string().nullable(),
  calls: z.number().int(),
  cost: z.number().nullable(),
  notes: z.array(reasonSchema),
});
const setSchema = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  aboutBook: z.string().nullable(),
  runId: z.string().nullable(),
  /** Counts finished steps: data read before the last of them may be out of date. */
  version: z.number().int().default(0),
  /** Books of the library, as a person chose them, by document. */
  books: z.record(z.string(), z.string()),
  done: z.partialRecord(z.enum(SET_STEPS), doneSchema),
  leftOut: z.array(z.object({ line: z.number().int(), reason: z.string() })),
});
type KeptSet = z.infer<typeof setSchema>;
type Done = z.infer<typeof doneSchema>;
const reviewSchema = z.record(
  z.string(),
  z.object({
    decision: z.enum(REVIEW_DECISIONS),
    question: z.string().optional(),
    answers: z.array(z.string()).optional(),
  }),
);
type Reviews = z.infer<typeof reviewSchema>;
const auditSchema = z.record(z.string(), z.record(z.string(), z.boolean()));
const listedSchema = z.looseObject({ decision: z.string().nullable().optional() });

/** A command-line task with the files of a question set. */
export interface PreparedTask {
  readonly name: TaskName;
  readonly given: Readonly<Record<string, unknown>>;
  /** The folder of the book that questions are written about. */
  readonly book?: string;
}

const WRITTEN_COUNT = 30;
const MOST_REMEMBERED = 10;

/** The question sets of the library: a folder for each, with the output of every `fabula qa` step. */
export class QuestionSets {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #services: Services;
  #writing: Promise<unknown> = Promise.resolve();
  readonly #remembered = new Map<string, { readonly state: string; readonly documents: QaDocument[] }>();

  constructor(folder: string, services: Services) {
    this.#folder = folder;
    this.#clock = services.clock;
    this.#services = services;
  }

  /** Newest first. */
  async list(): Promise<QuestionSetSummary[]> {
    await makeFolder(this.#folder, { mode: 0o700 });
    const ids = (await readdir(this.#folder)).sort().reverse();
    const found = await Promise.all(
      ids.map(async (id) => {
        const kept = await this.#read(id).catch(() => null);
        return kept && { ...summaryOf(kept), ...(await this.#inTurn(() => this.#count(id))) };
      }),
    );
    return found.filter((one) => one !== null);
  }

  /** Loads a file in LiteraryQA's format; invalid lines are left out and listed. */
  async load(path: string, name: string): Promise<string> {
    const { rows, bad } = await readFittingLines(path, documentSchema);
    if (rows.length === 0) {
      throw new FabulaError("E_QA_EMPTY", `"${name}" holds no books with questions: give LiteraryQA's JSONL.`);
    }
    const id = await this.#add(name.replace(/\.(?:jsonl|ndjson)(?:\.gz)?$/i, ""), null, bad);
    await writeJsonLines(this.#file(id, OUTPUTS.write), rows);
    return id;
  }

  /** Starts an empty set about a book of the library, whose questions a model will write. */
  async begin(bookId: string): Promise<string> {
    const { title } = describedBook(this.#services.books.card(bookId));
    return this.#add(title, bookId, []);
  }

  async #add(name: string, aboutBook: string | null, leftOut: KeptSet["leftOut"]): Promise<string> {
    const now = this.#clock.now();
    const id = newId(now);
    await makeFolder(this.folderOf(id), { mode: 0o700 });
    const kept = {
      id,
      name,
      createdAt: now.toISOString(),
      aboutBook,
      runId: null,
      version: 0,
      books: {},
      done: {},
      leftOut,
    };
    await writeJsonFile(this.#file(id, "set.json"), kept satisfies KeptSet);
    return id;
  }

  async delete(id: string): Promise<void> {
    await this.#read(id);
    await rm(this.folderOf(id), { recursive: true, force: true });
  }

  get(id: string): Promise<Omit<QuestionSet, "work" | "systems" | "judges" | "rated">> {
    // A step that finishes deletes the output of later steps, which must not happen while that is read.
    return this.#inTurn(() => this.#get(id));
  }

  async #get(id: string): ReturnType<QuestionSets["get"]> {
    const kept = await this.#read(id);
    const documents = await this.#documents(id);
    const reviews = await this.#reviews(id);
    const decided = documents.flatMap((document) =>
      document.qas.map((qa) => reviews[keyOf(document, qa)]?.decision ?? "undecided"),
    );
    const find = this.#bookFinder(kept);
    return {
      ...summaryOf(kept),
      ...countsOf(documents),
      steps: await this.#steps(kept),
      books: documents.map((document) => ({
        document: document.document_id,
        title: document.title,
        bookId: find(document),
      })),
      reviewed: { keep: 0, change: 0, drop: 0, undecided: 0, ...countBy(decided) },
      leftOut: kept.leftOut,
      version: kept.version,
    };
  }

  async #steps(kept: KeptSet): Promise<SetStep[]> {
    const { id, aboutBook, done } = kept;
    const names = SET_STEPS.filter((step) => (aboutBook === null ? step !== "write" : isForWritten(step)));
    return Promise.all(
      names.map(async (step): Promise<SetStep> => {
        const own = done[step];
        const facts = {
          step,
          judge: own?.judge ?? null,
          calls: own?.calls ?? 0,
          cost: own === undefined ? 0 : own.cost,
          notes: own?.notes ?? [],
          isDone: own !== undefined,
        };
        const lists = await this.#listed(id, step);
        const input = step === "write" ? null : await this.#inputOf(id, step);
        const before = input === null ? null : countsOf(await this.#documentsIn(input));
        if (!isChainStep(step) || own === undefined) return { ...facts, ...lists, before, after: null, removed: [] };
        const output = this.#file(id, OUTPUTS[step]);
        const stage = (await readSteps(output)).filter((one) => one.stage === STAGES[step]);
        const after = countsOf(await this.#documentsIn(output));
        return { ...facts, ...lists, before, after, removed: stage.filter(isRemoval).map(removalOf) };
      }),
    );
  }

  async #listed(id: string, step: SetStepName): Promise<{ items: number; decided: number }> {
    if (!isListed(step)) return { items: 0, decided: 0 };
    const rows = await this.#list(id, step);
    return { items: rows.length, decided: rows.filter(({ decision }) => typeof decision === "string").length };
  }

  async #list(id: string, step: ListedStep): Promise<z.infer<typeof listedSchema>[]> {
    const path = this.#file(id, LISTS[step]);
    return existsSync(path) ? readJsonLines(path, listedSchema) : [];
  }

  /** What a step found: removed books, pairs, changes, questions that were left out. */
  async items(id: string, step: SetStepName, from: number, limit: number): Promise<StepItems> {
    await this.#read(id);
    if (!isListed(step)) return { total: 0, choices: [], items: [] };
    const rows = await this.#inTurn(() => this.#list(id, step));
    return {
      total: rows.length,
      choices: CHOICES[step],
      items: rows.slice(from, from + limit).map((row, at) => itemOf(row, from + at)),
    };
  }

  async decide(id: string, step: SetStepName, item: number, decision: string | null): Promise<void> {
    if (!isListed(step) || (decision !== null && !CHOICES[step].includes(decision))) throw notFound("decision");
    await this.#inTurn(async () => {
      const rows = await this.#list(id, step);
      if (rows[item] === undefined) throw notFound("line");
      rows[item] = { ...rows[item], decision };
      await writeJsonLines(this.#file(id, LISTS[step]), rows);
    });
  }

  /** The task that does a step, with the files it reads and writes. */
  async prepare(id: string, request: StepRequest): Promise<PreparedTask> {
    const { step, judge, maximumCost, setting = "retrieval", count = WRITTEN_COUNT, apply = false } = request;
    const kept = await this.#read(id);
    const file = (name: string) => this.#file(id, name);
    const paying = judge === null ? {} : { judge, ...(maximumCost !== null && { maxCost: maximumCost }) };
    if (step === "write") {
      if (kept.aboutBook === null) throw notFound("step");
      const book = this.#services.books.folderOf(kept.aboutBook);
      return {
        name: "qa-write",
        book,
        given: { ...paying, count, out: file(OUTPUTS.write), dropped: file(LISTS.write) },
      };
    }
    const input = await this.#inputOf(id, step);
    if (input === null) throw new FabulaError("E_REQUEST", "There are no questions yet: have them written first.");
    switch (step) {
      case "filter": {
        const texts = apply ? null : await this.#texts(kept);
        return {
          name: "qa-filter",
          given: {
            in: input,
            ...(texts !== null && { texts }),
            ...(apply ? { decisions: file(LISTS.filter) } : paying),
            out: file(OUTPUTS.filter),
            review: file(LISTS.filter),
          },
        };
      }
      case "dedupe":
        return {
          name: "qa-dedupe",
          given: {
            in: input,
            out: file(OUTPUTS.dedupe),
            review: file(LISTS.dedupe),
            ...(apply && { decisions: file(LISTS.dedupe) }),
          },
        };
      case "refine":
        return {
          name: "qa-refine",
          given: {
            in: input,
            ...paying,
            out: file(OUTPUTS.refine),
            review: file(LISTS.refine),
            dropped: file("dropped.jsonl"),
          },
        };
      case "review":
        return {
          name: "qa-review",
          given: {
            review: file(LISTS.refine),
            in: file(OUTPUTS.refine),
            dropped: file("dropped.jsonl"),
            out: file(OUTPUTS.review),
          },
        };
      case "audit":
        return { name: "qa-audit-sheets", given: { ...this.#audited(id), sheets: file(AUDIT) } };
      case "answer": {
        const texts = setting === "open" || setting === "retrieval" ? await this.#texts(kept) : null;
        if (texts === null && (setting === "open" || setting === "retrieval")) {
          throw new FabulaError("E_REQUEST", "None of the books is in the library: add them, or ask without the text.");
        }
        const { judge: model, ...limit } = paying as { judge?: string };
        return {
          name: "qa-answer",
          given: {
            in: await this.final(id),
            model,
            setting,
            ...(texts !== null && { texts }),
            ...limit,
            out: file("answers.jsonl"),
          },
        };
      }
      default:
        return step satisfies never;
    }
  }

  #audited(id: string) {
    const file = (name: string) => this.#file(id, name);
    const given = (name: string, path: string) => (existsSync(path) ? { [name]: path } : {});
    return {
      in: file(OUTPUTS.refine),
      ...given("dropped", file("dropped.jsonl")),
      ...given("removed", file(LISTS.filter)),
    };
  }

  /** Records that a step is done, and deletes the outdated output of later steps. Models' answers stay in the store. */
  async finished(id: string, step: SetStepName, done: Done): Promise<void> {
    await this.#inTurn(async () => {
      const kept = await this.#read(id);
      const later = isChainStep(step) ? CHAIN.slice(CHAIN.indexOf(step) + 1) : [];
      for (const name of later) {
        await rm(this.#file(id, OUTPUTS[name]), { force: true });
        if (isListed(name)) await rm(this.#file(id, LISTS[name]), { force: true });
      }
      const stale: readonly SetStepName[] = later.includes("review") ? [...later, "audit"] : later;
      if (stale.includes("audit")) await rm(this.#file(id, AUDIT), { recursive: true, force: true });
      const before = Object.entries(kept.done).filter(([name]) => !stale.some((one) => one === name));
      await this.#write({ ...kept, version: kept.version + 1, done: { ...Object.fromEntries(before), [step]: done } });
    });
  }

  async answered(id: string, runId: string): Promise<void> {
    await this.#inTurn(async () => this.#write({ ...(await this.#read(id)), runId }));
  }

  /** Which book of the library a document is about; null leaves it to titles and file names. */
  async chooseBook(id: string, document: string, bookId: string | null): Promise<void> {
    if (bookId !== null) this.#services.books.card(bookId);
    await this.#inTurn(async () => {
      const kept = await this.#read(id);
      await this.#write({ ...kept, books: withEntry(kept.books, document, bookId) });
    });
  }

  /** One page of the questions, as people reviewed them. */
  async questions(
    id: string,
    filter: ReviewDecision | "all" | "undecided",
    from: number,
    limit: number,
  ): Promise<ReviewPage> {
    const [reviews, documents] = await this.#inTurn(async () => [await this.#reviews(id), await this.#documents(id)]);
    const all = documents.flatMap((document) =>
      document.qas.map((qa) => ({ document, qa, id: keyOf(document, qa), review: reviews[keyOf(document, qa)] })),
    );
    const wanted = all.filter(({ review }) => filter === "all" || (review?.decision ?? "undecided") === filter);
    return {
      total: wanted.length,
      items: wanted.slice(from, from + limit).map(({ document, qa, id: key, review }) => ({
        id: key,
        title: document.title,
        question: review?.question ?? qa.question,
        answers: review?.answers ?? qa.answers,
        decision: review?.decision ?? null,
        about: [qa.kind, qa.scope, qa.difficulty].filter((word) => typeof word === "string"),
        known: typeof qa.known === "boolean" ? qa.known : null,
      })),
    };
  }

  async reviewQuestion(id: string, { id: key, decision, question, answers }: QuestionReview): Promise<void> {
    await this.#inTurn(async () => {
      await this.#question(id, key);
      const changed = decision === "change" ? { question, answers: answers && [...answers] } : {};
      const review = decision === null ? null : { decision, ...changed };
      await writeJsonFile(this.#file(id, "reviews.json"), withEntry(await this.#reviews(id), key, review));
    });
  }

  async evidence(id: string, key: string): Promise<Omit<QuestionEvidence, "origin" | "passages"> & EvidenceWanted> {
    const { document, qa } = await this.#question(id, key);
    return this.#evidenceOf(id, document, qa);
  }

  /** Finds a book of the library by a document's id or title, for answers without a question set. */
  libraryBook(document_id: string, title: string): { readonly bookId: string | null } {
    const find = this.#bookFinder({ books: {}, aboutBook: null });
    return { bookId: find({ document_id, title, summary: "", qas: [] }) };
  }

  /** The data card of the set, with how many questions people have reviewed. */
  async card(id: string): Promise<string> {
    const path = this.#file(id, `${OUTPUTS.write}.card.md`);
    const { name, reviewed: said, questions } = await this.get(id);
    const people = `People looked at ${questions - said.undecided} of ${questions} questions: ${said.keep} kept, ${said.change} changed, ${said.drop} dropped.`;
    if (!existsSync(path)) return `# ${name}\n\n${people}\n`;
    const text = await readFile(path, "utf8");
    return said.undecided === questions ? text : text.replace(NOBODY_LOOKED, people);
  }

  /** The evidence for a question named by its text, as in a file of answers. */
  async evidenceFor(id: string, documentId: string, question: string) {
    const documents = await readJsonLines(await this.final(id), documentSchema);
    const document = documents.find(({ document_id }) => document_id === documentId);
    const qa = document?.qas.find((one) => one.question === question);
    return document && qa ? this.#evidenceOf(id, document, qa) : null;
  }

  async #evidenceOf(id: string, document: QaDocument, qa: Question) {
    const given = z.array(z.object({ chapter: z.number(), quote: z.string() })).safeParse(qa.evidence);
    return {
      bookId: this.#bookFinder(await this.#read(id))(document),
      question: qa.question,
      answers: qa.answers,
      given: given.success ? given.data : [],
    };
  }

  /** The data set as it stands, with what people decided on its questions. */
  async final(id: string): Promise<string> {
    const reviews = await this.#reviews(id);
    const path = this.#file(id, "final.jsonl");
    const documents = (await this.#documents(id)).map((document) => ({
      ...document,
      qas: document.qas.flatMap((qa) => reviewed(qa, keyOf(document, qa), reviews)),
    }));
    await this.#inTurn(() =>
      writeJsonLines(
        path,
        documents.filter(({ qas }) => qas.length > 0),
      ),
    );
    return path;
  }

  /** Summaries by document, so that the run's answers can be rated and graded with the summary shown. */
  async summaries(id: string): Promise<Record<string, string>> {
    const documents = await this.#documents(id);
    return Object.fromEntries(
      documents.flatMap(({ document_id, summary }) => (summary.trim() === "" ? [] : [[document_id, summary]])),
    );
  }

  async auditTask(id: string, reviewer: string): Promise<AuditTask> {
    await this.#read(id);
    const rows = await Promise.all(SHEETS.map((name) => this.#sheet(id, name)));
    const decisions = (await this.#audit(id))[reviewer] ?? {};
    return { items: rows.flat().map(({ decision: _decision, ...shown }) => shown), decisions };
  }

  async #sheet(id: string, name: string) {
    const path = join(this.#file(id, AUDIT), name);
    if (!existsSync(path)) return [];
    const { rows } = await readTable(path);
    return rows.map((row) => {
      const cell = (column: string) => String(row[column] ?? "");
      const [title, summary, question] = [cell("title"), cell("summary"), cell("question")];
      return { id: cell("id"), title, summary, question, what: cell("what"), text: cell("text"), decision: "" };
    });
  }

  async auditDecision(id: string, { reviewer, item, decision }: AuditDecision): Promise<void> {
    await this.#inTurn(async () => {
      const all = await this.#audit(id);
      const own = withEntry(all[reviewer] ?? {}, item, decision);
      await writeJsonFile(join(this.#file(id, AUDIT), "decisions.json"), { ...all, [reviewer]: own });
    });
  }

  async #audit(id: string): Promise<z.infer<typeof auditSchema>> {
    return (await readJsonFile(join(this.#file(id, AUDIT), "decisions.json"), auditSchema)) ?? {};
  }

  /** LiteraryQA's Tables 1, 2 and 11 from what reviewers said; none until somebody has. */
  async auditReport(id: string): Promise<AuditTables> {
    const all = Object.entries(await this.#audit(id)).filter(([, own]) => Object.keys(own).length > 0);
    if (all.length === 0) return { reviewers: [], tables: [] };
    const folders = await Promise.all(all.map(([, own], at) => this.#filledIn(id, own, String(at + 1))));
    const { in: input, ...given } = this.#audited(id);
    return {
      reviewers: all.map(([reviewer]) => reviewer),
      tables: auditTables(await auditRefinement({ input, ...given }, folders)),
    };
  }

  async #filledIn(id: string, own: Readonly<Record<string, boolean>>, name: string): Promise<string> {
    const folder = join(this.#file(id, AUDIT), name);
    await makeFolder(folder, { mode: 0o700 });
    for (const sheet of SHEETS) {
      const rows = await this.#sheet(id, sheet);
      const lines = rows.flatMap((row) => (own[row.id] === undefined ? [] : [[row.id, own[row.id] ? "yes" : "no"]]));
      await writeWholeFile(join(folder, sheet), `${[["id", "decision"], ...lines].map(csvLine).join("\n")}\n`);
    }
    return folder;
  }

  folderOf(id: string): string {
    return join(this.#folder, checkedId(id, "set of questions"));
  }

  #file(id: string, name: string): string {
    return join(this.folderOf(id), name);
  }

  async #read(id: string): Promise<KeptSet> {
    const kept = await readJsonFile(this.#file(id, "set.json"), setSchema);
    if (kept === null) throw notFound("set of questions");
    return kept;
  }

  async #write(kept: KeptSet): Promise<void> {
    await writeJsonFile(this.#file(kept.id, "set.json"), kept);
  }

  async #reviews(id: string): Promise<Reviews> {
    return (await readJsonFile(this.#file(id, "reviews.json"), reviewSchema)) ?? {};
  }

  async #count(id: string): Promise<SetCount> {
    return countsOf(await this.#documents(id));
  }

  /** The documents after the last step; empty for a set that is not written yet. */
  async #documents(id: string): Promise<QaDocument[]> {
    const path = await this.#inputOf(id, "answer");
    return path === null ? [] : this.#documentsIn(path);
  }

  /** The last few files stay in memory: viewing a set reads the same ones again and again. */
  async #documentsIn(path: string): Promise<QaDocument[]> {
    const { mtimeMs, size } = await stat(path);
    const state = `${mtimeMs} ${size}`;
    const known = this.#remembered.get(path);
    if (known?.state === state) return known.documents;
    const documents = await readJsonLines(path, documentSchema);
    this.#remembered.delete(path);
    this.#remembered.set(path, { state, documents });
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > MOST_REMEMBERED && oldest !== undefined) this.#remembered.delete(oldest);
    return documents;
  }

  async #question(id: string, key: string): Promise<{ document: QaDocument; qa: Question }> {
    for (const document of await this.#documents(id)) {
      const qa = document.qas.find((one) => keyOf(document, one) === key);
      if (qa) return { document, qa };
    }
    throw notFound("question");
  }

  /** The input of a step: the file that the latest step before it wrote. */
  async #inputOf(id: string, step: Exclude<SetStepName, "write">): Promise<string | null> {
    const place = isChainStep(step) ? CHAIN.indexOf(step) : CHAIN.length;
    const written = CHAIN.slice(0, place).map((name) => this.#file(id, OUTPUTS[name]));
    return written.findLast((path) => existsSync(path)) ?? null;
  }

  /** A folder with the books of the library under the names of their documents; null when none of them is there. */
  async #texts(kept: KeptSet): Promise<string | null> {
    const folder = this.#file(kept.id, "texts");
    await rm(folder, { recursive: true, force: true });
    const find = this.#bookFinder(kept);
    let count = 0;
    for (const document of await this.#documents(kept.id)) {
      const bookId = find(document);
      if (bookId === null || !SAFE_NAME.test(document.document_id)) continue;
      const { books } = this.#services;
      const original = join(books.folderOf(bookId), originalName(books.card(bookId).format));
      await makeFolder(folder, { mode: 0o700 });
      await copyFile(original, join(folder, `${document.document_id}${extname(original)}`));
      count += 1;
    }
    return count === 0 ? null : folder;
  }

  /** The book that a person chose, or the one with the document's id, its number at Project Gutenberg, or its title. */
  #bookFinder({
    books: chosen,
    aboutBook,
  }: Pick<KeptSet, "books" | "aboutBook">): (document: QaDocument) => string | null {
    const byName = new Map<string, string>();
    for (const card of this.#services.books.list()) {
      const stem = card.file.replace(/(?:\.[a-z0-9]{2,5})+$/i, "");
      for (const name of [stem, describedBook(card).title])
        if (!byName.has(plain(name))) byName.set(plain(name), card.id);
    }
    const isThere = (id: string | null | undefined) => {
      try {
        return id == null ? null : this.#services.books.card(id).id;
      } catch {
        return null;
      }
    };
    return ({ document_id, gutenberg_id, title }) => {
      const numbers = gutenberg_id ? [gutenberg_id, `pg${gutenberg_id}`, `${gutenberg_id}-0`, `${gutenberg_id}-h`] : [];
      const found = [document_id, ...numbers, title].map((name) => byName.get(plain(name)));
      return isThere(chosen[document_id]) ?? isThere(aboutBook) ?? isThere(found.find((id) => id !== undefined));
    };
  }

  /** One change at a time: two at once would overwrite each other. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#writing.then(change);
    this.#writing = changed.catch(() => {});
    return changed;
  }
}

interface EvidenceWanted {
  readonly question: string;
  readonly answers: readonly string[];
  readonly given: readonly { readonly chapter: number; readonly quote: string }[];
}

const SAFE_NAME = /^[\w][\w.-]{0,100}$/;

/** Steps for a set that a model writes: its questions are filtered and refined while they are written. */
function isForWritten(step: SetStepName): boolean {
  return step === "write" || step === "answer";
}

function isChainStep(step: SetStepName): step is ChainStep {
  return step in OUTPUTS;
}

function isListed(step: SetStepName): step is ListedStep {
  return step in LISTS;
}

function isRemoval({ kind }: Step): boolean {
  return kind === "removed";
}

function removalOf({ reason, documents, questions }: Step) {
  return { reason, documents: -documents, questions: -questions };
}

function summaryOf({ id, name, createdAt, aboutBook, runId }: KeptSet) {
  return { id, name, createdAt, aboutBook, runId };
}

function countsOf(documents: readonly QaDocument[]): SetCount {
  return { documents: documents.length, questions: countQuestions(documents) };
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const KEY_LETTERS = 20;

function keyOf({ document_id }: QaDocument, { question, answers }: Question): string {
  return sha256(JSON.stringify([document_id, question, answers])).slice(0, KEY_LETTERS);
}

/** A question after a person's review; empty if it was dropped. A change keeps its original, as a model's change does. */
function reviewed(qa: Question, key: string, reviews: Reviews): Question[] {
  const review = reviews[key];
  if (review?.decision === "drop") return [];
  if (review?.decision !== "change") return [qa];
  const question = review.question ?? qa.question;
  const answers = review.answers ?? qa.answers;
  const change = (target: "question" | "answer", answer: number | null, original: string, correction: string) =>
    original === correction
      ? []
      : [
          {
            id: `${key}/${answer === null ? "question" : `answer-${answer}`}/person`,
            target,
            answer,
            original,
            correction,
            reason: "changed by a person",
            edit_distance: editDistance(original, correction),
          },
        ];
  return [
    {
      ...qa,
      question,
      answers,
      is_question_modified: qa.is_question_modified || question !== qa.question,
      is_answer_modified: answers.map((text, at) => qa.is_answer_modified[at] === true || text !== qa.answers[at]),
      changes: [
        ...(qa.changes ?? []),
        ...change("question", null, qa.question, question),
        ...answers.flatMap((text, at) => change("answer", at, qa.answers[at] ?? "", text)),
      ],
    },
  ];
}

const words = z.string().catch("");

/** A line of any list, as shown for review. */
function itemOf(row: z.infer<typeof listedSchema>, id: number): StepItems["items"][number] {
  const text = (name: string) => words.parse(row[name]) || null;
  const isPair = "duplicate" in row;
  const similarity = z.number().safeParse(row.similarity);
  return {
    id,
    title: text("title") ?? "",
    question: text("question"),
    before: text(isPair ? "kept" : "original"),
    after: text(isPair ? "duplicate" : "correction"),
    reason: isPair ? `rouge-l ${similarity.data?.toFixed(2) ?? ""}` : (text("reason") ?? ""),
    details: z.array(z.string()).catch([]).parse(row.evidence),
    decision: row.decision ?? null,
  };
}

/** Counts by reason what a task could not do, from its result document. */
export function reasonsIn(document: Readonly<Record<string, unknown>>): CountedReason[] {
  const listed = z.array(z.looseObject({ reason: z.string() })).catch([]);
  const counted = z.record(z.string(), z.number()).catch({});
  const open = [...listed.parse(document.unjudged), ...listed.parse(document.unchecked)];
  const parts = Array.isArray(document.unanswered) ? listed.parse(document.unanswered) : [];
  const byReason = {
    ...countBy([...open, ...parts].map(({ reason }) => reason)),
    ...(Array.isArray(document.unanswered) ? {} : counted.parse(document.unanswered)),
    ...counted.parse(document.ungradedReasons),
  };
  return Object.entries(byReason).map(([reason, count]) => ({ reason, count }));
}
