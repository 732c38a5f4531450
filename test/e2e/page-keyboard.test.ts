import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { launchChromium } from "../support/chromium.ts";
import { ABSENT, FAULTY_DRAFT, REPAIRED_DRAFT } from "../support/drafts-with-faults.ts";
import { openPage } from "../support/open-page.ts";
import { simulatedReader } from "../support/simulated-reader.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

const ANSWER = {
  said: true,
  answer: "Forty-three, and later thirty-four.",
  passages: [{ chapter: 1, quote: "Forty-three names stood on the wall." }],
};

let folder: string;
let server: Served;
let browser: Browser;
let models: SimulatedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-keyboard-"));
  models = await createSimulatedServer({
    reply: (request, random) =>
      JSON.stringify(request.schema).includes('"said"') ? JSON.stringify(ANSWER) : simulatedReader(request, random),
  });
  [server, browser] = await Promise.all([serveFabula(folder, ["--judges", models.judge("reader")]), launchChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await models?.close();
  await rm(folder, { recursive: true, force: true });
});

const MOST_STOPS = 400;

/** Goes there as somebody without a mouse does. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.first().waitFor();
  const hasFocus = wanted.and(page.locator(":focus"));
  for (let stops = 0; stops < MOST_STOPS; stops++) {
    if ((await hasFocus.count()) > 0) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`${wanted} cannot be reached with the Tab key`);
}

async function press(page: Page, wanted: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

async function choose(page: Page, button: string, name: string, content: string): Promise<void> {
  await tabTo(page, page.getByRole("button", { name: button, exact: true }));
  const asked = page.waitForEvent("filechooser");
  await page.keyboard.press("Enter");
  await (await asked).setFiles({ name, mimeType: "text/markdown", buffer: Buffer.from(content) });
}

it("the desk needs no mouse: from choosing a file to taking the letter along", { timeout: 600_000 }, async () => {
  const { page, complaints, close } = await openPage(browser, server.url, { viewport: { width: 1440, height: 900 } });
  const tab = (name: string) => page.getByRole("navigation", { name: "Parts of the book" }).getByRole("link", { name });

  // Choosers of files are caught as long as somebody listens for them.
  page.on("filechooser", () => {});

  // In, to the letter, from finding to finding, to its passages, and what is said of it.
  await choose(page, "Choose files", "storm.md", FAULTY_DRAFT);
  const names = page.locator(".finding").filter({ hasText: "How many names?" });
  await names.waitFor({ timeout: 250_000 });
  for (let steps = 0; (await names.locator("[aria-expanded=true]").count()) === 0; steps++) {
    expect(steps, "J comes to every finding").toBeLessThan(30);
    await page.keyboard.press("j");
  }
  await press(page, names.getByRole("button", { name: "Accept" }), "Space");
  await names.getByRole("button", { name: "Accept", pressed: true }).waitFor();
  const pane = page.getByRole("complementary", { name: "Passages" });
  await pane.locator("mark").first().waitFor();
  await tabTo(page, page.getByRole("combobox", { name: "Kind" }));
  await page.keyboard.type("passage");
  await expect.poll(() => page.locator(".finding").count()).toBe(3);
  await press(page, page.getByRole("button", { name: "Show all" }));
  await names.waitFor();
  await press(page, pane.getByRole("link", { name: "Open in the text" }));

  // In the text: a paragraph rewritten where it stands.
  await page.locator("mark.passage").first().waitFor();
  const edit = page.getByRole("button", { name: "Edit" });
  await press(page, edit);
  await page.keyboard.type("A new beginning. ");
  await page.getByRole("region", { name: /as it is now/ }).waitFor();
  await tabTo(page, page.getByRole("button", { name: "Save as a new draft" }));
  await press(page, page.getByRole("button", { name: "Discard all" }));
  await press(page, page.getByRole("dialog").getByRole("button", { name: "Remove" }));
  await press(page, tab("Letter"));

  // Out.
  await press(page, page.getByText("Take it with you"));
  await tabTo(page, page.getByRole("link", { name: "Letter (HTML)" }));
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  await (await download).path();
  await page.keyboard.press("Escape");
  expect(await page.getByRole("link", { name: "Letter (HTML)" }).isVisible()).toBe(false);

  // Read by a model, corrected on the board, asked.
  if (!(await page.getByRole("button", { name: "Read the story" }).isVisible()))
    await press(page, page.locator(".model-reading summary"));
  await page.getByRole("button", { name: "Read the story", disabled: false }).waitFor();
  await press(page, page.getByRole("button", { name: "Read the story" }));
  await page.locator(".letter-facts", { hasText: "reader" }).waitFor({ timeout: 250_000 });
  await press(page, tab("Story"));
  await press(page, page.getByRole("button", { name: "Correct Chapter Two" }));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("the old mill");
  await page.keyboard.press("Enter");
  await page.locator(".board-chapter").getByText("the old mill").waitFor();
  await press(page, tab("Ask"));
  await tabTo(page, page.getByLabel("Your question"));
  await page.keyboard.type("How many names?");
  await page.keyboard.press("Enter");
  await page.getByText("Forty-three, and later thirty-four.").first().waitFor();

  // The next draft, taken apart and joined again.
  await press(page, page.getByRole("link", { name: "Library" }));
  await choose(page, "Add a book", "other.md", REPAIRED_DRAFT);
  const changes = page.getByRole("region", { name: "Since draft 1" });
  await changes.waitFor({ timeout: 250_000 });
  await press(page, page.getByRole("button", { name: "It is another book" }));
  await expect.poll(() => changes.count()).toBe(0);
  await press(page, tab("About"));
  await tabTo(page, page.getByLabel("This is a draft of"));
  await page.keyboard.type("The Storm");
  await press(page, page.getByRole("button", { name: "Join", exact: true }));
  await page.getByRole("region", { name: "Drafts" }).waitFor();

  // The cast: one person under two names, apart again, and under another name.
  await press(page, page.getByRole("link", { name: "Library" }));
  await choose(page, "Add a book", "ferry.md", ABSENT);
  await page.getByRole("button", { name: /Rosamund is not seen again/ }).waitFor({ timeout: 250_000 });
  await press(page, tab("Story"));
  await press(page, page.getByText("Correct the characters"));
  const readAgain = () => page.waitForResponse((response) => response.url().endsWith("/readings"));
  let again = readAgain();
  await tabTo(page, page.getByLabel("Rosamund is the same as…"));
  await page.keyboard.type("Beatrice");
  await again;
  again = readAgain();
  await press(page, page.getByTitle("Rosamund is somebody else"));
  await again;
  again = readAgain();
  await tabTo(page, page.getByLabel("Name of Rosamund"));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Rosalind");
  await page.keyboard.press("Tab");
  await again;
  await press(page, tab("Letter"));
  await page.getByRole("button", { name: /Rosalind is not seen again/ }).waitFor({ timeout: 250_000 });
  expect(complaints).toEqual([]);
  await close();
});
