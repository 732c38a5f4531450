import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { launchChromium } from "../support/chromium.ts";
import { ABSENT, FAULTY_DRAFT, REPAIRED_DRAFT } from "../support/drafts-with-faults.ts";
import { type OpenPage, openPage } from "../support/open-page.ts";
import { simulatedReader } from "../support/simulated-reader.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
let open: OpenPage;
let page: Page;

const ANSWER = {
  said: true,
  answer: "Forty-three, and later thirty-four.",
  passages: [{ chapter: 1, quote: "Forty-three names stood on the wall." }],
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-keyboard-"));
  models = await createSimulatedServer({
    reply: (request, random) =>
      JSON.stringify(request.schema).includes('"said"') ? JSON.stringify(ANSWER) : simulatedReader(request, random),
  });
  [server, browser] = await Promise.all([serveFabula(folder, ["--judges", models.judge("reader")]), launchChromium()]);
  open = await openPage(browser, server.url, { viewport: { width: 1440, height: 900 } });
  page = open.page;
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => expect(open.complaints.splice(0)).toEqual([]));

interface Stop {
  readonly name: string;
  readonly isPage: boolean;
  readonly isWanted: boolean;
  readonly isAgain: boolean;
  readonly faults: readonly string[];
}

/** Where the focus is, and what a person who looks for it would miss. Of an element that is `wanted`, whether it is there. */
const STOP = new Function(
  "wanted",
  `const { activeElement: element, body } = document;
  const isPage = element === null || element === body;
  if (isPage) return { name: "the page itself", isPage, isWanted: false, isAgain: false, faults: ["nothing has the focus"] };
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const boxes = [...element.getClientRects()];
  const faults = [];
  if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) faults.push("is hidden");
  else if (!boxes.some(({ width, height }) => width > 4 && height > 4)) faults.push("has no size");
  else if (!boxes.some(({ top, bottom, left, right }) => bottom > 0 && right > 0 && top < innerHeight && left < innerWidth))
    faults.push("is out of sight");
  if (outlineStyle === "none" || parseFloat(outlineWidth) < 1) faults.push("shows no focus ring");
  if (element.matches(":disabled")) faults.push("is disabled");
  const isAgain = window.lastStop === element;
  window.lastStop = element;
  const words = (element.getAttribute("aria-label") ?? element.textContent).trim().slice(0, 60);
  return { name: element.localName + " “" + words + "”", isPage, isWanted: element === wanted, isAgain, faults };`,
) as (wanted: unknown) => Stop;

const stopAt = (wanted: Locator): Promise<Stop> => wanted.evaluate(STOP);
const stop = (): Promise<Stop> => page.evaluate(STOP, null);

/** More than any part of a view has, so that a walk which never arrives ends. */
const MOST_STOPS = 600;

/** A stop on the way is another one than before, and is seen, if need be once what still arrives above it has its size. */
async function expectSeen(name: string, isAgain: boolean, faults: readonly string[]): Promise<void> {
  expect(isAgain, `Tab does not leave ${name}`).toBe(false);
  if (faults.length > 0) await expect.poll(async () => (await stop()).faults, { message: name }).toEqual([]);
}

/** Presses Tab until the focus is where it is wanted; at each stop on the way it must be seen, and it must move on. */
async function tabTo(wanted: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  await wanted.waitFor();
  let laps = 0;
  for (let at = 0; at < MOST_STOPS; at += 1) {
    await page.keyboard.press(key);
    const { name, isPage, isWanted, isAgain, faults } = await stopAt(wanted);
    if (isPage) {
      laps += 1;
      expect(laps, `${key} never reaches ${wanted}`).toBeLessThan(2);
      continue;
    }
    await expectSeen(name, isAgain, faults);
    if (isWanted) return;
  }
  throw new Error(`${key} does not reach ${wanted} in ${MOST_STOPS} stops`);
}

