import { writeWholeFile } from "../../core/files/write-whole-file.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { type JUnitCase, junitReport } from "../../report/tables/junit.ts";
import type { FailedBook } from "../../workflows/books/failed-book.ts";
import { hasGaps } from "../../workflows/books/gaps.ts";
import {
  checkBaseline,
  checkCalibrated,
  checkDrift,
  checkInjection,
  checkLimits,
  earlierOf,
  type Limit,
} from "../../workflows/books/quality-gate.ts";
import type { Terminal } from "../terminal.ts";

/** Decides whether a build may pass. */
export interface Gate {
  check(evaluation: BookEvaluation): void;
  /** A text of the calibration that was judged again. */
  onPinned(evaluation: BookEvaluation): void;
  onFailed(failed: FailedBook): void;
  /** Says what failed, writes the JUnit file, and returns whether anything failed. */
  finish(terminal: Terminal): Promise<boolean>;
}

interface GateOptions {
  readonly limits: readonly Limit[];
  readonly baseline: readonly BookEvaluation[];
  readonly failOnInjection: boolean;
  /** A score that is not on people's scale, or a judge that may have drifted since, does not pass. */
  readonly requireCalibration: boolean;
  /** Scores are taken as they are, whatever their error. */
  readonly strict: boolean;
  readonly junit: string | undefined;
}

export function openGate({ limits, baseline, failOnInjection, requireCalibration, strict, junit }: GateOptions): Gate {
  const checked: CheckedBook[] = [];
  const unread: JUnitCase[] = [];
  const calibrated: BookEvaluation[] = [];
  const pinned: BookEvaluation[] = [];
  let hasEarlier = false;
  return {
    check(evaluation) {
      const { title, file } = evaluation.book;
      const checks = [
        ...checkLimits(evaluation, limits, strict),
        ...checkBaseline(evaluation, baseline, strict),
        ...(failOnInjection ? [checkInjection(evaluation)] : []),
        ...(requireCalibration ? [checkCalibrated(evaluation)] : []),
      ];
      const gap = hasGaps(evaluation) ? "something is unscored" : null;
      const isScored = { name: "is scored", failure: gap, undecided: null };
      checked.push({ title, file, isScored, checks });
      if (evaluation.people) calibrated.push(withoutText(evaluation));
      hasEarlier ||= earlierOf(evaluation, baseline) !== undefined;
    },
    onPinned(evaluation) {
      pinned.push(withoutText(evaluation));
    },
    onFailed({ file, reason }) {
      unread.push({ suite: file, name: "is scored", failure: reason, undecided: null, isError: true });
    },
    async finish(terminal) {
      const drift = checkDrift(pinned.length > 0 ? pinned : calibrated, requireCalibration);
      const books = [
        ...checked.map((book) => ({ ...book, suite: suiteOf(book, checked) })),
        ...(drift ? [{ suite: "calibration", isScored: null, checks: [drift] }] : []),
      ];
      if (junit !== undefined) {
        const cases = books.flatMap(({ suite, isScored, checks }) =>
          [...(isScored ? [isScored] : []), ...checks].map((check) => ({ suite, ...check })),
        );
        await writeWholeFile(junit, junitReport([...cases, ...unread]));
      }
      const broken = books.flatMap(({ suite, checks }) =>
        checks.flatMap(({ failure }) => (failure === null ? [] : [`${suite}: ${failure}`])),
      );
      const open = books.flatMap(({ suite, checks }) =>
        checks.flatMap(({ undecided }) => (undecided === null ? [] : [`${suite}: ${undecided}`])),
      );
      for (const line of broken) terminal.note(`Failed: ${line}.`);
      for (const line of open) terminal.note(`Cannot be told: ${line}.`);
      const made = books.flatMap(({ checks }) => checks).length;
      if (open.length > 0) {
        const passed = made - broken.length - open.length;
        terminal.note(
          `Of ${made} checks, ${broken.length} failed, ${passed} passed, and ${open.length} cannot be told.`,
        );
      }
      if (baseline.length > 0 && checked.length > 0 && !hasEarlier)
        terminal.note("Nothing was compared with --baseline: it holds none of these books.");
      return broken.length > 0;
    },
  };
}

/** What drift is seen by: a thousand evaluations with all their quotations are not kept. */
function withoutText({ letter: _letter, map: _map, lineNotes: _notes, ...rest }: BookEvaluation): BookEvaluation {
  return { ...rest, aspects: [], overallCourse: [] };
}

interface CheckedBook {
  readonly title: string;
  readonly file: string;
  readonly isScored: Check;
  readonly checks: readonly Check[];
}

type Check = Pick<JUnitCase, "name" | "failure" | "undecided">;

/** Drafts of one book share their title, and what reads JUnit takes two cases of one name for one. */
function suiteOf({ title, file }: CheckedBook, all: readonly CheckedBook[]): string {
  return all.filter((book) => book.title === title).length > 1 ? `${title} (${file})` : title;
}
