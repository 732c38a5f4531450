import { describe, expect, it } from "vitest";
import { z } from "zod";
import { onRatingScale, scaleProblem } from "./rating-scale.ts";
import { pairSchema } from "./story.ts";

const line = (...ratings: unknown[]) => ({
  id: 1,
  history: ratings.map((rating) => ({ title: "x", rating, average_rating: 4 })),
  query: { title: "y" },
});
const read = (scale: number | undefined, ...ratings: unknown[]) =>
  onRatingScale(pairSchema, scale).safeParse(line(...ratings));

describe("ratings on another scale than stars", () => {
  it("refuses a ten-point rating that nobody declared, instead of dropping it and reading the others as stars", () => {
    const { error } = read(undefined, 3, 8);
    expect(error?.issues[0]).toMatchObject({ path: ["history.1.rating"] });
    expect(error?.issues[0]?.message).toMatch(/8 is more than five stars.*--ratings-scale 10/);
    expect(read(undefined, 3, 85).error?.issues[0]?.message).toContain("--ratings-scale 100");
  });

  it("converts declared scales to stars, averages included, and checks their range", () => {
    const { data } = read(10, 1, "5.5", 10);
    expect(data?.history.map(({ rating }) => rating)).toEqual([1, 3, 5]);
    expect(data?.history[0]?.average_rating).toBeCloseTo(1 + (3 * 4) / 9);
    expect(read(10, 11).error?.issues[0]?.message).toContain("11 is above 10");
    expect(read(10, -1).error?.issues[0]?.message).toContain("below zero");
  });

  it("converts the averages of stories to be compared to stars, earlier choices included", () => {
    const both = { left: { average_rating: 10 }, right: { average_rating: 5.5 } };
    const { data } = onRatingScale(z.looseObject({}), 10).safeParse({ ...both, comparisons: [both] });
    const inStars = { left: { average_rating: 5 }, right: { average_rating: 3 } };
    expect(data).toEqual({ ...inStars, comparisons: [inStars] });
    expect(onRatingScale(z.looseObject({}), undefined).safeParse(both).error?.issues[0]?.path).toEqual([
      "left.average_rating",
    ]);
  });

  it("does not suggest a scale for the ratings if only the averages are on another scale", () => {
    expect(scaleProblem(8, undefined, "average")).toMatch(/bring the averages to five stars, or, only if the ratings/);
    expect(scaleProblem(8, undefined, "platform's average")).toBe(
      "8 is more than five stars: bring the averages to five stars",
    );
  });

  it("refuses a rating that is not a number, and a line without a story, instead of leaving them out", () => {
    expect(read(undefined, 3, "five").error?.issues[0]).toMatchObject({
      ...{ path: ["history.1.rating"], message: expect.stringMatching(/^"five" is not a number/) },
    });
    expect(pairSchema.safeParse({ id: 1, history: [] }).error?.issues[0]).toMatchObject({
      ...{ path: ["query"], message: expect.stringContaining('needs "query"') },
    });
  });

  it("reads a mark as imports do: a decimal comma, fractions, stars", () => {
    const written = ["4,5", "4½", "★★★½", "4.25"];
    expect(read(undefined, ...written).data?.history.map(({ rating }) => rating)).toEqual([4.5, 4.5, 3.5, 4.25]);
    expect(read(10, "5,5").data?.history[0]?.rating).toBe(3);
  });

  it("reads zero as not rated, and keeps stars and gaps", () => {
    expect(read(undefined, 0, 4.5, null, "").data?.history.map(({ rating }) => rating)).toEqual([
      undefined,
      4.5,
      undefined,
      undefined,
    ]);
  });
});
