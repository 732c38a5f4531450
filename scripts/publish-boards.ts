/**
 * Publishes one leaderboard in English and one in Chinese from end to end, with simulated writers and judges behind a real HTTP
 * server: novels, population, synopses, chapters, scores, duels, a frozen version, its site, the site made again and compared,
 * whole books. Then it opens the pages in Chromium and keeps pictures of them:
 *
 *   npm run build && npx tsx scripts/publish-boards.ts [FOLDER=test-output/boards]
 *
 * Look at every picture: nothing else sees whether a page can be read. Chinese needs a font, such as Debian's `fonts-noto-cjk`.
 */
import { spawn } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { seededRandom } from "../src/core/random.ts";
import { createSimulatedServer, simulatedNovelists, simulatedProse } from "../src/testing/index.ts";
import { launchChromium } from "../test/support/chromium.ts";

const WRITERS = { ada: 0.5, bea: 0.4, cleo: 0.38, dora: 0.1 };
const [NOVELS, CHAPTERS] = [12, 3];
const MAIN = join(import.meta.dirname, "..", "dist", "cli", "main.js");
const root = resolve(process.argv[2] ?? join("test-output", "boards"));

const server = await createSimulatedServer({ reply: simulatedNovelists(WRITERS) });
const browser = await launchChromium();
try {
  for (const language of ["en", "zh"] as const) {
    const site = await publish(language, join(root, language));
    await look(language, site);
  }
} finally {
  await browser.close();
  await server.close();
}

async function publish(language: "en" | "zh", folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "novels"), { recursive: true });
  for (let novel = 1; novel <= NOVELS; novel++) {
    const random = seededRandom(novel + (language === "zh" ? 100 : 0));
    const chapters = Array.from({ length: CHAPTERS + 1 }, (_, at) => {
      const heading = language === "en" ? `# Chapter ${at + 1}` : `第${"一二三四五"[at]}章 雨夜`;
      return `${heading}\n\n${simulatedProse((0.6 * novel) / NOVELS, 280, language, random)}\n`;
    });
    await writeFile(join(folder, "novels", `novel-${novel}.${language === "en" ? "md" : "txt"}`), chapters.join("\n"));
  }
  const writers = join(folder, "writers.txt");
  const lines = Object.keys(WRITERS).map((name, at) => {
    const shown = `${name[0]!.toUpperCase()}${name.slice(1)} ${at + 1}`;
    return `${server.judge(name)} name="${shown}" maker="${at < 2 ? "Harbour" : "Lamp"}" released=2025-0${at + 1}`;
  });
  await writeFile(writers, `${lines.join("\n")}\n`);
  const judges = ["ann", "bob", "cyd"].map((name) => server.judge(name)).join(",");
  const [draft, bench, frozen, site] = ["draft", "draft.bench", "board-v1", "site"].map((name) => join(folder, name));
  const store = join(folder, "store.db");
  const fabula = (...words: string[]) => run(words, store);
  await fabula(
    ...["bench", "leaderboard", join(folder, "novels"), "--writers", writers, "--judges", judges, "--out", draft!],
    ...["--chapters", String(CHAPTERS), "--check-texts", "2", "--check-repeats", "3", "--words", "300"],
  );
  await fabula("bench", "freeze", bench!, "--out", frozen!, "--words", "300", "--originals");
  await fabula("bench", "duel", frozen!, "--judge", judges);
  await fabula("bench", "site", frozen!, "--out", site!);
  await fabula("bench", "verify", site!);
  const writing = ["--writer", server.judge("ada"), "--judge", server.judge("ann"), "--novels", "2"];
  await fabula("bench", "book", bench!, ...writing, "--words", "300", "--context", "900");
  return site!;
}

async function look(language: "en" | "zh", site: string): Promise<void> {
  const pages = [
    "index.html",
    "texts.html",
    "methods.html",
    join("writers", "ada.html"),
    join("novels", "novel-1.html"),
  ];
  for (const [at, file] of pages.entries()) {
    for (const width of [1440, 390]) {
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      page.on("pageerror", (error) => console.error(`${file}: ${error.message}`));
      page.on("console", (message) => message.type() === "error" && console.error(`${file}: ${message.text()}`));
      await page.goto(pathToFileURL(join(site, file)).href);
      const work = page.locator("details.work > summary").first();
      if ((await work.count()) > 0) {
        await work.click();
        await page.locator(".work-text").first().waitFor();
      }
      const picture = join(root, `${language}-${at + 1}-${width}.png`);
      await page.screenshot({ path: picture, fullPage: true });
      console.log(picture);
      await page.close();
    }
  }
}

function run(words: readonly string[], store: string): Promise<void> {
  console.log(`\n$ fabula ${words.join(" ").replaceAll(root, "…")}`);
  const child = spawn(process.execPath, [MAIN, ...words], {
    stdio: ["ignore", "inherit", "ignore"],
    env: { ...process.env, FABULA_STORE: store },
  });
  return new Promise((done, failed) => {
    child.on("close", (code) =>
      code === 0 ? done() : failed(new Error(`fabula ${words[0]} ${words[1]}: exit ${code}`)),
    );
  });
}
