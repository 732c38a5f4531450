import type { CheckResult } from "../tasks/books/check-books.ts";
import { askTask, mapTask, readTask, storyTask } from "../tasks/books/explore.ts";
import { checkTask, notesTask } from "../tasks/books/faults.ts";
import type { NotesOfBook } from "../tasks/books/line-notes.ts";
import type { BookMap } from "../tasks/books/map-book.ts";
import { openBook } from "../tasks/books/open-book.ts";
import type { AnsweredQuestion, BookStory } from "../tasks/books/read-story.ts";
import type { BookInput } from "../tasks/define/shared-fields.ts";
import type { ReadingExam } from "../tasks/qa/exam.ts";
import { examTask, writeQuestionsTask } from "../tasks/qa/questions.ts";
import type { WrittenQuestionsReport } from "../tasks/qa/write-questions.ts";
import type { Book } from "../text/book.ts";
import { taskFunction } from "./task-function.ts";
import type {
  AskOptions,
  CheckOptions,
  ExamOptions,
  MapOptions,
  NotesOptions,
  ReadBookOptions,
  StoryOptions,
  WriteQuestionsOptions,
} from "./task-options.ts";

/** Reads a book into clean chapters. */
export const readBook: (source: BookInput, options?: ReadBookOptions) => Promise<Book> = taskFunction(
  readTask,
  (_run, { books: [book], ...options }, { signal }) => openBook(book!, { ...options, signal }),
);

/** Every sentence with the probability that a professional editor would change it, and the likeliest kind of change. */
export const lineNotes: (source: BookInput, options?: NotesOptions) => Promise<NotesOfBook> = taskFunction(notesTask);

/** What can be counted, chapter by chapter, beside published novels. */
export const mapManuscript: (source: BookInput, options?: MapOptions) => Promise<BookMap> = taskFunction(mapTask);

/** The story of a book as a language model reads it: people, chapters, threads, facts, each with its passages. */
export const storyOf: (source: BookInput, options: StoryOptions) => Promise<BookStory> = taskFunction(storyTask);

/** Answers a question about a book with the supporting passages, or says that the book does not answer it. */
export const askBook: (source: BookInput, options: AskOptions) => Promise<AnsweredQuestion> = taskFunction(askTask);

/** Questions about a book with answers and passages that stand in it, checked as LiteraryQA's were. */
export const writeQuestions: (source: BookInput, options: WriteQuestionsOptions) => Promise<WrittenQuestionsReport> =
  taskFunction(writeQuestionsTask);

/** How much reading a book improves a model's answers about it, compared with a summary and with nothing. */
export const examineReading: (source: BookInput, options: ExamOptions) => Promise<ReadingExam> = taskFunction(examTask);

/** What would stop a reader, with the passages that show it: found by code alone, or read by a model as well. */
export const checkBooks: (sources: readonly BookInput[], options?: CheckOptions) => Promise<CheckResult> = taskFunction(
  checkTask,
  async (run) => {
    const { result, plan } = await run();
    // A plan uses placeholders for replies, so what they say about the books means nothing.
    return plan ? { books: [], failed: result.failed, plan } : result;
  },
);
