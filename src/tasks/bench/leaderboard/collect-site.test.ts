import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { writeBenchFolder } from "../../../../test/support/bench-folder.ts";
import { benchFiles } from "../../../bench/bench-folder.ts";
import { HUMAN } from "../../../bench/population/novel-scores.ts";
import { loadPopulation } from "../../../bench/population/reference-population.ts";
import { writingRates } from "../../../bench/writing.ts";
import type { ProgressEvent } from "../../../core/progress.ts";
import { loadPrices } from "../../../models/prices.ts";
import { shippedPrompts } from "../../../prompts/own-prompts.ts";
import { boardFile } from "../../../report/bench/site/board-file.ts";
import { withShownNames } from "../../../report/bench/site/site-data.ts";
import { siteTexts } from "../../../report/bench/site/texts.ts";
import { chaptersOn } from "../chapters.ts";
import { collectSite, type SiteOptions } from "./collect-site.ts";
import type { MadeLeaderboard } from "./make-leaderboard.ts";
import { writeSite } from "./write-site.ts";

/** Two writers of a made-up benchmark, each of whom wrote eight novels. */
async function madeLeaderboard(folder: string): Promise<MadeLeaderboard> {
  await writeBenchFolder(folder, { ada: 3, bea: 2.5 });
  const files = benchFiles(folder);
  await writeFile(files.chapters, "");
  await writeFile(
    files.manifest,
    JSON.stringify({ format: 1, seed: 1, chaptersPerNovel: 6, novels: [], excluded: [] }),
  );
  const population = await loadPopulation(files.population("simulated"));
  const runs = await Promise.all(
    ["ada", "bea"].map(async (name) => {
      const scores = files.writerScores(name, "simulated");
      const chapters = await chaptersOn(population, [scores]);
      const written = chapters.map(({ novel, chapter }) => ({
        ...{ novel, writer: name, chapter, language: "en", text: "It rained.", cutOff: false, reason: null },
      }));
      return {
        ...{ name, level: null, unwritten: 0, unscored: 0, byJudge: [], scores: [scores] },
        ...{ written, chapters, rates: writingRates(written, 1000), listed: { model: name, cutOff: null } },
      };
    }),
  );
  return {
    rubric: "novel-bench-en",
    populations: [population],
    runs,
    renamed: [],
    recognised: new Map(),
    records: new Map(),
  };
}

it("a site says how many novels were written, how far it is while it is built, and which judge changed midway", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fabula-site-"));
  const made = await madeLeaderboard(folder);
  const events: ProgressEvent[] = [];
  const options: SiteOptions = {
    ...{ folder, synopsisModel: "teller", wholeNumbers: false, chapters: 6, repeats: 1 },
    ...{ maximumTokens: 4096, temperature: 0.6, words: 1000, seed: 1, title: "Board", date: "2026-01-01" },
    prompts: shippedPrompts,
    prices: await loadPrices(),
    onProgress: (event) => events.push(event),
    signal: new AbortController().signal,
  };
  const site = await collectSite(made, options);
  expect(site.benchmark.warnings.join("\n")).not.toContain("versions");
  expect(site.methods.settings).toContainEqual(["novels written", "8"]);
  await writeSite(join(folder, "site"), site, made, { ...options, keepsFindings: true });
  const stages = (stage: string) =>
    events.filter((event) => event.stage === stage).map(({ done, total }) => [done, total]);
  expect(stages("Building the site")).toEqual([0, 1, 2, 3].map((done) => [done, 4]));
  expect(stages("Writing the site").at(-1)).toEqual([11, 12]);

  const rows = [HUMAN, "ada"].map((writer, at) => ({
    ...{ writer, rank: at + 1, strength: 1, interval: [0, 2] as [number, number], letters: "a", won: 0.5, meetings: 4 },
  }));
  const headToHead = { rows, judges: [], acrossJudges: false };
  const contestants = (language: "en" | "zh") =>
    boardFile({ ...site, headToHead, language }, { humanWords: null, writtenWords: null }).board.headToHead?.rows.map(
      ({ writer }) => writer,
    );
  expect(contestants("en")).toEqual(["human original", "ada"]);
  expect(contestants("zh")).toEqual(["人类原作", "ada"]);
  expect(siteTexts("zh").judging("v1", "0a1b", "temperature 0.7, whole numbers")).toBe(
    "v1，提示词 0a1b，温度 0.7，整数分",
  );
  // Two writers with the same display name stay two writers.
  const alike = withShownNames({ ...site, writers: site.writers.map((writer) => ({ ...writer, name: "Lantern" })) });
  expect(alike.benchmark.board.rows.map(({ writer }) => writer)).toEqual(["Lantern (ada)", "Lantern (bea)"]);

  const records = new Map([["simulated", { stated: ["judge-1", "judge-2"], drift: [] }]]);
  const changed = await collectSite({ ...made, records }, options);
  expect(changed.benchmark.warnings).toContainEqual(
    expect.stringContaining("simulated is not one judge throughout: its replies state 2 versions (judge-1, judge-2)"),
  );
});
