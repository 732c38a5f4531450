import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { madeQuestions } from "../../../benchmarks/support/made-library.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { seededRandom, shuffled } from "../../../src/core/random.ts";
import { newRun } from "../../../src/runner/run-record.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { Database } from "../../../src/store/postgres/database.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { startPostgres, type TestPostgres } from "../../support/postgres.ts";
import { startWorker, type WorkerProcess } from "../../support/worker-process.ts";
import { runFabula } from "../run-fabula.ts";

/** Each starts several processes, and a busy machine takes its time. */
vi.setConfig({ testTimeout: 240_000 });

const STORY = "assets/examples/the-inspector-of-weights.md";

let postgres: TestPostgres;
let server: SimulatedServer;
let worker: WorkerProcess;
let store: string;
let unserved: string;
let root: string;
let judge: string;
beforeAll(async () => {
  postgres = await startPostgres();
  store = await postgres.freshDatabase();
  unserved = await postgres.freshDatabase();
  server = await createSimulatedServer();
  judge = server.judge("m");
  root = await mkdtemp(join(tmpdir(), "fabula-shared-"));
  worker = startWorker(store);
  await makeInputs(join(root, "inputs"));
  await worker.said("ready");
});
afterAll(async () => {
  worker.child.kill("SIGKILL");
  await worker.ended;
  await server.close();
  await postgres.close();
  await rm(root, { recursive: true, force: true });
});

