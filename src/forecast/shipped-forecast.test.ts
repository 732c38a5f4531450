import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assetPath } from "../core/assets.ts";
import { shippedForecastFolder } from "./forecast-model.ts";
import { loadForecaster } from "./load-forecaster.ts";
import { readOutline } from "./read-outline.ts";

describe("the forecast that ships", () => {
  it("forecasts the example outline from all of its parts", async () => {
    const { book } = readOutline(await readFile(assetPath("examples", "outline.md"), "utf8"), "outline.md");
    const forecast = loadForecaster()(book);
    if (forecast.kind !== "forecast") throw new Error(forecast.reason);
    expect(forecast.rating).toBeGreaterThan(3);
    expect(forecast.rating).toBeLessThan(4.8);
    expect(forecast.fields).toContain("plot_summary");
    expect(Object.keys(forecast.aspects)).toEqual([
      "plot",
      "characters",
      "writing",
      "world",
      "themes",
      "emotion",
      "enjoyment",
      "expectation",
    ]);
  });

  it("is described by a card that states what was measured", async () => {
    const folder = shippedForecastFolder();
    const agreement = z.object({ kendall: z.number(), interval: z.tuple([z.number(), z.number()]) });
    const measured = z
      .object({
        rating: agreement,
        withinGenre: agreement,
        withinKind: agreement,
        byFields: z.record(z.string(), agreement),
        byAspect: z.record(z.string(), agreement),
        coverage: z.number(),
        byAudience: z.array(
          z.object({ from: z.number(), books: z.number(), coverage: z.number(), coverageKnown: z.number() }),
        ),
        author: z.object({ pairs: z.number(), errorBefore: z.number(), errorAfter: z.number() }),
      })
      .parse(JSON.parse(await readFile(join(folder, "measured.json"), "utf8")));
    const card = await readFile(join(folder, "CARD.md"), "utf8");
    const { rating, withinGenre, withinKind, byFields } = measured;
    for (const { kendall, interval } of [rating, withinGenre, withinKind, ...Object.values(byFields)]) {
      expect(card).toContain(`| ${kendall.toFixed(3)} | ${interval[0].toFixed(3)} to ${interval[1].toFixed(3)} |`);
    }
    for (const [aspect, { kendall }] of Object.entries(measured.byAspect)) {
      expect(card).toContain(`| ${aspect} | ${kendall.toFixed(3)} |`);
    }
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    expect(card).toContain(percent(measured.coverage));
    for (const { books, coverage, coverageKnown } of measured.byAudience) {
      expect(card).toContain(`| ${books} | ${percent(coverage)} | ${percent(coverageKnown)} |`);
    }
    const { pairs, errorBefore, errorAfter } = measured.author;
    expect(card).toContain(`${pairs} pairs`);
    expect(card).toContain(`${errorBefore.toFixed(3)} stars to ${errorAfter.toFixed(3)}`);
  });
});
