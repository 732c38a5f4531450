import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seededRandom } from "../../../core/random.ts";
import { placeholderValue } from "../../../models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../testing/index.ts";
import { judgeBooks } from "../judge-books.ts";
import { judgeNextDraft } from "./judge-draft.ts";

let server: SimulatedServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-draft-"));
  let asked = 0;
  server = await createSimulatedServer({
    // A judge that gives higher scores to storms; its scores vary by up to two points.
    reply: ({ messages, schema }) => {
      const segment = /<<<segment [\s\S]*?<<<END segment/.exec(messages.at(-1)!.content)?.[0] ?? "";
      const score = (segment.includes("storm") ? 80 : 50) + (asked++ % 3);
      return JSON.stringify(placeholderValue(schema, seededRandom(1)), (key, value: unknown) =>
        key === "score" || (key === "overall" && typeof value !== "string") ? score : value,
      );
    },
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function draft(changed: number | null): string {
  const chapter = (index: number) => {
    const event =
      index === changed ? "A storm broke over the harbour that nobody had foreseen." : "The town went about its work.";
    return `## Chapter ${index}\n\n${event} ${`In part ${index} the clerk kept the ledger and said little. `.repeat(50)}`;
  };
  return `# The Salt Ledger\n\n${[1, 2, 3, 4, 5, 6].map(chapter).join("\n\n")}\n`;
}

describe("a second draft", () => {
  it("costs only its changed chapters, and says which change is more than noise", async () => {
    const file = join(folder, "draft.md");
    const settings = {
      store: join(folder, "calls.db"),
      command: ["evaluate"],
      folder,
      connections: server.connections,
    };
    const services = { signal: new AbortController().signal };
    const judge = server.judge("simulated-small");
    await writeFile(file, draft(null));
    const first = await judgeBooks(
      { kind: "books", files: [file] },
      { judges: [judge], method: "aggregate", runs: 3, segmentWords: 300, settings, services },
    );
    const before = server.exchanges.length;
    // Summaries, verdicts, and the letter.
    expect(before).toBe(6 + 6 * 3 + 1);
    await writeFile(file, draft(4));
    const { result } = await judgeNextDraft(file, {
      judge,
      against: first.run.id!,
      segmentWords: 300,
      settings,
      services,
    });
    expect(server.exchanges.length - before).toBe(1 + 3);
    const changes = result.changes!;
    expect(changes).toMatchObject({ unchanged: 5, removed: 0 });
    expect(changes.segments).toHaveLength(1);
    expect(changes.segments[0]).toMatchObject({ chapters: [4], overall: { beyondNoise: true } });
    expect(changes.segments[0]!.overall.difference).toBeGreaterThan(25);
    expect(changes.overall.difference).toBeCloseTo(changes.segments[0]!.overall.difference! / 6, 6);
    expect(result.changes!.words!.join(" ")).toContain("1 part changed or new, 5 unchanged");
    // The third draft is compared with the second.
    await writeFile(file, draft(4));
    const third = await judgeNextDraft(file, { judge, against: result.run!, segmentWords: 300, settings, services });
    expect(server.exchanges.length - before).toBe(1 + 3);
    expect(third.result.changes).toMatchObject({ unchanged: 6, overall: { difference: 0 } });
  });

  it.each(["summary", "incremental", "one-pass"] as const)(
    "by the %s method is judged again from where it changed, and compared with the runs before",
    async (method) => {
      const file = join(folder, `${method}.md`);
      const settings = {
        store: join(folder, `${method}.db`),
        command: ["evaluate"],
        folder,
        connections: server.connections,
      };
      const services = { signal: new AbortController().signal };
      const judge = server.judge("simulated-small");
      await writeFile(file, draft(null));
      const shared = { segmentWords: 300, settings, services };
      const input = { kind: "books", files: [file] } as const;
      const first = await judgeBooks(input, { judges: [judge], method, runs: 3, ...shared });
      const before = server.exchanges.length;
      await writeFile(file, draft(4));
      const { result } = await judgeNextDraft(file, { judge, against: first.run.id!, ...shared });
      // The summary of segments 1 to 3, and the incremental evaluation up to there, come from the store.
      const calls = { summary: 3 + 3, incremental: 3 + 3 * 3, "one-pass": 3 };
      expect(server.exchanges.length - before).toBeLessThanOrEqual(calls[method]);
      expect(server.exchanges.length - before).toBeGreaterThan(0);
      expect(result).toMatchObject({ method, runs: 3 });
      expect(result.changes).toMatchObject({ unchanged: 5, segments: [{ chapters: [4] }] });
      expect(result.changes!.overall.interval).not.toBeNull();
      expect(result.changes!.words!.join(" ")).toContain(
        method === "one-pass" ? "whole book was judged again" : "from segment 4 on",
      );
      await expect(
        judgeNextDraft(file, { judge, against: first.run.id!, ...shared, method: "aggregate" }),
      ).rejects.toThrow(`judged by the method ${method}`);
    },
  );

  it("of a run with chapter summaries is judged from chapter summaries too, so an unchanged one shows no change", async () => {
    const file = join(folder, "by-chapter.md");
    const settings = {
      store: join(folder, "by-chapter.db"),
      command: ["evaluate"],
      folder,
      connections: server.connections,
    };
    const shared = { segmentWords: 300, settings, services: { signal: new AbortController().signal } };
    const judge = server.judge("simulated-small");
    await writeFile(file, draft(null));
    const input = { kind: "books", files: [file] } as const;
    const how = { judges: [judge], method: "summary", bySegment: true, runs: 3 } as const;
    const first = await judgeBooks(input, { ...how, ...shared });
    const before = server.exchanges.length;
    const { result } = await judgeNextDraft(file, { judge, against: first.run.id!, ...shared });
    expect(server.exchanges).toHaveLength(before);
    expect(result.settings).toMatchObject({ chapterSummaries: true });
    expect(result.changes).toMatchObject({ unchanged: 6, overall: { difference: 0 } });
  });

  it("of a run by the NovelCritique protocol is judged by that protocol, which no flag has to repeat", async () => {
    const critic = await createSimulatedServer({
      reply: ({ schema, messages }) => {
        if (schema) return JSON.stringify(placeholderValue(schema, seededRandom(1)));
        if (messages.at(-1)!.role === "assistant") return ": 4.0";
        const headings = messages.at(-1)!.content.match(/^\*\*.+:\*\*$/gm) ?? [];
        const review = headings.map((heading) => `${heading}\nIt holds.`).join("\n\n");
        return `### Review:\n${review}\n\n### Overall Assessment:\nIt holds.\n\n### Score: 4.0`;
      },
    });
    try {
      const file = join(folder, "critique.md");
      const settings = {
        store: join(folder, "critique.db"),
        command: ["evaluate"],
        folder,
        connections: critic.connections,
      };
      const shared = { segmentWords: 300, settings, services: { signal: new AbortController().signal } };
      const judge = critic.judge("critic");
      await writeFile(file, draft(null));
      const input = { kind: "books", files: [file] } as const;
      const how = { judges: [judge], method: "summary", protocol: "novelcritique", runs: 2 } as const;
      const first = await judgeBooks(input, { ...how, ...shared });
      const { result } = await judgeNextDraft(file, { judge, against: first.run.id!, ...shared });
      expect(result.settings).toMatchObject({ protocol: "novelcritique" });
      expect(result.changes).toMatchObject({ unchanged: 6, overall: { difference: 0 } });
    } finally {
      await critic.close();
    }
  });

  it("shows the calls and the cost of its summariser as well as its judge's", async () => {
    const file = join(folder, "summarised.md");
    const [judge, summariser] = ["openai:judge", "openai:summariser"];
    const prices = join(folder, "prices.yaml");
    await writeFile(
      prices,
      `date: 2026-01-01\nmodels:\n  "${judge}": { input: 1000, output: 3000 }\n  "${summariser}": { input: 1000, output: 3000 }\n`,
    );
    const store = join(folder, "summarised.db");
    const settings = { store, prices, command: ["evaluate"], folder, connections: server.connections };
    const services = { signal: new AbortController().signal };
    const shared = { summariser, segmentWords: 300, settings, services };
    await writeFile(file, draft(null));
    const input = { kind: "books", files: [file] } as const;
    const first = await judgeBooks(input, { judges: [judge], method: "aggregate", runs: 3, ...shared });
    await writeFile(file, draft(4));
    const { result, run } = await judgeNextDraft(file, { judge, against: first.run.id!, ...shared });
    expect(run.summary.calls).toBe(1 + 3);
    expect(result.calls).toBe(run.summary.calls);
    expect(result.cost).toBeCloseTo(run.summary.cost!, 9);
  });

  it("judged once is not said to differ, and is compared passage by passage where the earlier file is still there", async () => {
    const [one, two] = [join(folder, "draft-1.md"), join(folder, "draft-2.md")];
    const settings = { store: join(folder, "once.db"), command: ["evaluate"], folder, connections: server.connections };
    const shared = { segmentWords: 300, settings, services: { signal: new AbortController().signal } };
    const judge = server.judge("simulated-small");
    await writeFile(one, draft(null));
    await writeFile(two, draft(4));
    const input = { kind: "books", files: [one] } as const;
    const first = await judgeBooks(input, { judges: [judge], method: "one-pass", runs: 1, ...shared });
    const { result } = await judgeNextDraft(two, { judge, against: first.run.id!, ...shared });
    const words = result.changes!.words!.join(" ");
    expect(words).toContain("no part was judged twice: judge the earlier draft again with --runs 3, then compare");
    expect(words).not.toContain("likely between");
    expect(result.changes).toMatchObject({
      overall: { interval: null, beyondNoise: false },
      text: { paragraphs: { rewritten: 1, same: 5 } },
    });
    await writeFile(one, draft(2));
    const again = await judgeNextDraft(two, { judge, against: first.run.id!, ...shared });
    expect(again.result.changes?.text).toBeUndefined();
    expect(again.result.notes.join(" ")).toContain(`the earlier draft is no longer at ${one}`);
  });

  it("is refused against a run that judged nothing of the kind", async () => {
    const file = join(folder, "other.md");
    await writeFile(file, draft(null));
    const settings = {
      store: join(folder, "calls.db"),
      command: ["evaluate"],
      folder,
      connections: server.connections,
    };
    const services = { signal: new AbortController().signal };
    await expect(
      judgeNextDraft(file, { judge: server.judge("simulated-small"), against: "nothing", settings, services }),
    ).rejects.toThrow('no judged draft of run "nothing"');
  });
});