async function makeInputs(folder: string): Promise<void> {
  await mkdir(join(folder, "bench"), { recursive: true });
  const story = await readFile(STORY, "utf8");
  await writeFile(join(folder, "story.md"), story);
  await cp("assets/examples/outline.md", join(folder, "outline.md"));
  await writeFile(join(folder, "broken.epub"), "PK\u0003\u0004 no book");
  // With parts and frames, and what `book.yaml` says of it.
  const parts = story.replace(/^## .*$/m, "# Part One\n\n## Prologue").replace(/^# (?!Part One)/m, "# Volume ");
  await mkdir(join(folder, "parts"));
  await writeFile(join(folder, "parts", "story.md"), parts);
  await writeFile(join(folder, "parts", "book.yaml"), "title: Parts and Weights\nauthor: A. Writer\n");
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(30));
  const sentences =
    story
      .split("---\n")
      .at(-1)!
      .replace(/^#.*$/gm, "")
      .match(/[^.!?]+[.!?]+["”]?/g) ?? [];
  const text = (seed: number) => shuffled(sentences, seededRandom(seed)).slice(0, 40).join(" ").replace(/\s+/g, " ");
  const lines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  const items = Array.from({ length: 12 }, (_, id) => ({ id, text: text(id) }));
  await writeFile(join(folder, "items.jsonl"), `${lines(items)}\n{"id":"empty"}\nno json\n${lines(items.slice(0, 2))}`);
  await writeFile(
    join(folder, "reviews.jsonl"),
    lines(
      items.map(({ id }) => ({
        book: "b",
        reviewer: `r${id}`,
        rating: 4,
        text: `Review ${id}: the plot drags, but the characters are drawn with care.`,
      })),
    ),
  );
  const places = [1, 2, 3, 4].flatMap((novel) => [1, 2, 3].map((chapter) => ({ novel: `novel-${novel}`, chapter })));
  await writeFile(
    join(folder, "bench", "chapters.jsonl"),
    lines(
      places.map(({ novel, chapter }, seed) => ({
        novel,
        chapter,
        writer: "human",
        title: novel,
        language: "en",
        words: 300,
        sha256: String(seed),
        text: text(seed),
      })),
    ),
  );
}

/** The same words twice, in two copies of the same folder: by the worker, and in one process on a store that no worker serves. */
async function bothWays(words: readonly string[], prepare: (folder: string) => Promise<void> = async () => {}) {
  const outcomes = await Promise.all(
    ["shared", "local"].map(async (way) => {
      const folder = join(root, `${way}-${words.slice(0, 2).join("-").replace(/\W/g, "")}-${Math.random()}`);
      await cp(join(root, "inputs"), folder, { recursive: true });
      await prepare(folder);
      const isShared = way === "shared";
      const where = isShared ? ["--store", store] : ["--store", unserved, "--local"];
      const { code, stdout, stderr } = await runFabula([...words, ...where], { folder });
      const files: Record<string, string> = {};
      for (const file of (await readdir(folder, { recursive: true })).sort()) {
        if (/\.(jsonl?|html|md)$/.test(file)) files[file] = await readFile(join(folder, file), "utf8");
      }
      return { code, stderr, way, said: withoutRun(stdout), files: withoutRun(JSON.stringify(files)) };
    }),
  );
  const [shared, local] = outcomes as [(typeof outcomes)[0], (typeof outcomes)[0]];
  expect(shared.stderr).toContain("is queued for the workers");
  expect(local.stderr).not.toContain("is queued");
  expect(shared.code, shared.stderr).toBe(local.code);
  expect(shared.said).toBe(local.said);
  expect(shared.files).toBe(local.files);
  return shared;
}

/** What is bound to differ: the name of the run. */
function withoutRun(text: string): string {
  return text.replace(/\d{8}-\d{6}-\w{4}/g, "RUN");
}

it.each([
  ["evaluate", "story.md", "--runs", "2", "--method", "aggregate", "--out", "report.json", "--json", "--judge"],
  [
    ...["evaluate", "story.md", "broken.epub", "parts/story.md", "nowhere.md", "--runs", "2", "--method", "one-pass"],
    ...["--out", "reports/", "--json", "--judge"],
  ],
  ["evaluate", "broken.epub", "--method", "one-pass", "--json", "--judge"],
  ["evaluate", "outline.md", "--outline", "--runs", "2", "--out", "report.html", "--json", "--judge"],
  ["reviews", "structure", "--in", "reviews.jsonl", "--out", "o.jsonl", "--dropped", "d.jsonl", "--json", "--model"],
  ["qa", "refine", "--in", "questions.jsonl", "--out", "refined.jsonl", "--json", "--judge"],
  ["qa", "answer", "--in", "questions.jsonl", "--setting", "closed", "--out", "answers.jsonl", "--json", "--model"],
  ["bench", "build", "bench", "--json", "--judge"],
])("`fabula %s %s` with a model says the same by workers and with --local", async (...words) => {
  await bothWays([...words, judge]);
});

it.each([
  ["evaluate", "story.md", "--out", "report.json", "--json"],
  ["evaluate", "broken.epub", "parts/story.md", "nowhere.md", "parts", "--json"],
  ["score", "--in", "items.jsonl", "--out", "scores.jsonl", "--json"],
  ["bench", "build", "bench", "--json"],
])("`fabula %s %s` with the grader says the same by workers and with --local", async (...words) => {
  await bothWays(words);
});

it.each([
  ["evaluate", "story.md", "--method", "aggregate", "--runs", "2", "--out", "o.json", "--json", "--judge", "MODEL"],
  [
    ...["reviews", "structure", "--in", "reviews.jsonl", "--out", "o.jsonl", "--dropped", "d.jsonl", "--json"],
    ...["--model", "MODEL"],
  ],
  ["qa", "refine", "--in", "questions.jsonl", "--out", "refined.jsonl", "--json", "--judge", "MODEL"],
  [
    ...["qa", "answer", "--in", "questions.jsonl", "--setting", "closed", "--out", "answers.jsonl", "--json"],
    ...["--model", "MODEL"],
  ],
  [
    ...["bench", "build", "bench", "--anchors", "bench", "--check-texts", "3", "--check-repeats", "4", "--json"],
    ...["--panel", "grader,MODEL"],
  ],
  ["bench", "run", "bench", "--judge", "MODEL", "--json", "--writer", "MODEL"],
])(
  "the result of `fabula %s %s` is put together from what the workers returned: no call is looked up again",
  async (...words) => {
    const folder = join(root, `fetched-${words[0]}-${words[1]}`);
    await cp(join(root, "inputs"), folder, { recursive: true });
    if (words[1] === "run") await prepareWriting(folder, ["--judge", judge]);
    const inputs = new Set(await readdir(folder, { recursive: true }));
    const environment = { FABULA_STORE: store };
    const said = async (command: readonly string[]) => {
      const { code, stdout, stderr } = await runFabula(command, { folder, environment });
      const written = (await readdir(folder, { recursive: true })).filter((file) => !inputs.has(file)).sort();
      const files = await Promise.all(written.map((file) => readFile(join(folder, file), "utf8")));
      await Promise.all(written.map((file) => rm(join(folder, file))));
      return { code, stdout, stderr, files };
    };
    const { stderr, ...first } = await said(words.map((word) => word.replace("MODEL", judge)));
    const run = /Run (\S+) is queued/.exec(stderr)?.[1];
    expect(run, stderr).toBeDefined();
    const database = new Database(store);
    await database.query("DELETE FROM fabula.calls WHERE key IN (SELECT key FROM fabula.uses WHERE run_id = $1)", [
      run,
    ]);
    await database.close();
    const again = await said(["runs", "resume", run!]);
    expect(again, again.stderr).toMatchObject(first);
    expect(first.files.length).toBeGreaterThan(0);
  },
);

/** A population, and synopses to write from. */
async function prepareWriting(folder: string, judging: readonly string[] = []): Promise<void> {
  const environment = { FABULA_STORE: join(folder, "..", "prepared.db") };
  for (const words of [
    ["bench", "build", "bench", ...judging],
    ["bench", "synopsis", "bench", "--model", judge],
  ]) {
    const { code, stderr } = await runFabula(words, { folder, environment });
    expect(code, stderr).not.toBe(1);
  }
  expect(await readdir(join(folder, "bench"))).toContain("synopses.jsonl");
}

it("a writer's sample is written and placed the same by workers and with --local", async () => {
  await bothWays(["bench", "run", "bench", "--writer", judge, "--json"], (folder) => prepareWriting(folder));
});

it("a population that another judge built is refused before anything is queued or paid", async () => {
  const folder = join(root, "another-judge");
  await cp(join(root, "inputs"), folder, { recursive: true });
  await prepareWriting(folder);
  const population = join(
    "bench",
    (await readdir(join(folder, "bench"))).find((file) => file.startsWith("population."))!,
  );
  const before = server.exchanges.length;
  const { code, stderr } = await runFabula(
    ["bench", "run", "bench", "--writer", judge, "--judge", judge, "--population", population],
    { folder, environment: { FABULA_STORE: store } },
  );
  expect(code).toBe(1);
  expect(stderr).toContain("was judged by grader, not by");
  expect(stderr).not.toContain("queued");
  expect(server.exchanges).toHaveLength(before);
});

it("an error of the work itself ends the run as it does in one process", async () => {
  const folder = join(root, "inputs");
  const wrong = [
    "qa",
    "answer",
    "--in",
    "questions.jsonl",
    "--setting",
    "open",
    "--texts",
    "nowhere",
    "--out",
    "o.jsonl",
  ];
  const { code, stderr } = await runFabula([...wrong, "--model", judge], {
    folder,
    environment: { FABULA_STORE: store },
  });
  expect(code).toBe(1);
  expect(stderr).toContain('The folder "nowhere" cannot be read');
});

it("a run in a shared store that names a program as its judge is not started again by `runs resume`", async () => {
  const marker = join(root, "started");
  const shared = await openStore(unserved);
  const command = ["evaluate", STORY, "--judge", `command:touch ${marker}`, "--local"];
  const run = await newRun(shared, { command, folder: root }, systemClock, seededRandom(1));
  await shared.close();
  const { code, stderr } = await runFabula(["runs", "resume", run.id], { environment: { FABULA_STORE: unserved } });
  expect(stderr).toContain("a program that a shared store names is not started: give the command yourself");
  expect(code).toBe(1);
  expect(existsSync(marker)).toBe(false);
});