/** Presses Tab from the top of the view to its end: every stop is seen, and the end is reached. */
async function tabThrough(): Promise<readonly string[]> {
  const names: string[] = [];
  while (names.length < MOST_STOPS) {
    await page.keyboard.press("Tab");
    const { name, isPage, isAgain, faults } = await stop();
    if (isPage) return names;
    await expectSeen(name, isAgain, faults);
    names.push(name);
  }
  throw new Error(`Tab does not leave the view: ${names.slice(-5).join(", ")}`);
}

/** Waits until the focus is there, and sees to it that it is shown. */
async function focusOn(wanted: Locator): Promise<void> {
  await expect
    .poll(async () => {
      const { isWanted, name, faults } = await stopAt(wanted);
      return isWanted ? faults : [`the focus is on ${name}`];
    })
    .toEqual([]);
}

async function press(wanted: Locator, key = "Enter"): Promise<void> {
  await tabTo(wanted);
  await page.keyboard.press(key);
}

/** Goes down a list of choices, which is never open; what is typed ahead depends on how fast it is typed. */
async function choose(list: Locator, words: RegExp): Promise<void> {
  const chosen = list.locator("option:checked");
  for (let at = 0; at < 40; at += 1) {
    if (words.test((await chosen.textContent()) ?? "")) return;
    await page.keyboard.press("ArrowDown");
  }
  throw new Error(`no choice of ${list} is ${words}`);
}

const link = (name: string) => page.getByRole("link", { name, exact: true });
const button = (name: string) => page.getByRole("button", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { level: 1, name });
const finding = (title: string) => page.locator(".finding").filter({ hasText: title });

async function addBook(name: string, text: string): Promise<void> {
  await press(link("Desk"));
  await focusOn(heading("Library"));
  const chooser = page.waitForEvent("filechooser");
  await press(button("Add a book"));
  await (await chooser).setFiles({ name, mimeType: "text/markdown", buffer: Buffer.from(text) });
}

