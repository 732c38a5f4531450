import { describe, expect, it } from "vitest";
import { sampleEvaluation, sampleJuryEvaluation } from "../../../../test/fixtures/sample-evaluation.ts";
import { FAULTY_JUDGE, madeEvaluation, SOUND_JUDGES } from "../../../../test/support/judged-library.ts";
import type { Vote } from "../../../api/votes.ts";
import { scored } from "../../../core/verdict.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { spearman } from "../../../stats/correlation.ts";
import { wilsonInterval } from "../../../stats/distribution.ts";
import { healthVotes } from "../check-health.ts";
import { findDisagreements, orderedSides } from "./disagreements.ts";
import { judgeStandings } from "./judge-standings.ts";
import { judgedBook, onePerWay, withNames } from "./scorers.ts";
import { agreementWithVotes, standingVotes } from "./vote.ts";

const judgedBooks = (evaluations: readonly BookEvaluation[], bookId = "book") =>
  evaluations.map((evaluation, place) => judgedBook(evaluation, { evaluationId: `e${place}`, bookId }));
const disagreementsOf = (evaluations: readonly BookEvaluation[]) =>
  findDisagreements(withNames(judgedBooks(evaluations)).flatMap(({ scorers }) => scorers));

describe("where judges differ", () => {
  it("is ranked on one scale, whatever scale each judge gave its scores on", () => {
    const low = sampleEvaluation({ judge: "low" });
    const high = sampleEvaluation({ judge: "high", scale: { minimum: 0, maximum: 100 }, overall: scored(90) });
    const { aspects, pairs } = disagreementsOf([low, high]);
    const overall = aspects.find(({ aspect }) => aspect === "overall")!;
    expect(overall.spread).toBeCloseTo(90 - (100 * 12.34) / 20, 9);
    expect(aspects.map(({ spread }) => spread)).toEqual(aspects.map(({ spread }) => spread).sort((a, b) => b - a));
    // Aspects that one of them did not score are ignored.
    expect(pairs.map(({ aspect }) => aspect).sort()).toEqual(["characters", "overall", "plot", "writing"]);
  });

  it("sets the jurors of the embedded jury side by side", () => {
    const { pairs } = disagreementsOf([sampleJuryEvaluation()]);
    expect(pairs.every(({ aspect }) => aspect === "overall")).toBe(true);
    expect(pairs).toHaveLength(3);
  });

  it("names a passage that one judge praises and another criticises", () => {
    const praises = sampleEvaluation({ judge: "one" });
    const turned = praises.aspects.map((aspect) => ({
      ...aspect,
      strengths: aspect.weaknesses,
      weaknesses: aspect.strengths,
    }));
    const { pairs } = disagreementsOf([praises, sampleEvaluation({ judge: "other", aspects: turned })]);
    expect(pairs.filter(({ passage }) => passage).map(({ passage }) => passage)).toContainEqual(
      expect.objectContaining({ chapter: 1, start: 3, end: 60 }),
    );
  });

  it("shows A and B in an order by chance that stays the same for a voter and a seed", () => {
    const { pairs } = disagreementsOf([...SOUND_JUDGES, FAULTY_JUDGE].map((judge) => madeEvaluation(judge, 1, "One")));
    const firsts = (voter: string, seed: number) =>
      pairs.map((pair) => orderedSides(pair, voter, seed)[0].scorer.judge);
    expect(firsts("ada", 1)).toEqual(firsts("ada", 1));
    expect(firsts("ada", 1)).not.toEqual(firsts("ada", 2));
    expect(firsts("ada", 1)).not.toEqual(firsts("bea", 1));
  });

  it("tells which judge goes its own way", () => {
    const all = [...SOUND_JUDGES, FAULTY_JUDGE].flatMap((judge) =>
      [0, 1, 2, 3, 4, 5].flatMap((book) => judgedBooks([madeEvaluation(judge, book, `Book ${book}`)], `b${book}`)),
    );
    const standings = judgeStandings(findDisagreements(all.flatMap(({ scorers }) => scorers)).aspects);
    expect(standings.map(({ judge, standsApart }) => [judge, standsApart])[0]).toEqual([FAULTY_JUDGE, true]);
    expect(standings.filter(({ standsApart }) => standsApart)).toHaveLength(1);
    expect(standings.find(({ judge }) => judge === "strict")!.lean).toBeLessThan(0);
  });

  it("holds a judge against the others, never against itself or the same model asked in another way", () => {
    const scoreOf = (judge: string, book: number) =>
      judge === "own" ? book : judge === "second" ? 5 - book : (book * 7) % 5;
    const all = ["own", "own-twin", "second", "third"].flatMap((name) =>
      [0, 1, 2, 3, 4, 5].flatMap((book) => {
        const judge = name.replace("-twin", "");
        const overall = { kind: "scored" as const, score: scoreOf(judge, book) };
        const method = name === judge ? "close" : "summary";
        return judgedBooks(
          [sampleEvaluation({ judge, method, overall, aspects: [], settings: undefined })],
          `b${book}`,
        );
      }),
    );
    const standings = judgeStandings(findDisagreements(all.flatMap(({ scorers }) => scorers)).aspects);
    const medians = [0, 1, 2, 3, 4, 5].map((book) => (scoreOf("second", book) + scoreOf("third", book)) / 2);
    const expected = spearman([0, 1, 2, 3, 4, 5], medians).value;
    expect(standings.filter(({ judge }) => judge === "own").map(({ correlation }) => correlation?.value)).toEqual([
      expected,
      expected,
    ]);
  });

  it("draws no interval around the standing of a judge from four verdicts in one book", () => {
    const all = [...SOUND_JUDGES, "third"].flatMap((judge) => judgedBooks([madeEvaluation(judge, 0, "Book")], "b0"));
    const { aspects } = findDisagreements(all.flatMap(({ scorers }) => scorers));
    const standings = judgeStandings(aspects.slice(0, 4));
    expect(standings.map(({ verdicts }) => verdicts)).toEqual([4, 4, 4]);
    expect(standings.map(({ correlation }) => correlation?.interval ?? null)).toEqual([null, null, null]);
  });

  it("takes a book judged again in the same way for one evaluation, not for a perfect repeat", () => {
    const again = judgedBooks([sampleEvaluation(), sampleEvaluation({ runs: 3 }), sampleEvaluation()]);
    expect(onePerWay(again).map(({ runs }) => runs)).toEqual([3]);
  });
});

