import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CellDetails } from "../../../src/api/cells.ts";
import type { ComparisonView } from "../../../src/api/comparisons.ts";
import type { GridLine, GridPage } from "../../../src/api/grid.ts";
import type { BookLetter } from "../../../src/api/letters.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Finding } from "../../../src/core/finding.ts";
import { readCsv } from "../../../src/core/table/csv-table.ts";
import { HUNDRED, isScored, rescaleVerdict, scored } from "../../../src/core/verdict.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../../src/judge/evaluation.ts";
import { combinePanel } from "../../../src/judge/panel.ts";
import { loadGraderReference } from "../../../src/jury/reference.ts";
import { EVALUATION_COLUMNS, evaluationRows } from "../../../src/report/tables.ts";
import { EvaluationFiles } from "../../../src/server/library/evaluation-files.ts";
import { empiricalDistribution } from "../../../src/stats/distribution.ts";
import { evaluateWithJury } from "../../../src/tasks/books/evaluate-book.ts";
import { writeTable } from "../../../src/tasks/tables.ts";
import { parseBookBytes } from "../../../src/text/parse-book.ts";
import { sampleEvaluation, sampleJuryEvaluation } from "../../fixtures/sample-evaluation.ts";
import { writeBenchFolder } from "../../support/bench-folder.ts";
import { addBook, addStory, judgeWithJury } from "../../support/library-requests.ts";
import { draftOf } from "../../support/stories.ts";
import { type Served, serveFabula } from "../serve-fabula.ts";

const WRITERS = { one: 3.7, another: 2.4, third: 3.1 };
const hundred = { minimum: 0, maximum: 100 };
let folder: string;
let server: Served;
const shelved: Record<string, { id: string; evaluation: BookEvaluation }> = {};

