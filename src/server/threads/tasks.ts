import type { ChapterRecheck, RevisionRequest } from "../../api/drafts.ts";
import type { TrustAnswer } from "../../api/trust.ts";
import type { ProgressEvent } from "../../core/progress.ts";
import type { DraftChanges, FoundChanges } from "../../judge/drafts/change-schema.ts";
import type { Evidence } from "../../judge/evaluation.ts";
import type { Scene } from "../../prose/shape/scenes.ts";
import type { Plan } from "../../runner/planning.ts";
import type { BookMap } from "../../tasks/books/map-book.ts";
import type { IdentifiedNotes } from "../../tasks/books/notes/identified-notes.ts";
import type { ImportProfileReport, ImportProfileRequest } from "../../tasks/readers/reader-profiles.ts";
import type { Imported, ImportRequest } from "../../tasks/trust/import-verdicts.ts";
import type { AskBookInput, AskedBook, CheckQuotationsInput, KeepBookInput } from "../jobs/book-tasks.ts";
import type { JudgeBookEvent, JudgeBookInput, JudgedBook } from "../jobs/judge-book.ts";
import type { BookCard } from "../library/book-files.ts";
import type { CorrectBookInput, FoundChapters, InheritCorrectionsInput } from "../library/correct-book.ts";
import type { EvidenceInput, FoundEvidence } from "../questions/find-evidence.ts";
import type { KeptComparison, ScoredFile, ScoreFileInput } from "../questions/score-file.ts";
import type { ReadItem } from "../ratings/read-items.ts";
import type {
  LetterDocumentInput,
  NotesDocumentInput,
  ReadComments,
  ReadCommentsInput,
} from "../report/notes-document.ts";
import type { DoTaskInput, OwnTaskInput, OwnTaskResult } from "../tasks/do-task.ts";
import type { PlanCommandInput, TrustTableInput } from "../trust/trust-tasks.ts";

/** What threads do: each by its name, with what it takes, says on the way and gives. */
export interface TaskInputs {
  readonly "keep-book": KeepBookInput;
  readonly "correct-book": CorrectBookInput;
  readonly "inherit-corrections": InheritCorrectionsInput;
  readonly "found-chapters": { readonly folder: string };
  readonly "judge-book": JudgeBookInput;
  readonly "plan-book": JudgeBookInput;
  readonly "plan-command": PlanCommandInput;
  readonly "score-answers": ScoreFileInput;
  readonly "import-reader": ImportProfileRequest;
  readonly "note-book": { readonly folder: string; readonly which: "few" | "all" };
  readonly "map-book": { readonly folder: string };
  readonly "scenes-in-book": { readonly folder: string };
  readonly "recheck-chapter": RevisionRequest & { readonly folder: string; readonly chapter: number };
  readonly "compare-drafts": { readonly before: string; readonly after: string };
  readonly "compare-findings": { readonly before: string; readonly after: string };
  readonly "ask-book": AskBookInput;
  readonly "notes-document": NotesDocumentInput;
  readonly "letter-document": LetterDocumentInput;
  readonly "read-comments": ReadCommentsInput;
  readonly "check-quotations": CheckQuotationsInput;
  readonly "read-items": { readonly path: string };
  readonly "trust-table": TrustTableInput;
  readonly "read-import": ImportRequest;
  readonly "do-task": DoTaskInput;
  readonly "own-task": OwnTaskInput;
  readonly "compare-answers": { readonly folder: string };
  readonly "find-evidence": EvidenceInput;
}
export interface TaskEvents {
  readonly "keep-book": never;
  readonly "correct-book": never;
  readonly "inherit-corrections": never;
  readonly "found-chapters": never;
  readonly "judge-book": JudgeBookEvent;
  readonly "plan-book": never;
  readonly "plan-command": never;
  readonly "score-answers": never;
  readonly "import-reader": never;
  readonly "note-book": never;
  readonly "map-book": never;
  readonly "scenes-in-book": never;
  readonly "recheck-chapter": never;
  readonly "compare-drafts": never;
  readonly "compare-findings": never;
  readonly "ask-book": never;
  readonly "notes-document": never;
  readonly "letter-document": never;
  readonly "read-comments": never;
  readonly "check-quotations": never;
  readonly "read-items": never;
  readonly "trust-table": ProgressEvent;
  readonly "read-import": never;
  readonly "do-task": ProgressEvent;
  readonly "own-task": ProgressEvent;
  readonly "compare-answers": never;
  readonly "find-evidence": never;
}
export interface TaskResults {
  readonly "keep-book": BookCard;
  readonly "correct-book": BookCard;
  readonly "inherit-corrections": BookCard;
  readonly "found-chapters": FoundChapters;
  readonly "judge-book": JudgedBook;
  readonly "plan-book": Plan | null;
  readonly "plan-command": Plan | null;
  readonly "score-answers": ScoredFile;
  readonly "import-reader": ImportProfileReport;
  readonly "note-book": IdentifiedNotes;
  readonly "map-book": BookMap;
  readonly "scenes-in-book": readonly Scene[];
  readonly "recheck-chapter": ChapterRecheck;
  readonly "compare-drafts": DraftChanges;
  readonly "compare-findings": FoundChanges;
  readonly "ask-book": AskedBook;
  readonly "notes-document": Uint8Array;
  readonly "letter-document": Uint8Array;
  readonly "read-comments": ReadComments;
  readonly "check-quotations": readonly Evidence[];
  readonly "read-items": ReadItem[];
  readonly "trust-table": TrustAnswer;
  readonly "read-import": Imported;
  readonly "do-task": object;
  readonly "own-task": OwnTaskResult;
  readonly "compare-answers": KeptComparison;
  readonly "find-evidence": FoundEvidence;
}
export type TaskName = keyof TaskInputs;

interface TaskContext<Name extends TaskName> {
  readonly emit: (event: TaskEvents[Name]) => void;
  readonly signal: AbortSignal;
}

type Task<Name extends TaskName> = (input: TaskInputs[Name], context: TaskContext<Name>) => Promise<TaskResults[Name]>;

/** Each loads what it needs when it is asked for: reading a book needs none of the providers' libraries. */
const TASKS: { readonly [Name in TaskName]: () => Promise<Task<Name>> } = {
  "keep-book": async () => (await import("../jobs/book-tasks.ts")).keepBook,
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

export async function performTask<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  context: TaskContext<Name>,
): Promise<TaskResults[Name]> {
  const task: Task<Name> = await TASKS[name]();
  return task(input, context);
}
