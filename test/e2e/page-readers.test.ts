import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { launchChromium } from "../support/chromium.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
let open: OpenPage;

const row = (title: string, stars: number, genre: string, shelf: string) =>
  `${title},A. Writer,${stars},3.9,${genre},${shelf},,2024/01/02`;
const EXPORT = [
  "Title,Author,My Rating,Average Rating,Bookshelves,Exclusive Shelf,My Review,Date Read",
  ...Array.from({ length: 8 }, (_, at) => row(`Book ${at}`, 2 + (at % 4), "fantasy", "read")),
  row("Nine Floors", 0, "horror", "read"),
  row("Harbour Light", 0, "fantasy", "to-read"),
  row("The Cold Press", 0, "horror", "to-read"),
].join("\n");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-readers-"));
  models = await createSimulatedServer({
    reply: () => JSON.stringify({ review: "I would have let the harbour stand.", score: 7 }),
  });
  const serving = serveFabula(folder, ["--judges", models.judge("reviewer")]);
  [server, browser] = await Promise.all([serving, launchChromium()]);
  open = await openPage(browser, server.url);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

it("predicts an outline, compares two, ranks the shelf and asks for the ratings that would tell most", async () => {
  const { page, picture } = open;
  await server.upload("/api/readers", { name: "export.csv", content: EXPORT }, { name: "ada", scale: "5" });
  await page.goto(`${server.url}/#/readers/ada`);
  const shelf = page.getByRole("table").filter({ hasText: "Harbour Light" });
  await shelf.waitFor();
  expect(await shelf.getByRole("row").count()).toBe(3);
  await page.getByRole("listitem").filter({ hasText: "Nine Floors" }).getByText("The Cold Press").waitFor();

  const form = page.getByRole("form", { name: "What ada is likely to think of an outline" });
  await form.getByLabel("Outline", { exact: true }).fill("Genres: Fantasy\nPlot: A queen burns the harbour.");
  await form.getByRole("button", { name: "Predict" }).click();
  await form.getByText("Readers in general").first().waitFor();
  expect(await form.getByText(/preferred/).count()).toBe(0);
  await form.getByLabel("A second outline, to compare").fill("Genres: Horror\nPlot: A cook counts the drowned.");
  await form.getByRole("button", { name: "Predict" }).click();
  await form.getByText(/More likely to be preferred: outline [12]|cannot be told/).waitFor();
  const charts = page.getByRole("list", { name: "The chance of each number of stars" });
  await expect.poll(() => charts.count()).toBe(2);
  expect(await charts.first().getByRole("listitem").count()).toBe(5);
  await picture("one-reader");

  // The price first; nothing is asked before the second press.
  const review = page.getByRole("form", { name: "The review ada might write, by a language model" });
  await review.getByRole("button", { name: "Show the cost" }).click();
  await review.getByText("1 call").waitFor();
  const asked = () => models.exchanges.length;
  expect(asked()).toBe(0);
  await review.getByRole("button", { name: "Start" }).click();
  await page.getByText("I would have let the harbour stand.").waitFor();
  expect(asked()).toBe(1);
  await page.getByText(/The model was shown the reviews of Book \d; Book \d; Book \d\./).waitFor();
  await picture("one-reader-review");
});
