import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../testing/index.ts";
import { compareBooks } from "./compare-books.ts";

let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-compare-"));
  server = await createSimulatedServer({
    // Prefers the book with the higher number, in every aspect.
    reply: ({ messages }) => {
      const [first = 0, second = 0] = [...messages.at(-1)!.content.matchAll(/numbered (\d+)/g)].map((match) =>
        Number(match[1]),
      );
      const better = first === second ? "tie" : first > second ? "first" : "second";
      return JSON.stringify({
        aspects: { plot: { reason: "by number", better } },
        reason: "by number",
        overall: better,
      });
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function book(number: number): Promise<string> {
  const file = join(folder, `book-${number}.md`);
  const text = "It was a quiet town and it kept its own counsel through the long winter of that year. ".repeat(20);
  await writeFile(file, `# Book ${number}\n\n## Chapter 1\n\nThis book is numbered ${number}. ${text}\n`);
  return file;
}

const options = () => ({
  judge: server.judge("simulated-small"),
  runs: 2,
  aspects: ["plot"],
  settings: { store: join(folder, "calls.db"), command: ["compare"], folder, connections: server.connections },
  services: { signal: new AbortController().signal },
});

describe("comparing books", () => {
  it("takes two calls a run and finds the better one without position bias", async () => {
    const { result, run } = await compareBooks([await book(3), await book(7)], options());
    expect(run.summary.calls).toBe(4);
    expect(result.aspects.find(({ id }) => id === "plot")).toMatchObject({
      // Four answers that agree may be chance.
      better: "tie",
      leaning: "right",
      right: 4,
      consistent: { same: 2, of: 2 },
    });
    expect(result.positionBias.bias).toBe(0);
  });

  it("never lets a reason's “first” stand under the other title", async () => {
    const reasoned = await createSimulatedServer({
      // Always prefers the book shown first, and gives as its reason the name the prompt used for it.
      reply: ({ messages }) => {
        const [number] = /numbered (\d+)/.exec(messages.at(-1)!.content)!.slice(1);
        const better = number === "7" ? "first" : "tie";
        return JSON.stringify({
          aspects: { plot: { reason: "The first has more at stake.", better } },
          overall: better,
        });
      },
    });
    const { result } = await compareBooks([await book(3), await book(7)], {
      ...options(),
      judge: reasoned.judge("simulated-small"),
      runs: 6,
      settings: { ...options().settings, connections: reasoned.connections },
    });
    await reasoned.close();
    const { better, reasons } = result.aspects.find(({ id }) => id === "plot")!;
    expect(better).toBe("right");
    expect(reasons).toEqual(["The first has more at stake. (Here “first” means “book-7”.)"]);
  });

  it("ranks many books in a tournament of chosen meetings", async () => {
    const files = await Promise.all([1, 2, 3, 4, 5, 6].map(book));
    const { result } = await compareBooks(files, { ...options(), meetings: 14 });
    expect(result.meetings).toBe(28);
    const ranked = result.standings.overall!.map(({ id }) => files.indexOf(id) + 1);
    expect(ranked[0]).toBe(6);
    expect(ranked.at(-1)).toBe(1);
  });

  it("ends a tournament as soon as its goal is reached, and says so", async () => {
    const files = await Promise.all([1, 2, 3, 4, 5, 6].map(book));
    const top = { kind: "top", count: 1 } as const;
    const { result } = await compareBooks(files, { ...options(), runs: 6, until: top });
    expect(result.settled).toMatch(/^After \d+ meetings the order of the first 1 is settled\.$/);
    expect(result.meetings).toBeLessThan(2 * 6 * 15);
    expect(result.standings.overall![0]!.id).toBe(files[5]);
    const few = await compareBooks(files, { ...options(), runs: 6, until: top, meetings: 4 });
    expect(few.result.settled).toContain("not yet so");
  });

  it.each([
    { kind: "width", halfWidth: 2 },
    { kind: "top", count: 1 },
  ] as const)("plans every meeting that a tournament until a goal may need: $kind", async (until) => {
    const files = await Promise.all([1, 2, 3, 4].map(book));
    const { settings, ...rest } = options();
    const asked = { ...rest, runs: 12, until };
    const { plan } = await compareBooks(files, { ...asked, settings: { ...settings, dryRun: true } });
    // Four books make six pairs; each may meet twelve times, and a meeting asks in both orders.
    expect(plan!.calls).toBe(6 * 12 * 2);
    const { run } = await compareBooks(files, { ...asked, settings });
    expect(run.summary.calls).toBeLessThanOrEqual(plan!.calls);
  });

  it("needs two books", async () => {
    await expect(compareBooks(["one.md"], options())).rejects.toThrow("at least two books");
  });
});
