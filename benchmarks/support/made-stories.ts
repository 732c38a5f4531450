import { type Random, randomInteger } from "../../src/core/random.ts";
import type { Field } from "../../src/forecast/forecast-input.ts";
import { readForecastModel, shippedForecastFolder } from "../../src/forecast/forecast-model.ts";

/**
 * Made-up descriptions of the size that rated collections have: a premise of 150 words, a plot summary of 350 and characters of
 * 250, in words that the forecast knows. No two are alike.
 */
export function storyMaker(random: Random) {
  const terms = new Map(
    readForecastModel(shippedForecastFolder()).fields.map(({ encoder }) => [
      encoder.field,
      encoder.kind === "terms" ? encoder.terms : [],
    ]),
  );
  const draw = (field: Field, length: number) =>
    Array.from({ length }, () => terms.get(field)![randomInteger(random, terms.get(field)!.length)]!);
  return () => ({
    title: draw("title", 3).join(" "),
    genres: draw("genres", 5),
    premise: draw("premise", 150).join(" "),
    words: 60_000 + randomInteger(random, 60_000),
    plot_summary: draw("plot_summary", 350).join(" "),
    characters: draw("characters", 250).join(" "),
  });
}
