import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { assetPath } from "../../core/assets.ts";
import { loadForecaster } from "../../forecast/load-forecaster.ts";
import { type Story, storySchema } from "../../reader/predictor/story.ts";
import { readBook } from "../../text/read-book.ts";
import { bookStory, readStoryFile, storyFromOutline } from "../books/described-story.ts";
import { forecastFile } from "../books/forecast-books.ts";
import { predictForProfile } from "./predict.ts";
import { describeProfile } from "./reader-profiles.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-general-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const OUTLINE = `# Tides

Genres: Mystery, Thriller
Words: 90,000
Earlier books:
- High Water: 4.42

## Premise

A lighthouse keeper finds the body of her sister.

## Plot

She follows the tide to the town that let it happen.
`;
const ada = { name: "ada", language: "en", reviews: [{ title: "Fog", genres: ["Mystery"], rating: 2 }] };
const forecast = loadForecaster();

async function forecastOf(path: string): Promise<number> {
  const { forecast: found } = await forecastFile(path, forecast);
  if (found.kind === "unscored") throw new Error(found.reason);
  return found.rating;
}
const generalOf = (story: Story) => predictForProfile(ada, story).view!.general!;

it("is one value for an outline, whatever asks for it, and no reason names another", async () => {
  const path = join(folder, "outline.md");
  await writeFile(path, OUTLINE);
  const general = { rating: await forecastOf(path), from: "forecast" };
  expect(generalOf(await readStoryFile(path))).toEqual(general);
  expect(generalOf(storyFromOutline(OUTLINE, "The outline"))).toEqual(general);
  const { prediction } = predictForProfile(ada, await readStoryFile(path));
  if (prediction.kind === "unscored") throw new Error(prediction.reason);
  const ofStory = prediction.why.find(({ about }) => about === "story")!;
  expect(ofStory.text).toMatch(/^Judged by its description, .* than the usual story/);
  expect(prediction.why.map(({ text }) => text).join(" ")).not.toMatch(/readers in general/);
});

it("is one value for a book, which is known by its length too, and for JSON", async () => {
  const book = assetPath("examples", "the-inspector-of-weights.md");
  expect(generalOf(bookStory(await readBook(book))).rating).toBe(await forecastOf(book));
  const path = join(folder, "story.json");
  await writeFile(
    path,
    JSON.stringify({ title: "Home", genres: ["Horror"], words: 31_000, premise: "A house waits." }),
  );
  expect(generalOf(await readStoryFile(path)).rating).toBe(await forecastOf(path));
});

it("is the average where that is known, and not known where nothing can be forecast", () => {
  const known = storySchema.parse({ title: "Home", genres: ["Horror"], average_rating: 4.21 });
  expect(generalOf(known)).toEqual({ rating: 4.21, from: "average" });
  const { view } = predictForProfile(ada, storySchema.parse({ title: "Home" }));
  expect(view).toMatchObject({ general: null, difference: null });
  expect(view!.headline).toContain("there is no general verdict to compare");
});

it("is what a profile's ratings are compared with", async () => {
  const review = { title: "Home", genres: ["Horror"], premise: "A house waits for the family to return.", rating: 5 };
  const path = join(folder, "eve.json");
  await writeFile(path, JSON.stringify({ name: "eve", language: "en", reviews: [review] }));
  const { generosity } = await describeProfile(path, folder);
  expect(generosity).toBeCloseTo(5 - generalOf(storySchema.parse(review)).rating, 9);
});
