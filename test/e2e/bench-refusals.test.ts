import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import {
  createSimulatedServer,
  type ReplyHandler,
  type SimulatedServer,
  simulatedNovelists,
  simulatedProse,
} from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const NOVELS = 4;
const CHAPTERS = 2;
const REFUSALS = {
  en: "I'm sorry, but I can't help with that.",
  zh: "抱歉，我无法协助完成这一章的写作。",
};

const novelists = simulatedNovelists({ willing: 0.4, unwilling: 0.4 });

/** As the novelists, of whom the unwilling one declines every other chapter in words. */
let asked = 0;
const reply: ReplyHandler = (request, random) => {
  const prompt = request.messages.map(({ content }) => content).join("\n");
  if (request.model === "unwilling" && ++asked % 2 === 1) return REFUSALS[/\p{Script=Han}/u.test(prompt) ? "zh" : "en"];
  return novelists(request, random);
};

describe.each(["en", "zh"] as const)("a writer that declines in words instead of writing (%s)", (language) => {
  const root = mkdtempSync(join(tmpdir(), `fabula-bench-refusals-${language}-`));
  const environment = { FABULA_STORE: join(root, "store.db") };
  const bench = join(root, "site.bench");
  let server: SimulatedServer;

  beforeAll(async () => {
    mkdirSync(join(root, "novels"));
    for (let novel = 1; novel <= NOVELS; novel++) {
      const random = seededRandom(novel);
      const chapters = Array.from({ length: CHAPTERS }, (_, index) => {
        const heading = language === "en" ? `Chapter ${index + 1}` : `第${"一二"[index]}章 雨夜`;
        return `${heading}\n\n${simulatedProse((0.6 * novel) / NOVELS, 260, language, random)}\n`;
      });
      writeFileSync(join(root, "novels", `novel-${novel}.txt`), chapters.join("\n"));
    }
    server = await createSimulatedServer({ reply });
    writeFileSync(join(root, "writers.txt"), `${server.judge("willing")}\n${server.judge("unwilling")}\n`);
  });
  afterAll(() => server?.close());

  it("is counted as refusing, on the site too, and its refusals are not scored", async () => {
    const { code, stdout, stderr } = await runFabula(
      [
        ...["bench", "leaderboard", join(root, "novels"), "--writers", join(root, "writers.txt")],
        ...["--judges", server.judge("judge"), "--out", join(root, "site"), "--chapters", String(CHAPTERS)],
        ...["--check-texts", "0", "--concurrency", "1", "--json"],
      ],
      { environment },
    );
    expect(code, stderr).toBe(3);
    expect(stdout).not.toBe("");
    const { conduct } = JSON.parse(readFileSync(join(root, "site", "data", "leaderboard.json"), "utf8"));
    const rates = Object.fromEntries(
      conduct.map((row: { model: string; rates: object }) => [row.model.split("@")[0], row.rates]),
    );
    const chapters = NOVELS * CHAPTERS;
    expect(rates.willing).toMatchObject({ asked: chapters, refused: 0 });
    expect(rates.unwilling).toMatchObject({ asked: chapters, refused: chapters / 2, unwritten: chapters / 2 });
    const page = readFileSync(join(root, "site", "index.html"), "utf8");
    expect(page).toContain(language === "en" ? "4 refused" : "4 章被拒写");
    expect(page).toContain('<td class="number">50.0 %</td>');
    const scores = readFileSync(join(root, "site", "data", "scores.csv"), "utf8")
      .trim()
      .split("\n")
      .slice(1);
    expect(scores.filter((line) => line.startsWith("unwilling"))).toHaveLength(chapters / 2);
  });

  it("has no text placed that is too short or in another language", async () => {
    const population = join(bench, `population.${server.judge("judge").replace(/[^A-Za-z0-9._-]+/g, "-")}.json`);
    const other = language === "en" ? "zh" : "en";
    const write = (name: string, text: string) => {
      const file = join(root, name);
      writeFileSync(file, text);
      return file;
    };
    const short = write("short.txt", "The rain fell on seven old roofs.");
    const foreign = write("foreign.txt", simulatedProse(0.2, 300, other, seededRandom(9)));
    const own = write("own.txt", simulatedProse(0.2, 300, language, seededRandom(9)));
    const place = (...words: string[]) =>
      runFabula(["bench", "place", ...words, "--population", population, "--judge", server.judge("judge")], {
        environment,
      });
    const before = server.exchanges.length;
    const tooShort = await place(short);
    expect(tooShort).toMatchObject({ code: 1, stdout: "" });
    expect(tooShort.stderr).toMatch(
      /^fabula: .*short\.txt cannot be placed: the text has 7 words, and at least 100 are needed/m,
    );
    const inOther = await place(foreign);
    expect(inOther).toMatchObject({ code: 1, stdout: "" });
    const [its, theirs] = language === "en" ? ["Chinese", "English"] : ["English", "Chinese"];
    expect(inOther.stderr).toMatch(new RegExp(`the text is in ${its} and the novels of .* are in ${theirs}: `));
    expect(server.exchanges).toHaveLength(before);
    const several = await place(own, short);
    expect(several.code).toBe(3);
    const kinds = several.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).percentile.kind);
    expect(kinds.sort()).toEqual(["scored", "unscored"]);
  });
});
