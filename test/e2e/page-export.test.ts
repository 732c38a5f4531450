import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchChromium } from "../support/chromium.ts";
import { findChromium } from "../support/find-chromium.ts";
import { addBook, judgeWithJury } from "../support/library-requests.ts";
import { openPage } from "../support/open-page.ts";
import { draftOf } from "../support/stories.ts";
import { type Served, serveFabula } from "./serve-fabula.ts";

let folder: string;
let programs: string;
let server: Served;
let browser: Browser;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-export-"));
  programs = join(folder, "bin");
  await mkdir(programs);
  [server, browser] = await Promise.all([
    serveFabula(folder, [], { PATH: programs, FABULA_BROWSER: "" }),
    launchChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop("SIGINT");
  await rm(folder, { recursive: true, force: true });
});

// Elsewhere browsers are found outside the PATH, so that the server cannot be made to miss one.
it.runIf(process.platform === "linux")(
  "a PDF asked for without a browser says what to do, and is saved once one is installed, under the book's title",
  async () => {
    const { id } = await addBook(server, "story.md", draftOf("Gewichte 秤", 4));
    const { evaluationId } = await judgeWithJury(server, id);
    const { page, close } = await openPage(browser, `${server.url}/#/evaluations/${evaluationId}`);
    const link = page.getByRole("link", { name: "PDF", exact: true });
    await link.click();
    await page
      .getByRole("alert")
      .getByText(/no Chromium or Chrome on this machine.*export HTML/)
      .waitFor();

    await installBrowser();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toBe("Gewichte-秤.pdf");
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe("%PDF-");
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
    await close();
  },
);

async function installBrowser(): Promise<void> {
  const path = join(programs, "chromium");
  const real = findChromium(process.platform, process.env);
  await writeFile(path, `#!/bin/sh\nPATH='${process.env.PATH}' exec '${real}' "$@"\n`);
  await chmod(path, 0o755);
}
