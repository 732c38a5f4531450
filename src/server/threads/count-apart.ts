import { Worker } from "node:worker_threads";
import { builtPath, isBuilt } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import type { CountableBook, CountedBook } from "../../prose/count-book.ts";
import type { CountAnswer, CountRequest } from "./count-thread.ts";

/** Words. A shorter book is counted before a thread would have started. */
const WORTH_A_THREAD = 20_000;

let thread: Worker | null = null;
let requests = 0;

/** Starts the thread that counts, so that it is there when a book comes. Threads run compiled code only. */
export function startCounting(): void {
  if (isBuilt()) readyThread();
}

/** Counts a long book in another thread, while this one judges it. Null where it is better counted here. */
export function countApart(
  book: CountableBook & { readonly words: number },
  fewestWords = WORTH_A_THREAD,
): Promise<CountedBook> | null {
  if (!isBuilt() || book.words < fewestWords) return null;
  const { chapters, language, characterCorrections } = book;
  const counter = readyThread();
  const id = requests++;
  // If the other thread fails, the book is counted here, and an error appears here.
  const counting = answerOf(counter, id).catch(async () => {
    const { countBook } = await import("../../prose/count-book.ts");
    return countBook(book);
  });
  const request = { id, book: { chapters, language, ...(characterCorrections && { characterCorrections }) } };
  counter.postMessage(request satisfies CountRequest);
  // After an interruption nobody awaits this.
  counting.catch(() => {});
  return counting;
}

function readyThread(): Worker {
  if (thread) return thread;
  const started = new Worker(builtPath("threads", "count-thread.js"));
  // It ends with the process, which it does not keep from ending.
  started.unref();
  // Pending requests listen for errors themselves. If an idle thread fails, nothing else does, and another is started when needed.
  started.on("error", () => {});
  started.once("exit", () => {
    if (thread === started) thread = null;
  });
  thread = started;
  return started;
}

function answerOf(counter: Worker, id: number): Promise<CountedBook> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      counter.off("message", onAnswer);
      counter.off("error", onError);
      counter.off("exit", onExit);
    };
    const onAnswer = (answer: CountAnswer) => {
      if (answer.id !== id) return;
      settle();
      if ("counted" in answer) resolve(answer.counted);
      else reject(new FabulaError("E_UNEXPECTED", answer.failed));
    };
    const onError = (cause: unknown) => {
      settle();
      reject(new FabulaError("E_UNEXPECTED", "The book could not be counted: try again.", { cause }));
    };
    const onExit = () => onError(null);
    counter.on("message", onAnswer);
    counter.on("error", onError);
    counter.on("exit", onExit);
  });
}