describe.sequential("with the keyboard alone", () => {
  it("opens the sample and its letter, and comes back", async () => {
    await page.getByText("No books yet").waitFor();
    expect((await tabThrough()).length).toBeGreaterThan(5);
    await press(button("Paste text"));
    await focusOn(page.getByRole("dialog").getByLabel("Title"));
    await page.keyboard.press("Escape");
    await focusOn(button("Paste text"));
    await press(button("Open a sample story"));
    await page.locator(".letter h2").first().waitFor({ timeout: 250_000 });
    await focusOn(page.locator("h1"));
    expect((await tabThrough()).length).toBeGreaterThan(5);
    await tabTo(page.locator(".skip-link"));
    await page.keyboard.press("Enter");
    await press(page.locator(".kicker").getByRole("link", { name: "Library" }));
    await focusOn(heading("Library"));
    await press(page.locator(".tile").first());
    await focusOn(page.locator("h1"));
  });

  it("reaches everything in each view of a book", async () => {
    for (const [name, ready] of [
      ["Story", "main h2"],
      ["Text", ".block"],
      ["Map", ".strip"],
      ["Ask", "main form"],
      ["Letter", ".letter h2"],
      ["About", ".contents"],
      ["Correct the chapters", "main table"],
    ] as const) {
      await press(link(name));
      await page.locator(ready).first().waitFor();
      await expect.poll(() => page.locator(".loading").count()).toBe(0);
      await focusOn(page.locator("h1"));
      expect((await tabThrough()).length, name).toBeGreaterThan(6);
    }
  });

  it("goes from finding to finding and to its passages, and says what becomes of each", async () => {
    await addBook("storm.md", FAULTY_DRAFT);
    const names = finding("How many names?");
    const title = names.getByRole("button", { name: /How many names/ });
    await names.waitFor({ timeout: 250_000 });
    await focusOn(heading("The Storm"));
    await page.keyboard.press("j");
    const first = page.locator(".finding.open .finding-title");
    await focusOn(first);
    const begun = await first.textContent();
    await page.keyboard.press("j");
    await expect.poll(() => first.textContent()).not.toBe(begun);
    await focusOn(first);
    await page.keyboard.press("k");
    await expect.poll(() => first.textContent()).toBe(begun);
    await focusOn(first);

    if ((await title.getAttribute("aria-expanded")) === "true") await page.keyboard.press("Enter");
    else await tabTo(title);
    await page.keyboard.press("Enter");
    const pane = page.getByRole("complementary", { name: "Passages" });
    await pane.getByText("Forty-three names stood on the wall.").waitFor();
    await press(names.getByRole("button", { name: "To the passages" }));
    await focusOn(pane);
    await tabTo(pane.getByRole("link", { name: "Open in the text" }).nth(1));
    await page.keyboard.press("Escape");
    await focusOn(title);

    const mark = async (name: string) => {
      const kept = page.waitForResponse((response) => /\/findings\//.test(response.url()));
      await press(names.getByRole("button", { name, exact: true }), "Space");
      expect((await kept).status()).toBe(204);
      await focusOn(names.getByRole("button", { name, exact: true, pressed: true }));
    };
    await mark("Accept");
    await mark("Intended");
    await tabTo(names.getByRole("textbox"));
    await page.keyboard.type("The keeper miscounts.");
    const why = page.waitForResponse((response) => /\/findings\//.test(response.url()));
    await page.keyboard.press("Shift+Tab");
    expect((await why).status()).toBe(204);
    await focusOn(names.getByRole("button", { name: "Done" }));
    await tabTo(names.getByRole("button", { name: "Accept" }), "Shift+Tab");
    await mark("Later");
    await mark("Done");
  });

  it("filters the findings, and keeps its place when one of them goes", async () => {
    const all = await page.locator(".finding").count();
    const kind = page.getByRole("combobox", { name: "Kind" });
    await tabTo(kind, "Shift+Tab");
    await choose(kind, /^passage appears twice$/);
    await expect.poll(() => page.locator(".finding").count()).toBe(3);
    await focusOn(kind);
    await press(button("Show all"));
    await expect.poll(() => page.locator(".finding").count()).toBe(all);
    await focusOn(page.getByRole("combobox", { name: "Priority" }));
    const state = page.getByRole("combobox", { name: "State" });
    await tabTo(state);
    await choose(state, /^Open$/);
    await expect.poll(() => page.locator(".finding").count()).toBe(all - 1);
    // What is done is no longer shown here: the next one is where it was.
    const second = await page.locator(".finding-title").nth(1).textContent();
    await press(page.locator(".finding").first().getByRole("button", { name: "Done" }), "Space");
    await expect.poll(() => page.locator(".finding").count()).toBe(all - 2);
    await focusOn(page.locator(".finding-title").first());
    expect(await page.locator(".finding-title").first().textContent()).toBe(second);
  });

  it("takes the letter out, and closes what it opened", async () => {
    const panel = page.locator(".take-out summary");
    await tabTo(panel, "Shift+Tab");
    await page.keyboard.press("Enter");
    const download = page.waitForEvent("download");
    await press(page.getByRole("link", { name: "Letter (HTML)" }));
    expect((await download).suggestedFilename()).toMatch(/\.html$/);
    await focusOn(page.getByRole("link", { name: "Letter (HTML)" }));
    const back = button("Import the edited DOCX");
    await tabTo(back);
    // The browser's own bubble about the download may take one key for itself.
    await vi.waitFor(async () => {
      await focusOn(back);
      const chooser = page.waitForEvent("filechooser", { timeout: 5000 });
      await page.keyboard.press("Enter");
      await (await chooser).setFiles("test/fixtures/resolved-in-libreoffice.docx");
    }, 60_000);
    await page.getByText(/^1 done, \d+ still open\./).waitFor();
    await focusOn(back);
    await page.keyboard.press("Escape");
    await focusOn(panel);
    expect(await page.getByRole("link", { name: "Letter (HTML)" }).isVisible()).toBe(false);
  });

  it("compares two drafts and reads what is fixed", async () => {
    // What changed comes after the letter here, as on a slow machine: above a finding that is being read.
    let arrive = () => {};
    const late = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route(/\/changes/, async (route) => {
      await late;
      await route.continue();
    });
    await addBook("again.md", REPAIRED_DRAFT);
    await page.locator(".finding-title").first().waitFor({ timeout: 250_000 });
    await focusOn(heading("The Storm"));
    await tabTo(page.locator(".finding-title").last());
    const place = () => page.evaluate<number>("Math.round(document.activeElement.getBoundingClientRect().top)");
    expect(await page.evaluate<number>("scrollY")).toBeGreaterThan(0);
    const before = await place();
    arrive();
    const changes = page.getByRole("region", { name: "Since draft 1" });
    await changes.getByText(/^\d fixed, \d still there/).waitFor();
    await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(3);
    await page.unroute(/\/changes/);
    await tabTo(page.locator(".take-out summary"), "Shift+Tab");
    const fixed = changes.locator("details", { hasText: "Fixed" });
    await tabTo(fixed.getByRole("link").first());
    await tabTo(fixed.locator("summary"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => fixed.getByRole("link").first().isVisible()).toBe(false);
    await focusOn(fixed.locator("summary"));
    await press(link("About"));
    await focusOn(heading("The Storm"));
    await press(link("Compare with the draft before"));
    await page.getByRole("heading", { level: 3, name: "Fixed" }).waitFor();
    await focusOn(heading("The Storm"));
    expect((await tabThrough()).length).toBeGreaterThan(5);
    await press(
      page
        .locator(".finding-names")
        .getByRole("link", { name: /comes back too often/ })
        .first(),
    );
    await focusOn(page.locator("mark.passage").first());
    await press(link("Letter"));
    await focusOn(heading("The Storm"));
    await press(button("This is a different book"));
    await expect.poll(() => changes.count()).toBe(0);
    await focusOn(heading("The Storm"));
    await press(link("About"));
    await focusOn(heading("The Storm"));
    const other = page.getByLabel("This is a draft of");
    await tabTo(other);
    await choose(other, /^The Storm$/);
    await press(button("Join"));
    await page.getByRole("region", { name: "Drafts" }).waitFor();
    await focusOn(heading("The Storm"));
    await press(button("Not a draft of another book"));
    await expect.poll(() => page.getByRole("region", { name: "Drafts" }).count()).toBe(0);
    await focusOn(heading("The Storm"));
    await press(link("Letter"));
    await page.locator(".finding-title").first().waitFor();
    await focusOn(heading("The Storm"));
  });

  it("has the story read, chooses between its readings, and corrects the board", async () => {
    const offer = page.locator(".model-reading summary");
    await offer.filter({ hasText: /\$|no charge|price not known/ }).waitFor();
    await press(button("Skip to reading with a model"));
    await focusOn(page.locator(".letter-offer"));
    await press(button("Read the story"));
    await page.locator(".letter-facts", { hasText: "reader" }).waitFor({ timeout: 250_000 });
    await focusOn(heading("The Storm"));
    const choice = page.locator(".reading-choice select");
    await tabTo(choice);
    await page.keyboard.press("ArrowDown");
    await page.locator(".letter", { hasText: "This reading counts" }).waitFor();
    await focusOn(choice);
    await page.keyboard.press("ArrowUp");
    await page.locator(".letter:not(:has-text('This reading counts'))").waitFor();
    await tabTo(link("Story"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.locator(".board-chapter").nth(2).waitFor();
    await focusOn(heading("The Storm"));

    const part = (name: string) => page.getByRole("navigation", { name: "Parts of the story" }).getByText(name);
    await press(part("Scenes"));
    await focusOn(page.locator("#story-scenes"));
    const card = page.locator(".board-chapter").nth(1);
    const opener = card.getByRole("button", { name: "Correct Chapter Two" });
    await press(opener);
    await focusOn(card.getByLabel("Place"));
    await page.keyboard.press("Escape");
    await focusOn(opener);
    await page.keyboard.press("Enter");
    await focusOn(card.getByLabel("Place"));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("the old mill");
    await tabTo(card.getByLabel("Tension"));
    await choose(card.getByLabel("Tension"), /^5$/);
    await press(card.getByRole("button", { name: "Save" }));
    await card.getByText("the old mill").waitFor();
    await focusOn(opener);

    for (const [name, id] of [
      ["Time line", "time"],
      ["Threads", "threads"],
      // Once more, although the address says so already.
      ["Threads", "threads"],
      ["Cast", "cast"],
    ] as const) {
      await tabTo(part(name), "Shift+Tab");
      await page.keyboard.press("Enter");
      await focusOn(page.locator(`#story-${id}`));
      await page.keyboard.press("Tab");
      await expect.poll(async () => (await stop()).faults).toEqual([]);
    }
    await press(page.locator(".cast button").first());
    const list = page.getByLabel("What the reading got wrong");
    await focusOn(list);
    await page.keyboard.type("is a woman.");
    const save = list.locator("xpath=ancestor::form").getByRole("button", { name: "Save" });
    const kept = page.waitForResponse(
      (response) => response.request().method() === "PUT" && response.url().endsWith("/facts"),
    );
    await press(save);
    await (await kept).finished();
    await list.locator("xpath=ancestor::form").getByText("Saved.").waitFor();
    await focusOn(save);
  });

  it("asks a question and jumps to a passage", async () => {
    await tabTo(link("Ask"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await focusOn(heading("The Storm"));
    await tabTo(page.getByLabel("Your question"));
    await page.keyboard.type("How many names are on the wall?");
    await tabTo(button("Ask"));
    // A question is sent once its price is there.
    await expect.poll(() => button("Ask").isEnabled()).toBe(true);
    await page.keyboard.press("Enter");
    await page.getByText("Forty-three, and later thirty-four.").first().waitFor();
    await focusOn(button("Ask"));
    await press(page.getByRole("link", { name: "Open in the text" }).first());
    await focusOn(page.locator("mark.passage").first());
    await tabTo(page.locator(".book-scroller"), "Shift+Tab");
  });

  it("joins, parts and renames characters, each when it is said and not before", async () => {
    await addBook("ferry.md", ABSENT);
    await page.getByRole("button", { name: /Rosamund is not seen again/ }).waitFor({ timeout: 250_000 });
    await press(link("Story"));
    await focusOn(heading("The Ferry"));
    await press(page.getByText("Correct the characters"));
    const row = page.locator(".corrections tr").filter({ has: page.getByLabel("Name of Rosamund") });
    const cast = await page.locator(".corrections tr").count();
    const same = page.getByLabel("Rosamund is the same as…");
    await tabTo(same);
    // To look through the names joins nobody.
    await choose(same, /^Beatrice$/);
    expect(await page.locator(".corrections tr").count()).toBe(cast);
    await press(page.locator(".corrections tr").getByRole("button", { name: "Join" }));
    await expect.poll(() => page.locator(".corrections tr").count()).toBe(cast - 1);
    await focusOn(page.locator(".corrections tr :focus"));
    await tabTo(page.locator(".corrections summary"), "Shift+Tab");
    await press(page.getByTitle("Rosamund is somebody else").or(page.getByTitle("Beatrice is somebody else")));
    await expect.poll(() => page.locator(".corrections tr").count()).toBe(cast);
    await focusOn(page.locator(".corrections tr :focus"));
    await tabTo(page.locator(".corrections summary"), "Shift+Tab");
    await tabTo(row.getByLabel("Name of Rosamund"));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("Rosalind");
    await page.keyboard.press("Tab");
    await page.getByLabel("Name of Rosalind").waitFor();
    await focusOn(page.getByLabel("Rosalind is the same as…"));
  });

  it("changes to the lab and back", async () => {
    await press(link("Lab"));
    await focusOn(heading("Grid"));
    await expect.poll(() => page.locator(".loading").count()).toBe(0);
    expect((await tabThrough()).length).toBeGreaterThan(5);
    await press(link("Desk"));
    await focusOn(heading("Library"));
  });
});
