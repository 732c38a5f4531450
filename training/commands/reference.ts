import { writeFile } from "node:fs/promises";
import { defineCommand } from "../../src/cli/command.ts";
import { FabulaError } from "../../src/core/errors.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { isScored, type Verdict } from "../../src/core/verdict.ts";
import { aspectVerdicts, loadAspectMap } from "../../src/jury/aspects.ts";
import { loadGrader } from "../../src/jury/grader.ts";
import type { ReferenceBook, ReferenceFile } from "../../src/jury/reference.ts";
import { readBook } from "../../src/text/read-book.ts";

export default defineCommand({
  summary: "Score novels with the grader as the population that percentiles refer to; keeps scores, never texts",
  operands: "FILE...",
  flags: {
    out: { type: "string", value: "FILE", help: "the population's file" },
    id: { type: "string", value: "ID", help: "its name", default: "english-public-domain" },
    description: {
      type: "string",
      value: "TEXT",
      help: "its description in reports",
      default: "published novels in English, in the public domain, from Standard Ebooks",
    },
  },
  examples: ["npm run train -- reference --out english-public-domain.json novels/*.epub"],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0)
      throw new FabulaError("E_USAGE", "Name the novels: `npm run train -- reference FILE...`.");
    const { reference, skipped } = await buildReference({
      files: operands,
      id: flags.id,
      description: flags.description,
      onProgress: terminal.progress,
      signal,
    });
    terminal.endProgress();
    for (const { file, reason } of skipped) terminal.note(`${file}: left out, ${reason}`);
    const text = `${JSON.stringify(reference, null, 1)}\n`;
    if (flags.out !== undefined) await writeFile(flags.out, text);
    if (flags.json || flags.out === undefined) terminal.print(text);
    else terminal.print(`${reference.books.length} novels scored: ${flags.out}`);
    return skipped.length > 0 ? 3 : 0;
  },
});

interface ReferenceRequest {
  readonly files: readonly string[];
  readonly id: string;
  readonly description: string;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** Scores novels with the grader as `fabula evaluate` does, and keeps title, author and scores. */
async function buildReference(
  request: ReferenceRequest,
): Promise<{ reference: ReferenceFile; skipped: { file: string; reason: string }[] }> {
  const judge = await loadGrader();
  const map = await loadAspectMap();
  const books: ReferenceBook[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const [done, file] of request.files.entries()) {
    request.signal.throwIfAborted();
    request.onProgress({ stage: "Scoring novels", done, total: request.files.length });
    const book = await readBook(file);
    const chapters = book.chapters.map((chapter) => {
      const verdicts = judge.score(chapter.text);
      return { ...verdicts, aspects: aspectVerdicts(judge, map, verdicts) };
    });
    const meanOf = (pick: (chapter: (typeof chapters)[number]) => Verdict | undefined) =>
      wordMean(chapters.map((chapter) => ({ verdict: pick(chapter), words: chapter.words })));
    const overall = meanOf((chapter) => chapter.overall);
    if (overall === null) {
      const first = chapters[0]?.overall;
      skipped.push({ file, reason: first?.kind === "unscored" ? first.reason : "it has no chapters" });
      continue;
    }
    books.push({
      title: book.title,
      author: book.author,
      words: book.words,
      overall,
      criteria: means(
        judge.criteria.map(({ id }) => id),
        (id) => meanOf(({ criteria }) => criteria[id]),
      ),
      aspects: means(Object.keys(map.aspects), (id) => meanOf(({ aspects }) => aspects[id])),
    });
  }
  const { id, description } = request;
  return { reference: { id, description, judgeVersion: judge.version, books }, skipped };
}

/** The mean of the chapters that have a score, by their words; null when none has. */
function wordMean(chapters: readonly { verdict: Verdict | undefined; words: number }[]): number | null {
  let sum = 0;
  let words = 0;
  for (const chapter of chapters) {
    if (!chapter.verdict || !isScored(chapter.verdict)) continue;
    sum += chapter.verdict.score * chapter.words;
    words += chapter.words;
  }
  return words === 0 ? null : rounded(sum / words);
}

function means(ids: readonly string[], mean: (id: string) => number | null): Record<string, number> {
  return Object.fromEntries(
    ids.flatMap((id) => {
      const value = mean(id);
      return value === null ? [] : [[id, value]];
    }),
  );
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000;
}
