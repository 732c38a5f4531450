import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MEASURED_PRECISION } from "../src/prose/checks/check-book.ts";
import { HISTORY_CURVE } from "../src/reader/profile/profile-depth.ts";
import { figureOf } from "./parts/planted.ts";
import { PARTS } from "./parts.ts";
import { precisionOf } from "./planted.ts";
import {
  headlineTable,
  readScorecard,
  type Scorecard,
  scorecardDocument,
  tableIn,
  withTable,
} from "./scorecard-file.ts";

const scorecard = readScorecard(new URL("scorecard.json", import.meta.url));
const document = readFileSync(new URL("scorecard.md", import.meta.url), "utf8");
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const HEADLINES = { sample: ["pearson"] };

describe("the scorecard", () => {
  it("is what the README shows, figure by figure", () => {
    expect(tableIn(readme)).toBe(headlineTable(scorecard));
    expect(document).toBe(scorecardDocument(scorecard));
  });

  it("holds only parts that can be measured again", () => {
    const known = PARTS.map(({ id }) => id);
    for (const { id } of scorecard.parts) expect(known).toContain(id);
    expect(new Set(known).size).toBe(known.length);
  });

  it("holds the curve that the product quotes when a reader's profile is thin", () => {
    const personal = scorecard.parts.find(({ id }) => id === "personal")!.figures;
    const measured = HISTORY_CURVE.map((_, at) => personal.find(({ id }) => id === `pearson-k${at + 1}`)!.value);
    expect(measured.map((value) => value.toFixed(2))).toEqual(HISTORY_CURVE.map((value) => value.toFixed(2)));
  });

  it("holds the precision by which a finding is a claim, a question or not shown", () => {
    const { figures } = scorecard.parts.find(({ id }) => id === "planted")!;
    const measuredAs = (id: string) => figures.find((figure) => figure.id === id)!.value;
    for (const [key, precision] of Object.entries(MEASURED_PRECISION)) {
      const measured = precisionOf(measuredAs(figureOf(key)), measuredAs(`${figureOf(key)}-false`));
      expect(Number(measured.toFixed(2)), key).toBe(precision);
    }
  });

  it("would notice a figure that was changed in one place alone", () => {
    const sample: Scorecard = {
      parts: [
        {
          id: "sample",
          title: "Sample",
          command: "npx tsx evals/scorecard.ts --only sample",
          figures: [
            {
              id: "pearson",
              name: "Pearson per item",
              value: 0.8512,
              interval: [0.84, 0.861],
              n: 4136,
              better: "higher",
              compare: { name: "trial", value: 0.844 },
            },
          ],
        },
      ],
    };
    const written = withTable(
      "before\n<!-- scorecard:start -->\nold\n<!-- scorecard:end -->\nafter\n",
      headlineTable(sample, HEADLINES),
    );
    expect(tableIn(written)).toBe(headlineTable(sample, HEADLINES));
    expect(written).toContain("| **Sample** | Pearson per item | 0.851 | 0.840 to 0.861 | 4,136 | trial: 0.844 |");
    expect(written.startsWith("before\n") && written.endsWith("\nafter\n")).toBe(true);
    expect(tableIn(written.replace("0.851", "0.861"))).not.toBe(headlineTable(sample, HEADLINES));
  });

  it("shows the figures that matter most and leaves the rest to the document", () => {
    const figure = { name: "x", value: 1, interval: null, n: 1, better: "higher" as const };
    const figures = Array.from({ length: 6 }, (_, i) => ({ ...figure, id: `f${i}`, name: `figure ${i}` }));
    const long: Scorecard = { parts: [{ id: "long", title: "Long", command: "npx tsx …", figures }] };
    const shown = headlineTable(long, { long: ["f3"] });
    expect(shown).toContain("figure 3");
    expect(shown).not.toContain("figure 4");
    expect(shown).toContain("5 more figures");
    expect(scorecardDocument(long)).toContain("figure 5");
  });

  it("has five figures for the README", () => {
    expect(headlineTable(scorecard).match(/^\| \*\*/gm)).toHaveLength(5);
  });
});
