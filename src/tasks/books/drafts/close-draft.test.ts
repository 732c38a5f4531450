import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lampsBook, lampsReply } from "../../../../test/support/lamps.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../testing/index.ts";
import { judgeBooks } from "../judge-books.ts";
import { judgeNextDraft } from "./judge-draft.ts";

/** Two of eight chapters are changed: the scar is now on one hand, and there is a storm. */
const CHANGED = {
  3: "She looked at the scar on her left hand. Thirty-four lamps burned along the quay, and the ferry came in.",
  5: "In part 5 there was a storm that everybody had forgotten by noon.",
};

let server: SimulatedServer;
let folder: string;
/** The last message of every request. */
let asked: string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-close-draft-"));
  const reply = lampsReply();
  server = await createSimulatedServer({
    reply: (request, random) => {
      asked.push(request.messages.at(-1)!.content);
      return reply(request, random);
    },
  });
  await writeFile(join(folder, "one.md"), lampsBook({}, 5));
  await writeFile(join(folder, "two.md"), lampsBook(CHANGED, 5));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const shared = (store: string) => ({
  settings: { store: join(folder, store), command: ["evaluate"], folder, connections: server.connections },
  services: { signal: new AbortController().signal },
});
const notes = () => asked.filter((text) => text.includes("This is chapter"));
const refutations = () => asked.filter((text) => /^1\. \[[\w-]+\] /m.test(text));

describe("a second draft, read closely", () => {
  it("says what became of each finding, and pays again neither for unchanged chapters nor for unchanged passages", async () => {
    const judge = server.judge("m");
    const input = { kind: "books", files: [join(folder, "one.md")] } as const;
    const first = await judgeBooks(input, {
      judges: [judge],
      method: "close",
      depth: "full",
      runs: 2,
      ...shared("a.db"),
    });
    expect(first.result[0]!.letter!.findings).toHaveLength(4);
    expect(notes()).toHaveLength(8);
    expect(refutations().join()).toContain("The lamps");
    asked = [];
    const { result } = await judgeNextDraft(join(folder, "two.md"), {
      judge,
      against: first.run.id!,
      ...shared("a.db"),
    });
    expect(notes()).toHaveLength(2);
    // Only the new claim is checked; those about the lamps and the key are unchanged.
    expect(refutations()).toHaveLength(1);
    expect(refutations()[0]).toContain("The storm");
    expect(refutations()[0]).not.toContain("The lamps");
    const { fixed, still, new: added } = result.changes!.findings!;
    expect(fixed.map(({ title }) => title)).toEqual(["The scar"]);
    expect(still.map(({ title }) => title).sort()).toEqual(["The key", "The lamps"]);
    expect(added.map(({ title }) => title)).toEqual(["The storm"]);
    expect(result.changes!.words![0]).toBe(
      "Of 3 findings in the earlier draft, 1 is fixed and 2 still there; 1 is new.",
    );
    await expect(
      judgeNextDraft(join(folder, "two.md"), { judge, against: first.run.id!, depth: "quick", ...shared("a.db") }),
    ).rejects.toThrow("read at depth full: leave --depth out");
  });

  it("is compared with the file of the earlier one, which is judged first where nobody has", async () => {
    const judge = server.judge("m");
    const draft = { judge, against: join(folder, "one.md"), ...shared("b.db") };
    const planned = await judgeNextDraft(join(folder, "two.md"), {
      ...draft,
      settings: { ...draft.settings, dryRun: true },
    });
    expect(planned.plan!.calls).toBeGreaterThan(20);
    const { result } = await judgeNextDraft(join(folder, "two.md"), draft);
    expect(result.changes!.findings!.fixed.map(({ title }) => title)).toEqual(["The scar"]);
    asked = [];
    await judgeNextDraft(join(folder, "two.md"), draft);
    expect(asked).toEqual([]);
  });
});
