import { join } from "node:path";
import { z } from "zod";
import type { ProgressEvent } from "../../core/progress.ts";
import { JUROR_IDS, JURY } from "../../jury/juror.ts";
import { asDocument } from "../../report/documents.ts";
import { bothPlans, type Plan } from "../../runner/planning.ts";
import { checkInput } from "../../tasks/define/check.ts";
import { textInput } from "../../tasks/define/shared-fields.ts";
import type { FromFar, Host } from "../../tasks/define/task.ts";
import { AS_DECLARED, openBooks, type WireBook } from "../../tasks/define/wire.ts";
import { loadTask, type TaskName } from "../../tasks/registry.ts";
import { checkedId } from "../ids.ts";
import { bookIn } from "../library/stored-books.ts";

export interface DoTaskInput {
  readonly name: TaskName;
  /** The options that were sent, checked against the task's wire schema. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Where the books of the web app's library are. */
  readonly books: string;
}

/** The ways in which a program names a book to the server: its text, a file in base64, or its id in the web app's library. */
const SENT_BOOK = z.union(
  [textInput, z.strictObject({ base64: z.base64(), name: z.string() }), z.strictObject({ id: z.string() })],
  "send { text }, { base64, name } or { id } for a book",
);

/** How a program on another machine names a book and a judge. A model would cost money, and its name can hold an address. */
export const SENT: FromFar = { book: SENT_BOOK, judge: z.enum([JURY, ...JUROR_IDS]) };

/** A task requested over HTTP asks no models and has no store. */
const HOST: Host = { connections: {}, store: ":memory:" };

/** Does a task for a program on another machine, and returns its JSON document. */
export async function doTask(
  { name, sent, books }: DoTaskInput,
  { emit, signal }: { readonly emit: (event: ProgressEvent) => void; readonly signal: AbortSignal },
): Promise<object> {
  const task = await loadTask(name);
  const book: WireBook = {
    schema: SENT_BOOK,
    async open(named: z.output<typeof SENT_BOOK>) {
      if ("id" in named) return bookIn(join(books, checkedId(named.id, "book")));
      return "base64" in named ? { bytes: Buffer.from(named.base64, "base64"), name: named.name } : named;
    },
  };
  const input = checkInput(task, await openBooks(task, sent, book), { name: task.name, spell: AS_DECLARED });
  const work = await task.load();
  const result = await work(input, { signal, onProgress: emit, onEvent: () => {}, host: HOST });
  return asDocument(task.output.kind, task.output.body(result));
}

export interface OwnTaskInput {
  readonly name: TaskName;
  /** Options set by the server itself: files of the library and a model that was checked. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The folder of a book of the library that the task is about. */
  readonly book?: string;
  readonly settings: Host;
}

export interface OwnTaskResult {
  readonly document: Readonly<Record<string, unknown>>;
  /** Of a dry run. */
  readonly plan: Plan | null;
  readonly calls: number;
  readonly cost: number | null;
}

/** Does a task for the web app: unlike a remote program, the server may name files and models. */
export async function doOwnTask(
  { name, given, book, settings }: OwnTaskInput,
  { emit, signal }: { readonly emit: (event: ProgressEvent) => void; readonly signal: AbortSignal },
): Promise<OwnTaskResult> {
  const task = await loadTask(name);
  const whole = book === undefined ? given : { ...given, book: await bookIn(book) };
  const checked = checkInput(task, whole, { name: task.name, spell: AS_DECLARED });
  const work = await task.load();
  const result = await work(checked, { signal, onProgress: emit, onEvent: () => {}, host: settings });
  const parts = partsOf(result);
  const plans = parts.flatMap(({ plan }) => plan ?? []);
  const runs = parts.flatMap(({ run }) => run ?? []);
  return {
    document: { ...task.output.body(result) },
    plan: plans.length === 0 ? null : plans.reduce(bothPlans),
    calls: runs.reduce((sum, { summary }) => sum + summary.calls, 0),
    cost: runs.reduce<number | null>(
      (sum, { summary }) => (sum === null || summary.cost === null ? null : sum + summary.cost),
      0,
    ),
  };
}

interface Spent {
  readonly plan?: Plan | null;
  readonly run?: { readonly summary: { readonly calls: number; readonly cost: number | null } } | null;
}

/** The plan and run of a task that asks models are in its result, or in the part for each file. */
function partsOf(result: unknown): readonly Spent[] {
  const { files, ...whole } = (result ?? {}) as Spent & { readonly files?: readonly Spent[] };
  return Array.isArray(files) ? files : [whole];
}
