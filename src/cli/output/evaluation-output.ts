import { basename, dirname, extname, join } from "node:path";
import { writeWholeFile } from "../../core/files.ts";
import { openJsonLines } from "../../core/json-lines.ts";
import { fabulaVersion } from "../../core/version.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { asDocument } from "../../report/documents.ts";
import { evaluationView } from "../../report/evaluation-view.ts";
import { htmlReport } from "../../report/html-report.ts";
import { markdownReport } from "../../report/markdown-report.ts";
import { textTable } from "../../report/report-forms.ts";
import {
  EVALUATION_COLUMNS,
  type EvaluationRow,
  evaluationRows,
  type JUnitCase,
  junitReport,
  rankedBooks,
} from "../../report/tables.ts";
import { terminalReport } from "../../report/terminal-report.ts";
import type { FailedBook } from "../../tasks/books/open-book.ts";
import {
  checkBaseline,
  checkCalibrated,
  checkDrift,
  checkInjection,
  checkLimits,
  earlierOf,
  gapShare,
  gapsInWords,
  hasGaps,
  type Limit,
} from "../../tasks/books/quality-gate.ts";
import { tableEnding, writeTable } from "../../tasks/tables.ts";
import type { ExitCode } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { notesInWords } from "./fault-wording.ts";
import { jsonDocument, writeReport } from "./write-report.ts";

/** Decides whether a build may pass. */
export interface Gate {
  check(evaluation: BookEvaluation): void;
  /** A text of the calibration that was judged again. */
  onPinned(evaluation: BookEvaluation): void;
  onFailed(failed: FailedBook): void;
  /** Reports what failed, writes the JUnit file, and returns whether anything failed. */
  finish(terminal: Terminal): Promise<boolean>;
}

