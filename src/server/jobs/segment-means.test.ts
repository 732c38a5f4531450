import { expect, it } from "vitest";
import { scored, unscored } from "../../core/verdict.ts";
import { SegmentMeans } from "./judge-book.ts";

it("tells the mean of what was said of a segment so far, and skips who said nothing", () => {
  const means = new SegmentMeans();
  const first = { chapters: [1, 2, 3] };
  expect(means.add({ ...first, overall: unscored("it refused") }).verdict).toEqual(unscored("it refused"));
  expect(means.add({ ...first, overall: scored(60) })).toEqual({
    kind: "chapter",
    chapter: 1,
    lastChapter: 3,
    verdict: scored(60),
  });
  expect(means.add({ chapters: [4], overall: scored(10) })).toMatchObject({ chapter: 4, verdict: scored(10) });
  expect(means.add({ ...first, overall: scored(70) }).verdict).toEqual(scored(65));
});

it("gives the segments of one long chapter one place", () => {
  const means = new SegmentMeans();
  means.add({ chapters: [7], overall: scored(40) });
  expect(means.add({ chapters: [7, 8], overall: scored(60) })).toMatchObject({
    chapter: 7,
    lastChapter: 8,
    verdict: scored(50),
  });
});
