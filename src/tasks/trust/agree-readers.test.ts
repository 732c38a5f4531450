import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { sampleEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { scored, unscored } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { readerTables, sectionedReaderAgreement } from "../../report/agreement/reader-agreement.ts";
import { reportHtml, reportMarkdown, reportText } from "../../report/report-forms.ts";
import { readEvaluations } from "../books/read-evaluations.ts";
import { agreeWithReaders } from "./agree-readers.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-readers-"));
afterAll(() => rmSync(folder, { recursive: true }));

const ratings = [3.1, 4.2, 3.8, 2.9, 4.6, 3.3, 4.0, 3.5];
const ratingsFile = join(folder, "ratings.csv");
writeFileSync(
  ratingsFile,
  ["title,average_rating", ...ratings.map((rating, i) => `"Book, the ${i}th!",${rating}`)].join("\n"),
);

function evaluation(judge: string, book: number, overall: number | null): BookEvaluation {
  const sample = sampleEvaluation();
  const verdict = overall === null ? unscored("refused") : scored(overall);
  return {
    ...sample,
    judge,
    book: { ...sample.book, title: `book the ${book}TH`, file: `files/${book}.epub` },
    overall: verdict,
    aspects: sample.aspects.map((aspect) => ({ ...aspect, verdict })),
  };
}

const exact = ratings.map((rating, i) => evaluation("exact", i, rating * 20));
const noisy = ratings.map((rating, i) => evaluation("noisy", i, i === 2 ? null : rating + (i % 3)));
const request = { ratings: ratingsFile, human: "average_rating", resamples: 200, seed: 1, onProgress: () => {} };

describe("agreement with readers", () => {
  it("gives each judge and method a row, overall and by aspect, and counts what was unscored", async () => {
    const stranger = { ...exact[0]!, book: { ...exact[0]!.book, title: "Elsewhere", file: "elsewhere.txt" } };
    const report = await agreeWithReaders({ ...request, evaluations: [...exact, ...noisy, stranger] });
    expect(report.rows.map(({ judge, books }) => [judge, books])).toEqual([
      ["exact", 8],
      ["noisy", 8],
    ]);
    expect(report.rows[0]!.overall).toMatchObject({ n: 8, missing: 0, kendall: { value: 1 } });
    expect(report.rows[1]!.overall).toMatchObject({ n: 7, missing: 1 });
    expect(report.rows[0]!.aspects[0]!.kendall.value).toBe(1);
    expect(report.unmatched).toEqual(["Elsewhere"]);
    expect(report.comparisons[0]).toMatchObject({ n: 7 });
    expect(readerTables(report)[0]!.rows[0]!.at(-1)).toBe("100.0");
    const sectioned = sectionedReaderAgreement(report);
    for (const text of [await reportHtml(sectioned), reportMarkdown(sectioned), reportText(sectioned)]) {
      expect(text).toContain("unscored on some books: overall 1");
      expect(text).not.toMatch(/NaN|null/);
    }
  });

  it("finds books by the names of their files when the table has an id", async () => {
    const byId = join(folder, "by-id.csv");
    writeFileSync(byId, ["id,average_rating", ...ratings.map((rating, i) => `${i},${rating}`)].join("\n"));
    const report = await agreeWithReaders({ ...request, ratings: byId, evaluations: exact });
    expect(report.rows[0]!.books).toBe(8);
  });

  it("says what to do when nothing matches", async () => {
    const other = join(folder, "other.csv");
    writeFileSync(other, "name,average_rating\nX,3\n");
    await expect(agreeWithReaders({ ...request, ratings: other, evaluations: exact })).rejects.toThrow(/--book/);
    await expect(agreeWithReaders({ ...request, ratings: other, book: "name", evaluations: exact })).rejects.toThrow(
      /No evaluated book is named/,
    );
  });
});

describe("reading evaluations", () => {
  it("takes a file of one, of several, JSONL, or a folder", async () => {
    const place = join(folder, "written");
    mkdirSync(place);
    writeFileSync(join(place, "one.json"), JSON.stringify(exact[0]));
    writeFileSync(join(place, "several.json"), JSON.stringify(exact.slice(1, 3)));
    writeFileSync(
      join(place, "lines.jsonl"),
      exact
        .slice(3)
        .map((line) => JSON.stringify(line))
        .join("\n"),
    );
    expect(await readEvaluations(join(place, "one.json"))).toHaveLength(1);
    expect(await readEvaluations(place)).toHaveLength(8);
  });

  it("refuses what is no evaluation", async () => {
    const wrong = join(folder, "wrong.json");
    writeFileSync(wrong, '{"book":1}');
    await expect(readEvaluations(wrong)).rejects.toThrow(/is not an evaluation/);
    await expect(readEvaluations(join(folder, "nowhere"))).rejects.toThrow(/no such file or folder/);
  });
});
