import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PARTS } from "./parts.ts";
import { readScorecard, type Scorecard, scorecardTable, tableIn, withTable } from "./scorecard-file.ts";

const scorecard = readScorecard(new URL("scorecard.json", import.meta.url));
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

describe("the scorecard", () => {
  it("is what the README shows, figure by figure", () => {
    expect(tableIn(readme)).toBe(scorecardTable(scorecard));
  });

  it("holds only parts that can be measured again", () => {
    const known = PARTS.map(({ id }) => id);
    for (const { id } of scorecard.parts) expect(known).toContain(id);
    expect(new Set(known).size).toBe(known.length);
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
    const document = withTable(
      "before\n<!-- scorecard:start -->\nold\n<!-- scorecard:end -->\nafter\n",
      scorecardTable(sample),
    );
    expect(tableIn(document)).toBe(scorecardTable(sample));
    expect(document).toContain("| **Sample** | Pearson per item | 0.851 | 0.840 to 0.861 | 4,136 | trial: 0.844 |");
    expect(document.startsWith("before\n") && document.endsWith("\nafter\n")).toBe(true);
    expect(tableIn(document.replace("0.851", "0.861"))).not.toBe(scorecardTable(sample));
  });
});
