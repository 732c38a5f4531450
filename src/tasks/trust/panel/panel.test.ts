import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cardChecks, measuredChecks } from "./card-figures.ts";
import { readTrustFiles } from "./trust-files.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-trust-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("what is known of a judge", () => {
  it.each(["crowd", "editor", "grader"] as const)("is read from the card of the %s", async (juror) => {
    const checks = Object.fromEntries((await cardChecks(juror)).map((check) => [check.check, check]));
    expect(Object.values(checks).filter(({ state }) => state === "unknown")).toEqual([]);
    expect(checks["length-bias"]!.figure!.value).toBeLessThan(0.05);
    // Twelve damages to each of twelve novels, not counting refusals and unscored ones.
    expect(checks.stress!.n).toBeGreaterThan(100);
    expect(checks.stress!.figure!.interval).not.toBeNull();
    expect(checks.agreement!.figure!.interval).not.toBeNull();
    expect(checks.agreement!.figure!.value).toBeLessThan(0.7);
  });

  it("does not call an agreement sound that is hardly above chance", async () => {
    const agreement = (await cardChecks("grader")).find(({ check }) => check === "agreement")!;
    expect(agreement.figure!.interval![0]).toBeLessThan(0.3);
    expect(agreement.state).toBe("watch");
  });

  it("is measured on the library, the votes and the results put into it, and says what is not", async () => {
    const documents = {
      "compare.json": { judge: "j", positionBias: { first: 18, decisions: 20, bias: 0.4, interval: [0.2, 0.48] } },
      "probe.json": {
        judge: "j",
        title: "One",
        gaps: [{ points: 4, interval: [1, 7], beyondNoise: true }],
        variants: [{ variant: "original", recognition: { recognised: true } }],
      },
      "stress.json": {
        judge: "j",
        books: [{ rows: [{ name: "shuffled", harmless: false, aspect: "overall", reaction: "right" }] }],
      },
      "other.json": { something: "else" },
    };
    for (const [name, body] of Object.entries(documents)) await writeFile(join(folder, name), JSON.stringify(body));
    const base = { judge: "j · m", aspects: {}, replyWords: Number.NaN, writer: null, human: Number.NaN };
    const judgements = [1, 2, 3, 4].flatMap((item) =>
      [0, 0.1].map((more) => ({ ...base, item: `t${item}`, score: 20 * item + more, words: 100 * item })),
    );
    const votes = Array.from({ length: 12 }, () => ({ judge: "j · m", outcome: "won" as const }));
    const checks = measuredChecks("j · m", "j", { judgements, votes, files: await readTrustFiles(folder) });
    expect(Object.fromEntries(checks.map(({ check, state }) => [check, state]))).toEqual({
      repeatability: "sound",
      "length-bias": "unknown",
      "position-bias": "problem",
      "self-preference": "unknown",
      contamination: "problem",
      stress: "sound",
      agreement: "sound",
    });
    expect(await readTrustFiles(join(folder, "missing"))).toEqual([]);
  });

  it("does not call repeatability a problem after four texts, and does after ten", () => {
    const base = { judge: "j · m", aspects: {}, replyWords: Number.NaN, words: 100, writer: null, human: Number.NaN };
    const stateOf = (texts: number) => {
      const judgements = Array.from({ length: texts }, (_, at) =>
        [20 + ((at * 37) % 60), 20 + ((at * 53 + 30) % 60)].map((score) => ({ ...base, item: `t${at}`, score })),
      ).flat();
      const checks = measuredChecks("j · m", "j", { judgements, votes: [], files: [] });
      return checks.find(({ check }) => check === "repeatability")!.state;
    };
    expect([stateOf(4), stateOf(12)]).toEqual(["watch", "problem"]);
  });

  it("says whether a judge favours the texts it wrote itself, once the library holds some that others scored too", () => {
    const base = { aspects: {}, replyWords: Number.NaN, words: 100, human: Number.NaN };
    const text = (item: number, writer: string) =>
      [
        { judge: "openai:big · summary", score: 40 + item + (writer === "big" ? 20 : 0) },
        { judge: "other · summary", score: 40 + item },
      ].map((one) => ({ ...base, ...one, item: `text ${item}`, writer }));
    const judgements = [1, 2, 3, 4, 5, 6].flatMap((item) => text(item, item > 3 ? "big" : "Ada"));
    const find = (given: typeof judgements) =>
      measuredChecks("openai:big · summary", "openai:big", { judgements: given, votes: [], files: [] }).find(
        ({ check }) => check === "self-preference",
      )!;
    expect(find(judgements)).toMatchObject({ state: "problem", n: 6, source: "library" });
    expect(find(judgements.slice(0, 10))).toMatchObject({ state: "unknown", figure: null });
    expect(find(judgements.slice(0, 10)).detail).toContain("scores of 2 by it");
  });
});
