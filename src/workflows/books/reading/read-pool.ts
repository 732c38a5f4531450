import { Worker } from "node:worker_threads";
import { builtPath, isBuilt } from "../../../core/assets.ts";
import { FabulaError } from "../../../core/errors.ts";
import type { BookSummary } from "../../../text/book-summary.ts";
import type { ReadOptions } from "../../../text/read-book.ts";
import type { ReadAnswer, ReadQuestion } from "./read-worker.ts";

export interface ReadPool {
  readonly size: number;
  read(file: string, options: ReadOptions): Promise<BookSummary>;
  close(): Promise<void>;
}

/** Threads run compiled code only: from the sources (tests) everything is read in one thread. */
export function canUseReadWorkers(): boolean {
  return isBuilt();
}

/** A few threads that each read one book at a time. */
export function startReadWorkers(size: number): ReadPool {
  const idle = Array.from({ length: size }, () => new Worker(builtPath("threads", "read-worker.js")));
  const all = [...idle];
  return {
    size,
    async read(file, { metadata, format }) {
      const worker = idle.pop();
      if (!worker) throw new Error("more books at once than threads");
      const question: ReadQuestion = { file, options: { ...(metadata && { metadata }), ...(format && { format }) } };
      try {
        const answer = await ask(worker, question);
        if (answer.kind === "failed") throw new FabulaError(answer.code, answer.message);
        return answer.summary;
      } finally {
        idle.push(worker);
      }
    },
    async close() {
      await Promise.all(all.map((worker) => worker.terminate()));
    },
  };
}

function ask(worker: Worker, question: ReadQuestion): Promise<ReadAnswer> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      worker.off("message", onMessage);
      worker.off("error", onError);
    };
    const onMessage = (answer: ReadAnswer) => {
      settle();
      resolve(answer);
    };
    const onError = (error: Error) => {
      settle();
      reject(error);
    };
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.postMessage(question);
  });
}