const side = (judge: string, score: number) => ({ way: judge, judge, name: `${judge} · m`, evaluationId: "e", score });
const vote = (id: string, changes: Partial<Vote> = {}): Vote => ({
  id,
  at: "2026-01-01T00:00:00.000Z",
  voter: "ada",
  seed: 1,
  pair: id,
  bookId: "b",
  title: "One",
  aspect: "overall",
  aspectName: "Overall",
  choice: "A",
  score: null,
  sides: [side("x", 80), side("y", 40)],
  ...changes,
});

describe("blind votes", () => {
  it("count once for each voter and pair, and not when they were taken back", () => {
    const lines = [vote("1", { pair: "p" }), vote("2", { pair: "p", choice: "B" }), vote("3"), { retracted: "3" }];
    expect(standingVotes(lines).map(({ id }) => id)).toEqual(["2"]);
  });

  it("say how often the voter sides with each judge; an own score sides with the nearer one, a tie with both", () => {
    const votes = [
      vote("1"),
      vote("2", { choice: "score", score: 50 }),
      vote("3", { choice: "tie" }),
      vote("4", { choice: "score", score: 60 }),
    ];
    const [first, second] = agreementWithVotes(votes);
    expect(first).toMatchObject({ judge: "x", votes: 4, won: 1, tied: 2, share: 0.5, distance: { n: 2, value: 25 } });
    expect(second).toMatchObject({ judge: "y", won: 1, share: 0.5, distance: { n: 2, value: 15 } });
    expect(first!.interval[0]).toBeLessThan(0.5);
    expect(first!.interval[1]).toBeGreaterThan(0.5);
  });

  it("takes an own score that decides three pairs for one answer, not for three", () => {
    const own = { choice: "score", score: 78 } as const;
    const votes = [
      vote("1", own),
      vote("2", { ...own, sides: [side("x", 80), side("z", 20)] }),
      vote("3", { ...own, sides: [side("x", 80), side("w", 10)] }),
    ];
    const { votes: count, won, interval } = agreementWithVotes(votes).find(({ judge }) => judge === "x")!;
    expect([count, won]).toEqual([3, 3]);
    expect(interval).toEqual(wilsonInterval(1, 1, 0.95));
    const blind = agreementWithVotes([vote("1"), vote("2"), vote("3")]).find(({ judge }) => judge === "x")!;
    expect(blind.interval).toEqual(wilsonInterval(3, 3, 0.95));
  });

  it("give health the judge by the name it has there, and the voter's own habit of taking A", () => {
    const judgement = { item: "One", score: 1, aspects: {}, words: 1, replyWords: 1, writer: null, human: Number.NaN };
    const given = healthVotes(
      [vote("1"), vote("2", { choice: "score", score: 30 })],
      [{ ...judgement, judge: "x · m · temperature 0" }],
    );
    expect(given.votes.map(({ judge }) => judge)).toEqual([
      "x · m · temperature 0",
      "y · m",
      "x · m · temperature 0",
      "y · m",
    ]);
    expect(given.comparisons.map(({ winner }) => winner)).toEqual(["first", "second"]);
    expect(given.judgements[0]!.human).toBe(30);
  });
});
