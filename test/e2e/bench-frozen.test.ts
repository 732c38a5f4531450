import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../src/core/random.ts";
import {
  createSimulatedServer,
  type SimulatedServer,
  simulatedNovelists,
  simulatedProse,
} from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const CHAPTERS = 2;
const WRITERS = { ada: 0.55, bea: 0.3, cleo: 0.05 };

function writeNovel(folder: string, novel: number): void {
  const random = seededRandom(novel);
  const chapters = Array.from(
    { length: CHAPTERS + 1 },
    (_, index) => `# Chapter ${index + 1}\n\n${simulatedProse(0.06 * novel, 260, "en", random)}\n`,
  );
  writeFileSync(join(folder, `novel-${novel}.md`), chapters.join("\n"));
}

const lines = (file: string) =>
  readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("a frozen benchmark", () => {
  const root = mkdtempSync(join(tmpdir(), "fabula-frozen-"));
  const [corpus, site, writers] = [join(root, "novels"), join(root, "first"), join(root, "writers.txt")];
  const [one, two] = [join(root, "board-v1"), join(root, "board-v2")];
  let stores = 0;
  /** A store of its own each time: what is not asked again is known from the published files, not from this machine. */
  const run = (words: string[], store = join(root, `store-${stores++}.db`)) =>
    runFabula(words, { environment: { FABULA_STORE: store } });
  const home = join(root, "home.db");
  let server: SimulatedServer;
  const answered = () => server.exchanges.filter(({ outcome }) => outcome === "answered").length;
  const board = (folder: string, novels = 6) => [
    ...["bench", "leaderboard", corpus, "--writers", writers, "--judges", server.judge("ann"), "--out", folder],
    ...["--chapters", String(CHAPTERS), "--check-texts", "0", "--novels", String(novels)],
  ];
  const texts = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name.startsWith("written."))
        .flatMap((name) => lines(join(folder, name)))
        .map(({ writer, novel, chapter, text }) => [`${writer} ${novel} ${chapter}`, text]),
    );

  beforeAll(async () => {
    mkdirSync(corpus);
    for (let novel = 1; novel <= 8; novel++) writeNovel(corpus, novel);
    const novelists = simulatedNovelists(WRITERS);
    server = await createSimulatedServer({
      reply: (request, random) =>
        request.model === "echo" && !request.schema
          ? "The clerk counted the boats by the empty stairs, and waited."
          : novelists(request, random),
    });
    writeFileSync(writers, `${server.judge("ada")}\n`);
    const { code, stderr } = await run(board(site), home);
    expect(code, stderr).toBe(0);
    const frozen = await run(["bench", "freeze", `${site}.bench`, "--out", one, "--title", "Board", "--json"]);
    expect(frozen.code, frozen.stderr).toBe(0);
    expect(JSON.parse(frozen.stdout)).toMatchObject({
      version: 1,
      novels: 6,
      chapters: 12,
      writers: [server.judge("ada")],
    });
  });
  afterAll(() => server?.close());

  it("names the drawn chapters by hash and says nothing of the machine or of the originals' texts", () => {
    const frozen = JSON.parse(readFileSync(join(one, "benchmark.json"), "utf8"));
    expect(frozen.novels[0].chapters[0].sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(existsSync(join(one, "chapters.jsonl"))).toBe(false);
    for (const file of readdirSync(one)) expect(readFileSync(join(one, file), "utf8"), file).not.toContain(root);
  });

  it("takes one more writer for that writer's calls, and a judge who reads the old texts for the judge's own", async () => {
    const old = texts(one);
    let before = answered();
    const words = ["bench", "extend", one, "--writer", server.judge("bea"), "--anchors", "0"];
    const planned = await run([...words, "--dry-run", "--json"]);
    expect(planned.code, planned.stderr).toBe(0);
    // What the writer would write is scored too.
    expect(JSON.parse(planned.stdout).plan.calls).toBe(12 + 12);
    expect(answered()).toBe(before);
    const writer = await run(words);
    expect(writer.code, writer.stderr).toBe(0);
    expect(answered() - before).toBe(12 + 12);

    before = answered();
    const judge = ["bench", "extend", one, "--judge", server.judge("bob"), "--check-texts", "0"];
    const refused = await run(judge);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("--originals");
    const added = await run([...judge, "--originals", `${site}.bench`, "--json"]);
    expect(added.code, added.stderr).toBe(0);
    expect(JSON.parse(added.stdout)).toMatchObject({ version: 2, added: { judges: [server.judge("bob")] } });
    // Sixteen chapters of eight human novels, and twelve of each writer.
    expect(answered() - before).toBe(16 + 24);

    before = answered();
    expect((await run(["bench", "extend", one])).code).toBe(0);
    expect(answered()).toBe(before);
    expect(texts(one)).toMatchObject(old);
  });

  it("keeps what was drawn and written when a novel is added, and asks for that novel only", async () => {
    const drawn = JSON.parse(readFileSync(join(one, "benchmark.json"), "utf8")).novels;
    const old = texts(one);
    writeNovel(corpus, 9);
    let before = answered();
    const grown = await run(board(site, 7), home);
    expect(grown.code, grown.stderr).toBe(0);
    // The judge reads the new novel; whichever is drawn is retold, written and scored.
    expect(answered() - before).toBe(CHAPTERS + CHAPTERS * 3);
    const frozen = await run(["bench", "freeze", `${site}.bench`, "--previous", one, "--out", two, "--json"]);
    expect(frozen.code, frozen.stderr).toBe(0);
    const result = JSON.parse(frozen.stdout);
    expect(result).toMatchObject({ version: 3, novels: 7 });
    expect(result.added.novels).toHaveLength(1);
    const now = JSON.parse(readFileSync(join(two, "benchmark.json"), "utf8"));
    expect(now.novels.slice(0, 6)).toEqual(drawn);
    expect(now.history.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3]);
    expect(texts(two)).toMatchObject(old);
    before = answered();
    const filled = await run(["bench", "extend", two, "--writer", server.judge("bea"), "--anchors", "0"]);
    expect(filled.code, filled.stderr).toBe(0);
    // Bea writes two chapters; Ann scores those, Bob those and Ada's.
    expect(answered() - before).toBe(2 + 2 + 4);
  });

  it("refuses a submission that does not fit, by name, and takes one that does", async () => {
    const frozen = JSON.parse(readFileSync(join(one, "benchmark.json"), "utf8"));
    const random = seededRandom(5);
    const rows = frozen.novels.flatMap(({ novel, chapters }: { novel: string; chapters: { chapter: number }[] }) =>
      chapters.map(({ chapter }) => ({ novel, chapter, text: simulatedProse(0.4, 600, "en", random) })),
    );
    const file = join(root, "submission.jsonl");
    const submit = async (given: object[], ...more: string[]) => {
      writeFileSync(file, given.map((row) => JSON.stringify(row)).join("\n"));
      return run(["bench", "submit", one, file, "--writer", "dora", ...more]);
    };
    const copied = Object.values(texts(one))[0] as string;
    const wrong = await submit([
      ...rows.slice(0, 8),
      { ...rows[8], synopsisHash: "0" },
      { ...rows[9], text: copied },
      { novel: "nowhere", chapter: 1, text: "It rained." },
    ]);
    expect(wrong.code).toBe(1);
    expect(wrong.stdout).toContain("written from another synopsis");
    expect(wrong.stdout).toContain("word for word");
    expect(wrong.stdout).toContain("line 11 (nowhere, chapter 1) is not in version 2");
    expect(wrong.stdout).toContain("2 of 12 chapters are missing");
    expect(existsSync(join(one, "written.dora.jsonl"))).toBe(false);
    expect((await submit(rows, "--check")).stdout).toContain("Nothing is wrong with it.");
    const taken = await submit(rows, "--name", "Dora", "--maker", "Harbour Works");
    expect(taken.code, taken.stderr).toBe(0);
    const before = answered();
    expect((await run(["bench", "extend", one, "--anchors", "4"])).code).toBe(0);
    // Both judges score twelve texts, and four anchor texts once more.
    expect(answered() - before).toBe(24 + 8);
    const [drift] = readdirSync(one).filter((name) => name.startsWith("drift."));
    expect(lines(join(one, drift!))).toMatchObject(Array.from({ length: 4 }, () => ({ round: 1, stated: "ann" })));
  });

  it("publishes a site that is made again from its own data to the byte, and says when it was not", async () => {
    const out = join(root, "site");
    const before = answered();
    const written = await run(["bench", "site", one, "--out", out, "--json"]);
    expect(written.code, written.stderr).toBe(0);
    expect(JSON.parse(written.stdout).writers).toHaveLength(3);
    const verified = await run(["bench", "verify", out]);
    expect(verified.code, verified.stderr).toBe(0);
    expect(verified.stdout).toContain("all equal to the byte");
    expect(answered()).toBe(before);
    const page = readFileSync(join(out, "index.html"), "utf8");
    expect(page).toContain("Version its replies state");
    expect(page).toMatch(/<td class="number">ann<\/td>/);
    expect(page).toMatch(/\(4 texts, \d{4}-/);
    expect(readFileSync(join(out, "methods.html"), "utf8")).toMatch(
      /<td>ann, prompt [0-9a-f]{12}, temperature 0<\/td>/,
    );

    const forged = join(root, "forged");
    cpSync(out, forged, { recursive: true });
    const table = join(forged, "data", "leaderboard.csv");
    writeFileSync(table, readFileSync(table, "utf8").replace(/\d(?=\n)/, "9"));
    const found = await run(["bench", "verify", forged]);
    expect(found.code).toBe(1);
    expect(found.stdout).toContain("leaderboard.csv");

    writeFileSync(join(forged, "data", "benchmark", "synopses.jsonl"), "");
    const changed = await run(["bench", "verify", forged]);
    expect(changed.code).toBe(1);
    expect(changed.stderr).toContain("synopses.jsonl was changed");
  });

  it("keeps the scores of every chapter of a writer who gives the same text for all of them", async () => {
    const next = join(root, "board-v4");
    const words = ["bench", "extend", two, "--writer", server.judge("echo"), "--anchors", "0"];
    expect((await run(words)).code).toBe(0);
    expect((await run(["bench", "freeze", `${site}.bench`, "--previous", two, "--out", next])).code).toBe(0);
    const scores = readdirSync(next).filter((name) => name.startsWith("scores.") && name.includes("echo"));
    expect(scores.map((file) => lines(join(next, file)).length)).toEqual([14, 14]);
  });
});