interface GateOptions {
  readonly limits: readonly Limit[];
  readonly baseline: readonly BookEvaluation[];
  readonly failOnInjection: boolean;
  /** Fails a score that is not on people's scale, and a judge that may have drifted. */
  readonly requireCalibration: boolean;
  /** Compares scores directly, ignoring their error. */
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

/** Keeps only what is needed to detect drift, not a thousand evaluations with all their quotations. */
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

/** Drafts of one book share their title, and JUnit readers merge cases with the same name. */
function suiteOf({ title, file }: CheckedBook, all: readonly CheckedBook[]): string {
  return all.filter((book) => book.title === title).length > 1 ? `${title} (${file})` : title;
}

export interface EvaluationOutput {
  show(evaluation: BookEvaluation): Promise<void>;
  /** Remembers a book that could not be judged, to be listed at the end. */
  onFailed(failed: FailedBook): void;
  /** Called after all evaluations were shown; lists what failed and returns the exit code. */
  finish(): Promise<ExitCode>;
  /** Called if not everything was judged; no table is written, because it would be incomplete. */
  abandon(): Promise<void>;
  /** Lists what failed and returns the exit code for it. */
  listFailed(): ExitCode;
}

interface OutputOptions {
  /** The books, if they were named one by one. */
  readonly files: readonly string[];
  readonly out: string | undefined;
  readonly json: boolean;
  readonly several: boolean;
  readonly quiet: boolean;
  /** How much may be unscored, from 0 to 1, before the exit code reports it. */
  readonly tolerated: number;
  readonly gate: Gate;
}

/**
 * Writes evaluations: each is written as soon as it is ready, but a single JSON document and a table wait for all of
 * them.
 */
export function evaluationOutput(options: OutputOptions, terminal: Terminal): EvaluationOutput {
  const { files, out, json, several, quiet, tolerated, gate } = options;
  const kind = out === undefined ? null : tableEnding(out);
  const lines = out !== undefined && kind === "jsonl" ? openJsonLines(out) : null;
  const rows: EvaluationRow[] = [];
  const nameOf = reportNames(files);
  const shown: BookEvaluation[] = [];
  const summaries: BookEvaluation[] = [];
  const reasons = new Map<string, string>();
  const failedBooks = () => files.flatMap((file) => (reasons.has(file) ? [{ file, reason: reasons.get(file)! }] : []));
  let unscored = 0;
  let judged = 0;
  const note = (text: string) => {
    if (!quiet) terminal.note(text);
  };
  const listFailed = (): ExitCode => {
    const failed = failedBooks();
    if (failed.length === 0) return 0;
    terminal.note(`${failed.length} of ${files.length} books could not be judged:`);
    for (const { file, reason } of failed) terminal.note(`  ${file}: ${reason}`);
    return failed.length < files.length ? 3 : 1;
  };
  const write = async (evaluation: BookEvaluation): Promise<void> => {
    if (kind === "csv" || kind === "parquet") rows.push(...evaluationRows(evaluation, fabulaVersion()));
    await lines?.write(asDocument("evaluation", evaluation));
    if (!out || kind !== null) return;
    const path = out.endsWith("/") ? join(out, `${nameOf(evaluation.book.file)}.html`) : out;
    if (path.toLowerCase().endsWith(".docx")) {
      const { writeNotesDocx } = await import("../../tasks/books/line-notes.ts");
      note(notesInWords(await writeNotesDocx(evaluation, path), path));
      return;
    }
    const view = evaluationView(evaluation);
    await writeReport(path, {
      html: () => htmlReport(view),
      md: () => markdownReport(view),
      json: () => `${oneOrMany([evaluation], false, [])}\n`,
    });
    if (!json) note(`The report is in ${path}.`);
  };
  return {
    async show(evaluation) {
      terminal.endProgress();
      judged += 1;
      unscored += gapShare(evaluation);
      gate.check(evaluation);
      if (json) shown.push(evaluation);
      summaries.push(withoutDetails(evaluation));
      if (!json && !quiet && !several)
        terminal.print(
          terminalReport(evaluationView(evaluation), { colours: terminal.colours, width: terminal.width }),
        );
      await write(evaluation);
    },
    onFailed({ file, reason }) {
      reasons.set(file, reason);
      gate.onFailed({ file, reason });
    },
    async finish() {
      await lines?.finish();
      if (out !== undefined && (kind === "csv" || kind === "parquet")) await writeTable(out, EVALUATION_COLUMNS, rows);
      if (out !== undefined && kind !== null && !json)
        note(`${judged === 1 ? "The scores are" : `${judged} books are`} in ${out}.`);
      const failed = failedBooks();
      if (json) terminal.print(oneOrMany(shown, several, failed));
      else if (several && !quiet && summaries.length > 0) {
        const { headings, rows: ranked } = rankedBooks(summaries);
        terminal.print(textTable(headings, ranked));
      }
      const broken = await gate.finish(terminal);
      const missing = listFailed();
      const gaps = summaries.filter(hasGaps);
      if (gaps.length > 0) terminal.note(gapsInWords(gaps));
      if (broken) return 1;
      if (missing === 1) return 1;
      const share = (unscored + failed.length) / Math.max(1, judged + failed.length);
      return (missing === 3 || gaps.length > 0) && share > tolerated ? 3 : 0;
    },
    abandon: async () => lines?.abandon(),
    listFailed,
  };
}

/**
 * The result has the same shape for one book and for many. The fields of a single evaluation are also at the top
 * level, so that a script for one book need not look into a list.
 */
function oneOrMany(evaluations: readonly BookEvaluation[], several: boolean, failed: readonly FailedBook[]): string {
  const [only] = evaluations;
  return jsonDocument("evaluations", {
    evaluations,
    ...(failed.length > 0 && { failed }),
    ...(!several && only),
  });
}

/** Keeps only what the final table needs, not a thousand evaluations with all their quotations. */
function withoutDetails(evaluation: BookEvaluation): BookEvaluation {
  const { letter: _letter, map: _map, lineNotes: _notes, panel: _panel, changes: _changes, ...rest } = evaluation;
  return { ...rest, overallCourse: [], aspects: rest.aspects.map((aspect) => ({ ...aspect, ...NO_DETAILS })) };
}

const NO_DETAILS = { strengths: [], weaknesses: [], evidence: [], course: [] };

/** Gives each file a report name without an extension: readable, and unique even where case is ignored. */
export function reportNames(files: readonly string[]): (file: string) => string {
  const chosen = new Map(files.map((file) => [file, readableName(file, files)]));
  const used = new Set<string>();
  return (file) => {
    const name = chosen.get(file) ?? stem(file);
    const isFree = (candidate: string) => !used.has(candidate.toLowerCase());
    let unique = name;
    for (let times = 2; !isFree(unique); times++) unique = `${name}-${times}`;
    used.add(unique.toLowerCase());
    return unique;
  };
}

/** The file's own name; its folders, and finally its extension, are added only if another file makes this necessary. */
function readableName(file: string, files: readonly string[]): string {
  const others = files.filter((other) => other !== file);
  const candidates = [stem, ...foldersOf(file).map((_, depth) => withFolders(depth + 1)), wholeName];
  const free = candidates.find((nameOf) => {
    const name = nameOf(file).toLowerCase();
    return others.every((other) => nameOf(other).toLowerCase() !== name);
  });
  return (free ?? wholeName)(file);
}

function stem(file: string): string {
  return basename(file, extname(file));
}

function foldersOf(file: string): string[] {
  return dirname(file)
    .split(/[\\/]+/)
    .filter((folder) => folder !== "" && folder !== "." && folder !== "..");
}

function withFolders(depth: number): (file: string) => string {
  return (file) => [...foldersOf(file).slice(-depth), stem(file)].join("-");
}

function wholeName(file: string): string {
  return [...foldersOf(file), basename(file)].join("-");
}
