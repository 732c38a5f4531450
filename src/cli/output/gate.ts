import { writeWholeFile } from "../../core/files/write-whole-file.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { type JUnitCase, junitReport } from "../../report/tables/junit.ts";
import type { FailedBook } from "../../workflows/books/failed-book.ts";
import { hasGaps } from "../../workflows/books/gaps.ts";
import { checkBaseline, checkInjection, checkLimits, type Limit } from "../../workflows/books/quality-gate.ts";
import type { Terminal } from "../terminal.ts";

/** Decides whether a build may pass. */
export interface Gate {
  check(evaluation: BookEvaluation): void;
  onFailed(failed: FailedBook): void;
  /** Says what failed, writes the JUnit file, and returns whether anything failed. */
  finish(terminal: Terminal): Promise<boolean>;
}

interface GateOptions {
  readonly limits: readonly Limit[];
  readonly baseline: readonly BookEvaluation[];
  readonly failOnInjection: boolean;
  readonly junit: string | undefined;
}

export function openGate({ limits, baseline, failOnInjection, junit }: GateOptions): Gate {
  const cases: JUnitCase[] = [];
  const broken: string[] = [];
  return {
    check(evaluation) {
      const suite = evaluation.book.title;
      cases.push({ suite, name: "is scored", failure: hasGaps(evaluation) ? "something is unscored" : null });
      const checks = [
        ...checkLimits(evaluation, limits),
        ...checkBaseline(evaluation, baseline),
        ...(failOnInjection ? [checkInjection(evaluation)] : []),
      ];
      for (const { name, failure } of checks) {
        cases.push({ suite, name, failure });
        if (failure !== null) broken.push(`${suite}: ${failure}`);
      }
    },
    onFailed({ file, reason }) {
      cases.push({ suite: file, name: "is scored", failure: reason, isError: true });
    },
    async finish(terminal) {
      if (junit !== undefined) await writeWholeFile(junit, junitReport(cases));
      for (const line of broken) terminal.note(`Failed: ${line}.`);
      return broken.length > 0;
    },
  };
}
