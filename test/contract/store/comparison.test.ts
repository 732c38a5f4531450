import { expect, it } from "vitest";
import { call, use } from "../../support/stored.ts";
import { describeEveryStore } from "./every-store.ts";

describeEveryStore((under) => {
  it("compares two runs by what they were asked: other replies first, each once, without calls that got none", async () => {
    const { store } = under;
    const answer = async (run: string, prompt: string, sample: number, text: string, model = "openai:gpt-4o") => {
      const key = `${run} ${prompt} ${sample} ${model}`;
      await store.recordAnswer(
        call(key, { requestHash: prompt, sample, text, model }),
        prompt,
        use(run, key, { model }),
      );
    };
    await answer("left", "p1", 0, "alike");
    await answer("left", "p1", 1, "one thing");
    await answer("left", "p2", 0, "only here");
    // A second model of the same run was asked the same: the first answer counts.
    await answer("left", "p1", 0, "of another model", "openai:other");
    await answer("right", "p1", 0, "alike");
    await answer("right", "p1", 1, `another – «ça va» ${"long ".repeat(10)}`);
    await answer("elsewhere", "p2", 0, "of a third run");
    await store.recordUses([use("right", "failed", { outcome: "failed", cost: null, reason: "no" })]);
    const found = await store.compareRuns("left", "right", { rows: 10, characters: 19 });
    expect(found).toMatchObject({ left: 3, right: 2, both: 2, same: 1 });
    expect(found.rows.map(({ id, isSame, left, right }) => [id, isSame, left.reply, right.reply])).toEqual([
      ["p1 1", false, "one thing", "another – «ça va» l"],
      ["p1 0", true, "alike", "alike"],
    ]);
    expect(found.rows[0]!.left).toMatchObject({ model: "openai:gpt-4o", cost: 0.25, latencyMilliseconds: 12.5 });
    expect((await store.compareRuns("left", "right", { rows: 1, characters: 5 })).rows).toHaveLength(1);
    expect(await store.compareRuns("left", "nothing", { rows: 10, characters: 5 })).toEqual({
      left: 3,
      right: 0,
      both: 0,
      same: 0,
      rows: [],
    });
  });
});
