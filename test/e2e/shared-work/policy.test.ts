import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, expect, it, vi } from "vitest";
import { peakUnderWay } from "../../../benchmarks/support/arrivals.ts";
import { answering, madeQuestions } from "../../../benchmarks/support/made-library.ts";
import { type SimulatedServer, seededReply } from "../../../src/testing/index.ts";
import { sharedWorkUnderTest } from "../../support/shared-work-under-test.ts";
import { spawnFabula } from "../run-fabula.ts";

vi.setConfig({ testTimeout: 300_000 });

const under = sharedWorkUnderTest();
const { worker, workers, fabula, runOf } = under;
let store: string;
let folder: string;
let server: SimulatedServer;
beforeEach(() => {
  ({ store, folder } = under);
});

it("a book that ends every worker that reads it is set aside with that reason, and the others are delivered", async () => {
  const POISON = "Quillermont";
  let kills = 0;
  server = await under.serve({
    reply: async (asked, random) => {
      if (JSON.stringify(asked.messages).includes(POISON)) {
        kills += 1;
        const gone = workers.splice(0);
        for (const { child } of gone) child.kill("SIGKILL");
        await under.giveUp(gone);
        worker();
      }
      return seededReply(asked, random);
    },
  });
  const chapter = (name: string) =>
    `# ${name}\n\n## One\n\n${`${name} went out to the harbour and looked at the boats. `.repeat(120)}\n`;
  for (const [file, name] of Object.entries({ a: "Anna", b: POISON, c: "Clara" }))
    await writeFile(join(folder, `${file}.md`), chapter(name));
  worker();
  const words = [
    "evaluate",
    "a.md",
    "b.md",
    "c.md",
    "--judge",
    server.judge("m"),
    "--method",
    "one-pass",
    "--runs",
    "1",
  ];
  const { code, stdout, stderr } = await fabula([...words, "--json"]);
  expect(kills, stderr).toBe(3);
  const run = runOf({ stderr });
  const reason = /it was set aside: its worker ended each of the 3 times it was tried/;
  expect(stderr).toMatch(reason);
  expect(code).not.toBe(0);
  const printed = JSON.parse(stdout);
  expect(JSON.stringify(printed.failed)).toMatch(/b\.md/);
  expect(JSON.stringify(printed.failed)).toMatch(reason);
  expect(printed.evaluations.map(({ book }: { book: { file: string } }) => book.file)).toEqual(["a.md", "c.md"]);
  const shown = await fabula(["runs", "show", run]);
  expect(shown.stdout).toMatch(/2 of 3 pieces done, 0 under way, 0 waiting, 0 failed, 1 set aside/);
  expect(shown.stdout).toMatch(/owner ada; workers that ended while they had a piece: [3-5]/);
});

it("a run that is cancelled holds nothing, is over for whoever waits for it, and can be queued again", async () => {
  // Slow until it is cancelled: that comes in time however long its command takes to start.
  let isSlow = true;
  server = await under.serve({
    reply: async (asked, random) => {
      if (isSlow) await wait(1000);
      return seededReply(asked, random);
    },
  });
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(80));
  worker();
  await workers[0]!.said("ready");
  const environment = { FABULA_STORE: store, FABULA_OWNER: "ada" };
  const words = [...answering("out.jsonl", server.judge("m")), "--concurrency", "4"];
  const waiting = spawnFabula(words, { folder, environment });
  while (server.exchanges.length < 8) await wait(20);
  const listed = JSON.parse((await fabula(["runs", "list", "--json"])).stdout);
  const run: string = listed.runs[0].id;
  const cancelled = await fabula(["runs", "cancel", run]);
  expect(cancelled.stdout, cancelled.stderr).toContain(`Run ${run} is cancelled.`);
  const waited = await waiting;
  expect(waited.code).toBe(1);
  expect(waited.stderr).toContain(`Run ${run} was cancelled: \`fabula runs resume ${run}\` queues it again.`);
  await workers[0]!.said("given-back");
  isSlow = false;
  const sent = server.exchanges.length;
  expect(sent).toBeLessThan(80);
  await wait(1000);
  expect(server.exchanges.length).toBe(sent);
  expect((await fabula(["runs", "pause", run])).stderr).toContain("has already ended");
  expect((await fabula(["runs", "resume", run])).code).toBe(0);
  expect(server.exchanges).toHaveLength(80);
});

it("one book does not wait behind forty of another owner, and the operator's limit holds for both", async () => {
  // The long run takes minutes, however slow the machine: the test ends with the short one.
  server = await under.serve({ latency: 500 });
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(6000));
  const provider = new URL(server.url).host;
  const set = await fabula(["limits", provider, "--concurrency", "6", "--json"]);
  expect(JSON.parse(set.stdout)).toMatchObject({ providers: [{ provider, concurrency: 6 }] });
  const first = runOf(await fabula([...answering("long.jsonl", server.judge("m")), "--concurrency", "40", "--detach"]));
  worker();
  while (server.exchanges.length < 12) await wait(20);
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(10));
  const short = await fabula(answering("short.jsonl", server.judge("n")), "ben");
  expect(short.code, short.stderr).toBe(0);
  const shown = JSON.parse((await fabula(["runs", "show", first, "--json"])).stdout);
  expect(shown.shared.pieces.done).toBeLessThan(shown.shared.pieces.total);
  expect(shown.shared.limits).toEqual([{ provider, on: "calls at a time" }]);
  const inWords = await fabula(["runs", "show", first]);
  expect(inWords.stdout).toContain(`calls wait for the limit of ${provider} on calls at a time`);
  expect(peakUnderWay(server.exchanges)).toBeLessThanOrEqual(6);
});
