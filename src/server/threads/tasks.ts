/** What a process is for decides how much memory V8 may use, and how soon it gets a core. */
export type ChildKind = "parsing" | "reading";

/** The heavy work of the server, by name. Each loads what it needs when it is asked for: reading a book needs none of the providers' libraries. */
const WORK = {
  "keep-book": async () => (await import("../library/keep-book.ts")).keepBook,
  "correct-book": async () => (await import("../library/correct-book.ts")).correctBook,
  "inherit-corrections": async () => (await import("../library/correct-book.ts")).inheritCorrections,
  "found-chapters": async () => (await import("../library/correct-book.ts")).foundChapters,
  "judge-book": async () => (await import("../jobs/judge-book.ts")).judgeBook,
  "plan-book": async () => (await import("../jobs/judge-book.ts")).planBook,
  "plan-command": async () => (await import("../trust/trust-tasks.ts")).planCommand,
  "score-answers": async () => (await import("../questions/score-file.ts")).scoreFile,
  "import-reader": async () => (await import("../../tasks/readers/reader-profiles.ts")).importProfile,
  "note-book": async () => (await import("../library/stored-books.ts")).noteStoredBook,
  "map-book": async () => (await import("../library/stored-books.ts")).mapStoredBook,
  "scenes-in-book": async () => (await import("../library/stored-books.ts")).scenesInStoredBook,
  "recheck-chapter": async () => (await import("../library/stored-books.ts")).recheckStoredChapter,
  "compare-drafts": async () => (await import("../library/stored-books.ts")).compareStoredDrafts,
  "compare-findings": async () => (await import("../library/stored-books.ts")).compareStoredFindings,
  "ask-book": async () => (await import("../jobs/book-tasks.ts")).askStoredBook,
  "ask-by-hand": async () => (await import("../jobs/book-tasks.ts")).askByHand,
  "notes-document": async () => (await import("../report/notes-document.ts")).notesDocument,
  "letter-document": async () => (await import("../report/notes-document.ts")).letterDocument,
  "read-comments": async () => (await import("../report/notes-document.ts")).readComments,
  "check-quotations": async () => (await import("../jobs/book-tasks.ts")).checkQuotations,
  "read-items": async () => (await import("../ratings/read-items.ts")).readItems,
  "trust-table": async () => (await import("../trust/trust-tasks.ts")).trustTable,
  "read-import": async () => (await import("../../tasks/trust/import-verdicts.ts")).readImport,
  "do-task": async () => (await import("../tasks/do-task.ts")).doTask,
  "own-task": async () => (await import("../tasks/do-task.ts")).doOwnTask,
  "compare-answers": async () => (await import("../questions/score-file.ts")).compareAnswers,
  "find-evidence": async () => (await import("../questions/find-evidence.ts")).findEvidence,
};

export type TaskName = keyof typeof WORK;
type Does<Name extends TaskName> = Awaited<ReturnType<(typeof WORK)[Name]>>;
export type TaskInputs = { readonly [Name in TaskName]: Parameters<Does<Name>>[0] };
export type TaskResults = { readonly [Name in TaskName]: Awaited<ReturnType<Does<Name>>> };
/** What a task says on the way; never, for most. */
export type TaskEvents = {
  readonly [Name in TaskName]: Parameters<Does<Name>> extends [unknown, { readonly emit: (event: infer Event) => void }]
    ? Event
    : never;
};

interface TaskContext<Name extends TaskName> {
  readonly emit: (event: TaskEvents[Name]) => void;
  readonly signal: AbortSignal;
}

type Task<Name extends TaskName> = (input: TaskInputs[Name], context: TaskContext<Name>) => Promise<TaskResults[Name]>;

const TASKS: { readonly [Name in TaskName]: () => Promise<Task<Name>> } = WORK;

/**
 * Loads what the first task of a process of this kind needs, before it comes: a book to parse, or one to judge without a model. Then it
 * does such a task with a short story, so that V8 has compiled what the book will need. The signal says that a task has come.
 */
export async function getReady(kind: ChildKind, signal: AbortSignal): Promise<void> {
  if (kind === "parsing") await (await import("../library/keep-book.ts")).readyParser(signal);
  else await (await import("../jobs/judge-book.ts")).readyJury(signal);
}

export async function performTask<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  context: TaskContext<Name>,
): Promise<TaskResults[Name]> {
  const task: Task<Name> = await TASKS[name]();
  return task(input, context);
}
