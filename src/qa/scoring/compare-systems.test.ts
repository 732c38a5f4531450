import { describe, expect, it } from "vitest";
import { seededRandom } from "../../core/random.ts";
import { answerSheet, type ScoredFile } from "./answer-sheet.ts";
import { compareSystems } from "./compare-systems.ts";
import { predictionSchema } from "./prediction.ts";

const BOOKS = 40;
const PER_BOOK = 10;

/** Systems whose scores rise and fall with the book; `edge` is how much better each is than the first. */
function files(edges: readonly number[], seed = 3): ScoredFile[] {
  const random = seededRandom(seed);
  const books = Array.from({ length: BOOKS }, () => random());
  return edges.map((edge, system) => {
    const rows = books.flatMap((ease, book) =>
      Array.from({ length: PER_BOOK }, (_, question) => ({
        score: 2 * ease + edge + 0.3 * random(),
        row: predictionSchema.parse({
          document_id: `book-${book}`,
          question: `Question ${question}?`,
          prediction: "an answer",
          answers: ["a reference"],
          model: `system-${system}`,
        }),
      })),
    );
    return {
      name: `file-${system}`,
      predictions: rows.map(({ row }) => row),
      items: rows.map(({ score }) => ({ kind: "scored" as const, scores: { m: score } })),
    };
  });
}
const compare = (given: readonly ScoredFile[]) =>
  compareSystems(
    answerSheet(given, ({ document_id }) => document_id ?? null),
    { seed: 1 },
  );

describe("systems compared on the same questions", () => {
  it("tells a steady edge apart although the intervals of the means overlap widely", () => {
    const { systems, differences, over, books } = compare(files([0, 0.1]));
    expect({ over, books }).toEqual({ over: "books", books: BOOKS });
    const [first, second] = systems.map(({ metrics }) => metrics.m!.interval!);
    expect(first![1]).toBeGreaterThan(second![0]);
    expect(differences).toHaveLength(1);
    expect(differences[0]!.p).toBeLessThan(0.01);
    expect(differences[0]!.interval![1]).toBeLessThan(0);
  });

  it("draws books: intervals are far wider than if a book's questions were independent", () => {
    const given = files([0]);
    const width = ({ systems }: ReturnType<typeof compare>) => {
      const [low, high] = systems[0]!.metrics.m!.interval!;
      return high - low;
    };
    const asQuestions = compareSystems(
      answerSheet(given, () => null),
      { seed: 1 },
    );
    expect(asQuestions.over).toBe("questions");
    expect(width(compare(given))).toBeGreaterThan(2 * width(asQuestions));
  });

  it("finds no difference between equal systems more often than it should", () => {
    const found = Array.from({ length: 60 }, (_, seed) => compare(files([0, 0], seed)).differences[0]!.p < 0.05);
    expect(found.filter(Boolean).length).toBeLessThanOrEqual(8);
  });

  it("never leaves zero in the interval of two systems that the test tells apart, nor out where it does not", () => {
    const found = Array.from({ length: 60 }, (_, seed) => compare(files([0, 0.01], seed)).differences[0]!);
    const isSure = found.map(({ p }) => p < 0.05);
    expect(found.map(({ interval }) => interval![0] > 0 || interval![1] < 0)).toEqual(isSure);
    expect(new Set(isSure).size).toBe(2);
  });

  it("compares two systems on the questions that both answered, and counts them", () => {
    const [left, right] = files([0, 0]);
    const items = right!.items.map((item, at) => (at < 100 ? { kind: "unscored" as const, reason: "cut off" } : item));
    const predictions = right!.predictions.map((row, at) => (at < 100 ? { ...row, prediction: null } : row));
    const { systems, differences } = compare([left!, { ...right!, items, predictions }]);
    expect(systems[1]).toMatchObject({ questions: 400, unanswered: 100, metrics: { m: { n: 300 } } });
    expect(differences[0]!.n).toBe(300);
  });

  it("claims no certainty from three questions, however clear they look", () => {
    const rows = (model: string, score: number): ScoredFile => ({
      name: model,
      predictions: ["a", "b", "c"].map((question) =>
        predictionSchema.parse({ question, prediction: "x", answers: ["y"], model }),
      ),
      items: [0, 1, 2].map(() => ({ kind: "scored" as const, scores: { m: score } })),
    });
    const { systems, differences } = compare([rows("always-right", 1), rows("always-wrong", 0)]);
    expect(systems.map(({ metrics }) => metrics.m!.interval)).toEqual([null, null]);
    expect(differences[0]).toMatchObject({ difference: 1, interval: null, p: 0.25 });
  });

  it("rests a difference on the books that both answered about, not on all books of the table", () => {
    const [left, right] = files([0, 0.05]);
    // The second system answered only about the first two books.
    const shared = { predictions: right!.predictions.slice(0, 20), items: right!.items.slice(0, 20) };
    const [difference] = compare([left!, { ...right!, ...shared }]).differences;
    expect(difference).toMatchObject({ n: 20, interval: null });
    expect(difference!.p).toBeGreaterThan(0.01);
  });

  it("gives the interval and the p of a paired t-test on eight questions of one book, whatever else was asked", () => {
    const grades = { left: [5, 5, 4, 5, 1, 5, 5, 3], right: [1, 2, 4, 1, 2, 5, 1, 1] };
    const file = (model: "left" | "right", extra: readonly number[]): ScoredFile => {
      const given = [...grades[model], ...extra];
      return {
        name: model,
        predictions: given.map((_, at) =>
          predictionSchema.parse({
            document_id: "the book",
            question: at < 8 ? `Question ${at}?` : `Only for ${model}: ${at}?`,
            ...{ prediction: "x", answers: ["y"], model },
          }),
        ),
        items: given.map((score) => ({ kind: "scored" as const, scores: { m: score } })),
      };
    };
    const pairs = grades.left.map((grade, at) => grade - grades.right[at]!);
    const average = pairs.reduce((sum, pair) => sum + pair, 0) / 8;
    const variance = pairs.reduce((sum, pair) => sum + (pair - average) ** 2, 0) / 7;
    // Student's t with seven degrees of freedom: 2.3646 leaves 2.5 % on either side.
    const half = 2.364624 * Math.sqrt(variance / 8);
    for (const extra of [[], [5], [5, 4, 3, 2, 1]]) {
      const { differences, over } = compare([file("left", extra), file("right", extra)]);
      expect(over).toBe("questions");
      const [{ interval, difference, n, p }] = differences as [(typeof differences)[number]];
      expect({ difference, n }).toEqual({ difference: average, n: 8 });
      expect(interval![0]).toBeCloseTo(average - half, 5);
      expect(interval![1]).toBeCloseTo(average + half, 5);
      expect(p).toBeCloseTo(0.029232, 5);
    }
  });

  it("keeps the same system of two files and the settings of one system apart", () => {
    const [one] = files([0]);
    const closed = one!.predictions.map((row) => ({ ...row, setting: "closed" }));
    const { systems } = compare([one!, { ...one!, name: "again" }, { ...one!, name: "c", predictions: closed }]);
    expect(systems.map(({ system }) => system)).toEqual(["system-0 (file-0)", "system-0 (again)", "system-0, closed"]);
  });
});
