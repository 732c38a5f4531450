import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import { DuelDesk } from "../../src/server/benchmarks/duel-desk.ts";
import {
  createSimulatedServer,
  type SimulatedServer,
  simulatedNovelists,
  simulatedProse,
} from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

describe("head to head", () => {
  const root = mkdtempSync(join(tmpdir(), "fabula-duel-"));
  const corpus = join(root, "novels");
  const bench = join(root, "site.bench");
  let server: SimulatedServer;
  let stores = 0;
  const run = (words: string[], store = join(root, `store-${stores++}.db`)) =>
    runFabula(words, { environment: { FABULA_STORE: store } });
  const answered = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;
  const duel = (...more: string[]) => ["bench", "duel", bench, "--judge", server.judge("ann"), "--json", ...more];

  beforeAll(async () => {
    mkdirSync(corpus);
    for (let novel = 1; novel <= 8; novel++) {
      const random = seededRandom(novel);
      const chapters = [1, 2, 3].map((number) => `# Chapter ${number}\n\n${simulatedProse(0.2, 260, "en", random)}\n`);
      writeFileSync(join(corpus, `novel-${novel}.md`), chapters.join("\n"));
    }
    server = await createSimulatedServer({ reply: simulatedNovelists({ ada: 0.6, bea: 0.35, cleo: 0.02 }) });
    const writers = join(root, "writers.txt");
    writeFileSync(writers, ["ada", "bea", "cleo"].map((name) => `${server.judge(name)} name="The ${name}"`).join("\n"));
    const made = await run([
      ...["bench", "leaderboard", corpus, "--writers", writers, "--judges", server.judge("ann")],
      ...["--chapters", "2", "--check-texts", "0", "--novels", "8", "--out", join(root, "site")],
    ]);
    expect(made.code, made.stderr).toBe(0);
  });
  afterAll(() => server?.close());

  it("publishes a table to sort and search, the writers among the human novels, and the lengths of both", () => {
    const page = readFileSync(join(root, "site", "index.html"), "utf8");
    for (const part of [
      '<table id="board" class="leaderboard">',
      'data-searches="board"',
      "Per book (USD)",
      "Writers among the human novels",
    ])
      expect(page).toContain(part);
    // The human chapters have about 290 words, the written ones 331.
    expect(page).toMatch(/A chapter of the human novels has 2[6-9]\d words on average, a written one here 3\d\d/);
    // Scripts are files of the site: nothing that stands in a page may run.
    expect(page).toContain("script-src 'self' file:");
    expect(page).not.toMatch(/<script(?![^>]* src=)/);
    const sources = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, source]) => source!);
    expect(sources.length).toBeGreaterThan(0);
    for (const source of sources) expect(existsSync(join(root, "site", source)), source).toBe(true);
  });

  it("says what it costs before it asks, and writes nothing", async () => {
    const before = answered();
    const { code, stdout, stderr } = await run(duel("--meetings", "12", "--dry-run"));
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout).plan.calls).toBe(24);
    expect(answered()).toBe(before);
    expect(existsSync(join(bench, "duels.jsonl"))).toBe(false);
  });

  it("ranks the writers and the human original, both orders each, and never asks twice for what its file says", async () => {
    let before = answered();
    const first = await run(duel("--meetings", "40"));
    expect(first.code, first.stderr).toBe(0);
    const { board, asked } = JSON.parse(first.stdout);
    expect(answered() - before).toBe(2 * asked);
    const order = board.rows.map((row: { writer: string }) => row.writer);
    expect(order).toEqual([server.judge("ada"), server.judge("bea"), "human original", server.judge("cleo")]);
    expect(board.rows[0].groups).not.toBe(board.rows[3].groups);
    expect(board.acrossJudges).toBe(false);
    const rows = readFileSync(join(bench, "duels.jsonl"), "utf8").trim().split("\n");
    expect(rows).toHaveLength(2 * asked);
    const [one, other] = rows.map((row) => JSON.parse(row));
    expect([one.left, one.right, one.leftFirst]).toEqual([other.left, other.right, !other.leftFirst]);

    before = answered();
    const again = await run(duel("--meetings", String(asked)));
    expect(again.code, again.stderr).toBe(0);
    expect(answered()).toBe(before);
    expect(JSON.parse(again.stdout)).toMatchObject({ asked: 0, known: asked });
  });

  it("counts blind votes of the web app as a judge, and says how far the judge agrees with them", async () => {
    const desk = new DuelDesk(bench);
    for (const voter of ["v1", "v2"]) {
      for (let turn = 0; turn < 12; turn++) {
        const { pair } = await desk.next(voter);
        expect(JSON.stringify(pair)).not.toContain("human original");
        const share = pair!.sides.map((text) => text.split("luminous").length);
        await desk.vote({ voter, pair: pair!.id, choice: share[0]! > share[1]! ? "A" : "B" }, new Date(0));
      }
    }
    const { code, stdout, stderr } = await run(["bench", "duel", bench, "--json"]);
    expect(code, stderr).toBe(0);
    const { board, votes, asked, ended } = JSON.parse(stdout);
    expect({ votes, asked, ended }).toEqual({ votes: 24, asked: 0, ended: "no judge" });
    const [judge, people] = board.judges;
    expect(people.judge).toBe("people");
    expect(judge.withPeople.of).toBeGreaterThanOrEqual(6);
    expect(judge.withPeople.same / judge.withPeople.of).toBeGreaterThan(0.7);
    expect(await desk.standings()).toMatchObject({ rows: [{ writer: server.judge("ada"), rank: 1 }, {}, {}, {}] });
  });

  it("keeps the answers about everybody when only some meet", async () => {
    const rows = () => readFileSync(join(bench, "duels.jsonl"), "utf8").trim().split("\n");
    const before = rows();
    const some = await run(duel("--writer", `${server.judge("bea")},${server.judge("cleo")}`, "--meetings", "60"));
    expect(some.code, some.stderr).toBe(0);
    expect(JSON.parse(some.stdout).asked).toBeGreaterThan(0);
    expect(rows()).toEqual(expect.arrayContaining(before));
    expect(rows()).toHaveLength(before.length + 2 * JSON.parse(some.stdout).asked);
  });

  it("is frozen with its answers and votes, the human original's too, whose text is not published", async () => {
    const [one, two] = [join(root, "board-v1"), join(root, "board-v2")];
    const board = async (folder: string) => {
      const { code, stdout, stderr } = await run(["bench", "duel", folder, "--json"]);
      expect(code, stderr).toBe(0);
      return JSON.parse(stdout);
    };
    for (const words of [
      ["--out", one],
      ["--previous", one, "--out", two],
    ]) {
      const { code, stderr } = await run(["bench", "freeze", bench, ...words]);
      expect(code, stderr).toBe(0);
    }
    const { known, votes, board: own } = await board(bench);
    for (const folder of [one, two]) {
      expect(existsSync(join(folder, "chapters.jsonl"))).toBe(false);
      const kept = await board(folder);
      expect(kept).toMatchObject({ known, votes, hasHuman: true });
      expect(kept.board.rows).toEqual(own.rows);
      expect(readFileSync(join(folder, "duel-votes.jsonl"), "utf8")).not.toContain('"v1"');
    }
    const shown = await run(["bench", "duel", one]);
    expect(shown.stdout).toMatch(/1 {2}The ada /);
  });

  it("refuses a writer who is not there in one sentence", async () => {
    const { code, stderr } = await run(duel("--writer", "nobody"));
    expect(code).toBe(1);
    expect(stderr).toContain("nobody has no texts in");
  });
});
