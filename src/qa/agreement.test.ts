import { describe, expect, it } from "vitest";
import { seededRandom } from "../core/random.ts";
import { kendallTau } from "../stats/index.ts";
import { metaEvaluate, type RatedAnswer, ratedAnswerSchema } from "./agreement.ts";

/**
 * Six systems of known skill answer fifty questions. One metric follows people's ratings, one is noise, and one judge
 * sees summaries.
 */
function study(): RatedAnswer[] {
  const random = seededRandom(11);
  return Array.from({ length: 6 * 50 }, (_, index) => {
    const skill = index % 6;
    const human = 1 + 0.5 * skill + random();
    return ratedAnswerSchema.parse({
      system: `system-${skill}`,
      question: `Question ${Math.floor(index / 6)}?`,
      human: { reference: human, summary: human + 0.1 * random() },
      scores: {
        close: human + 0.2 * random(),
        noise: random(),
        "judge-reference": human + random(),
        "judge-summary": human,
      },
    });
  });
}

const OPTIONS = { seed: 1, resamples: 200 };

describe("meta-evaluation", () => {
  it("averages metrics over the answers that people rated, not over all that were scored", () => {
    // Only one answer of each system is rated; with the others, the metric's order of systems would be reversed.
    const rows = ["a", "b", "c"].flatMap((system, level) => [
      { system, question: "rated", human: 1 + level, scores: { m: level / 10 } },
      ...[1, 2, 3].map((at) => ({ system, question: `unrated ${at}`, scores: { m: 1 - level / 4 } })),
    ]);
    const [dataset] = metaEvaluate(ratedAnswerSchema.array().parse(rows), OPTIONS);
    expect(dataset!.metrics[0]!.reference!.agreement.kendall.value).toBe(1);
  });

  it("ranks a metric that follows people above noise, by system and by answer", () => {
    const [dataset] = metaEvaluate(study(), OPTIONS);
    expect(dataset).toMatchObject({ dataset: "all answers", answers: 300, systems: 6 });
    const row = (name: string) => dataset!.metrics.find(({ metric }) => metric === name)!;
    expect(dataset!.metrics.map(({ metric }) => metric)).toEqual(["close", "noise", "judge"]);
    expect(row("close").reference!.agreement.kendall.value).toBeCloseTo(1, 12);
    expect(row("close").reference!.pooled!.kendall.value).toBeGreaterThan(0.7);
    expect(Math.abs(row("noise").reference!.pooled!.kendall.value!)).toBeLessThan(0.15);
    expect(row("close").summary).toBeNull();
    expect(row("judge").reference).not.toBeNull();
    expect(row("judge").summary!.agreement).toMatchObject({ level: "system", n: 6, missing: 0 });
    const interval = row("noise").reference!.agreement.kendall.interval!;
    expect(interval[0]).toBeLessThan(interval[1]);
  });

  it.each(["systems", "items", "both"] as const)(
    "gives no interval of fewer than five systems over %s, and says why",
    (over) => {
      const few = (systems: number) => study().filter(({ system }) => Number(system!.at(-1)) < systems);
      const kendall = (systems: number) =>
        metaEvaluate(few(systems), { ...OPTIONS, over, metrics: ["noise"] })[0]!.metrics[0]!.reference!.agreement
          .kendall;
      expect(kendall(3)).toMatchObject({
        interval: null,
        noInterval: "3 systems are too few for an interval (it takes 5)",
      });
      expect(kendall(5).interval).not.toBeNull();
    },
  );

  it("computes the correlation of the systems' averages", () => {
    const answers = study();
    const average = (system: string, value: (answer: RatedAnswer) => number) => {
      const own = answers.filter((answer) => answer.system === system);
      return own.reduce((sum, answer) => sum + value(answer), 0) / own.length;
    };
    const systems = [...new Set(answers.map(({ system }) => system!))];
    const human = systems.map((name) =>
      average(name, ({ human: given }) => (given as { reference: number }).reference),
    );
    const metric = systems.map((name) => average(name, ({ scores }) => scores.noise as number));
    const [dataset] = metaEvaluate(answers, { ...OPTIONS, metrics: ["noise"] });
    expect(dataset!.metrics[0]!.reference!.agreement.kendall.value).toBe(kendallTau(human, metric).value);
  });

  it("leaves missing ratings and scores out and counts them", () => {
    const answers = study().map((answer, index) =>
      index < 30
        ? { ...answer, scores: { ...answer.scores, close: null } }
        : index < 40
          ? { ...answer, human: null }
          : answer,
    );
    const [dataset] = metaEvaluate(answers, { ...OPTIONS, metrics: ["close"] });
    expect(dataset!.metrics[0]!.reference!.pooled).toMatchObject({ n: 260, missing: 40 });
  });

  it("says how far it is: one step for each metric of each data set", () => {
    const steps: (readonly [number, number])[] = [];
    const rows = [...study(), ...study().map((row) => ({ ...row, dataset: "second" }))];
    metaEvaluate(rows, { ...OPTIONS, onProgress: (_stage, done, total) => steps.push([done, total]) });
    expect(steps).toEqual(Array.from({ length: 8 }, (_, done) => [done, 8]));
  });

  it("needs to know who answered", () => {
    expect(() => metaEvaluate([ratedAnswerSchema.parse({ human: 3, scores: { em: 1 } })], OPTIONS)).toThrow(
      /does not say which system/,
    );
  });
});