/** A made library: a judge with a population, a model on another scale, a panel and the jury, and a benchmark. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-numbers-"));
  const bench = join(folder, "bench");
  await writeBenchFolder(bench, WRITERS);
  const words = ["--library", join(folder, "library"), "--bench", bench];
  server = await serveFabula(folder, words);
  const { id: bookId } = await addStory(server);
  await server.stop("SIGINT");
  const files = await EvaluationFiles.open(join(folder, "library", "evaluations"), systemClock);
  for (const [name, evaluation] of Object.entries(await evaluations())) {
    shelved[name] = { id: (await files.add(bookId, evaluation)).id, evaluation };
  }
  server = await serveFabula(folder, words);
});
afterAll(async () => {
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

async function evaluations(): Promise<Record<string, BookEvaluation>> {
  const { id, description, overall: scores } = await loadGraderReference();
  const overall = scored(11.03, [10.2, 12.7]);
  const percentile = empiricalDistribution(scores).percentile(11.03);
  const model = (judge: string, plus: number) =>
    sampleEvaluation({
      judge,
      scale: hundred,
      overall: scored(61.28 + plus),
      population: null,
      overallPercentile: null,
      aspects: sampleEvaluation().aspects.map((aspect, at) => ({
        ...aspect,
        percentile: null,
        verdict: isScored(aspect.verdict) ? scored(40.16 + 9 * at + plus, [39 + at, 99]) : aspect.verdict,
      })),
    });
  return {
    placed: sampleEvaluation({
      judge: "openai:gpt-4.1-mini",
      overall,
      overallPercentile: percentile,
      population: { id, description, size: scores.length, overall: [...scores] },
    }),
    model: model("openai:gpt-4.1", 0),
    panel: combinePanel([model("one", 3.3), model("two", -8.7)]),
    jury: sampleJuryEvaluation(),
  };
}

async function gridLines(): Promise<GridPage & { lines: readonly GridLine[] }> {
  const page = await server.json<GridPage>("/api/grid?limit=400");
  return { ...page, lines: page.rows.filter((row): row is GridLine => row.kind === "line") };
}

describe("one score has one number", () => {
  it.each(["placed", "model", "panel", "jury"])("in the report, the grid, its cell, CSV and JSON: %s", async (name) => {
    const { id, evaluation } = shelved[name]!;
    const exported = async (format: string) =>
      (await server.get(`/api/evaluations/${id}/export?format=${format}`)).text();
    const json = bookEvaluationSchema.parse(JSON.parse(await exported("json")));
    const [markdown, html] = [await exported("markdown"), await exported("html")];
    const file = join(folder, `${name}.csv`);
    await writeTable(file, EVALUATION_COLUMNS, evaluationRows(json, "1"));
    const { rows } = await readCsv(file);
    const csv = (aspect: string, column: string) => rows.find((row) => row.aspect === aspect)?.[column];
    const { lines, columns } = await gridLines();
    const own = lines.filter(({ evaluationId }) => evaluationId === id);
    const members = json.panel?.judges ?? json.jury?.jurors ?? [json];
    expect(own).toHaveLength(members.length);
    let compared = 0;
    for (const line of own) {
      const member = json.panel?.judges[line.member];
      const juror = json.jury?.jurors[line.member];
      for (const [at, { id: aspect }] of columns.entries()) {
        const cell = line.cells[at];
        if (!cell) continue;
        const details = await server.json<CellDetails>(`/api/cells/${id}/${line.member}/${aspect}`);
        const said = json.aspects.find((candidate) => candidate.id === aspect)?.verdict;
        const whole = juror?.overall ?? member?.overall ?? json.overall;
        const verdict = aspect === "overall" ? whole : (member?.aspects[aspect] ?? said)!;
        const scale = juror?.scale ?? json.scale;
        expect(details.given).toEqual({ verdict, scale });
        expect(details.verdict).toEqual(cell.verdict);
        expect(cell.verdict).toEqual(rescaleVerdict(verdict, scale, HUNDRED));
        if (!isScored(verdict)) continue;
        compared += 1;
        // Aspects of one judge of a panel stand in the HTML report alone.
        const reports = member && aspect !== "overall" ? [html] : [markdown, html];
        for (const text of reports) expect(text).toContain(verdict.score.toFixed(1));
        if (member) continue;
        const row = juror && aspect === "overall" ? juror.id : aspect;
        expect([csv(row, "score"), csv(row, "minimum"), csv(row, "maximum")].map(Number)).toEqual([
          ...[verdict.score, scale.minimum, scale.maximum],
        ]);
      }
    }
    expect(compared).toBeGreaterThanOrEqual(3);
    expect(json).toEqual(bookEvaluationSchema.parse(JSON.parse(JSON.stringify({ ...evaluation, book: json.book }))));
  });

  it("is compared in points of the scale that is shown, whichever two are compared", async () => {
    const [left, right] = [shelved.placed!, shelved.model!];
    const view = await server.json<ComparisonView>(`/api/comparisons?left=${left.id}&right=${right.id}`);
    const { lines, columns } = await gridLines();
    const cellOf = (id: string, column: string) =>
      lines.find(({ evaluationId }) => evaluationId === id)!.cells[columns.findIndex(({ id }) => id === column)]!;
    expect(view.scale).toEqual(hundred);
    for (const row of view.rows) {
      expect([row.left, row.right]).toEqual([cellOf(left.id, row.id).verdict, cellOf(right.id, row.id).verdict]);
      if (isScored(row.left) && isScored(row.right)) expect(row.difference).toBe(row.right.score - row.left.score);
    }
  });
});

describe("one book has one percentile", () => {
  it("in its report and in its cell of the grid", async () => {
    const { evaluation, id } = shelved.placed!;
    const report = await (await server.get(`/api/evaluations/${id}/export?format=markdown`)).text();
    const [, shown] = /at the (\d+)\w\w percentile of/.exec(report)!;
    expect(Number(shown)).toBe(Math.round(evaluation.overallPercentile!));
    const cell = await server.json<CellDetails>(`/api/cells/${id}/0/overall`);
    expect(cell.percentile?.value).toBe(evaluation.overallPercentile);
  });
});

it("finds the same in a long book, which is counted in another thread while it is judged", async () => {
  const again = ["", "again", "once more"].map((title) => draftOf(`A Long Book ${title}`, 40));
  const text = again.join("\n\n").replaceAll(/\n---\n(?:title: .*\n---\n)?/g, "\n");
  const { id, words } = await addBook(server, "long.md", text);
  expect(words).toBeGreaterThan(20_000);
  const { evaluationId } = await judgeWithJury(server, id);
  const { letter } = await server.json<BookLetter>(`/api/books/${id}/letter`);
  expect(letter?.evaluation.id).toBe(evaluationId);
  const here = await evaluateWithJury(await parseBookBytes(Buffer.from(text), "long.md", {}));
  const told = (findings: readonly Finding[]) => findings.map(({ id, title, passages }) => ({ id, title, passages }));
  expect(told(letter!.findings)).toEqual(told(here.letter!.findings));
  expect(letter!.findings.length).toBeGreaterThan(0);
});
