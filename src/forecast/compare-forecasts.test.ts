import { expect, it } from "vitest";
import { compareForecasts } from "./compare-forecasts.ts";
import type { Forecast } from "./forecast.ts";

const forecast = (rating: number, interval: readonly [number, number]) =>
  ({ kind: "forecast", rating, interval }) as Partial<Forecast> as Forecast;

it("is no surer of a difference because the end of the scale cuts a range short", () => {
  const inside = compareForecasts([forecast(4.2, [3.7, 4.7]), forecast(3.8, [3.3, 4.3])])!;
  const atTheEnd = compareForecasts([forecast(4.8, [4.3, 5]), forecast(4.4, [3.9, 4.9])])!;
  const atTheOther = compareForecasts([forecast(1.6, [1.1, 2.1]), forecast(1.2, [1, 1.7])])!;
  for (const cut of [atTheEnd, atTheOther]) {
    expect(cut.chanceFirst).toBeCloseTo(inside.chanceFirst, 9);
    expect(cut.interval[0]).toBeCloseTo(inside.interval[0], 9);
    expect(cut.interval[1]).toBeCloseTo(inside.interval[1], 9);
  }
});
