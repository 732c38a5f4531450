import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hurriedClock } from "../../../test/support/hurried-clock.ts";
import { lampsBook, lampsReply } from "../../../test/support/lamps.ts";
import type { RunnerEvent } from "../../runner/runner-event.ts";
import { createSimulatedServer, type SimulatedServer } from "../../testing/index.ts";
import { type JudgeOptions, judgeBooks } from "./judge-books.ts";

const JUDGE = "openai:priced";
const ANSWERED = new Set(["answered", "repeated"]);

let folder: string;
let server: SimulatedServer;
let stores = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-close-runs-"));
  await writeFile(join(folder, "lamps.md"), lampsBook({}, 5));
  await writeFile(
    join(folder, "prices.yaml"),
    `date: 2026-01-01\nmodels:\n  "${JUDGE}": { input: 100, output: 400, context: 100000, batch: 0.5 }\n`,
  );
});
afterEach(() => server.close());
afterAll(() => rm(folder, { recursive: true, force: true }));

const titles = (result: Awaited<ReturnType<typeof judgeBooks>>["result"]) =>
  result[0]!.letter!.findings!.filter(({ origin }) => origin === "read").map(({ title }) => title);

function read(settings: Partial<JudgeOptions["settings"]>, services: Partial<JudgeOptions["services"]> = {}) {
  return judgeBooks(
    { kind: "books", files: [join(folder, "lamps.md")] },
    {
      judges: [JUDGE],
      method: "close",
      depth: "full",
      runs: 2,
      settings: {
        store: join(folder, `${stores}.db`),
        prices: join(folder, "prices.yaml"),
        command: ["evaluate"],
        folder,
        connections: server.connections,
        ...settings,
      },
      services: { signal: new AbortController().signal, ...services },
    },
  );
}

describe("a close reading", () => {
  it("stops at its cost limit and goes on from there: nothing that was answered is paid again", async () => {
    server = await createSimulatedServer({ reply: lampsReply() });
    stores += 1;
    const stopped = await read({ maximumCost: 7 });
    expect(stopped.run.status).toBe("stopped");
    expect(stopped.run.summary.cost!).toBeLessThanOrEqual(7);
    const before = server.exchanges.filter(({ outcome }) => ANSWERED.has(outcome)).length;
    expect(before).toBeGreaterThan(0);
    const whole = await read({ resume: stopped.run.id!, maximumCost: 1000 });
    expect(whole.run.status).toBe("done");
    expect(titles(whole.result).sort()).toEqual(["The key", "The lamps", "The quay", "The scar"]);
    const bodies = server.exchanges.filter(({ outcome }) => ANSWERED.has(outcome)).map(({ body }) => body);
    expect(bodies.length).toBeGreaterThan(before);
    expect(new Set(bodies).size).toBe(bodies.length);
  });

  it("is read in batches, at half the price, with the same findings", async () => {
    server = await createSimulatedServer({ reply: lampsReply() });
    stores += 1;
    const events: RunnerEvent[] = [];
    const batched = await read({ batch: true }, { clock: hurriedClock, onEvent: (event) => events.push(event) });
    expect(titles(batched.result).sort()).toEqual(["The key", "The lamps", "The quay", "The scar"]);
    expect(events.some(({ kind }) => kind === "batch-submitted")).toBe(true);
    stores += 1;
    const single = await read({});
    expect(batched.run.summary.cost!).toBeCloseTo(single.run.summary.cost! / 2, 6);
  });
});
