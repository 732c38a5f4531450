import { describe, expect, it } from "vitest";
import { ask, askMany, runsUnderTest } from "../../test/support/runs-under-test.ts";

const { billed, open, start } = runsUnderTest();

describe("an interrupted run", () => {
  it("keeps what was already sent, sends nothing more, and goes on when resumed", async () => {
    const abort = new AbortController();
    let replies = 0;
    const server = await start({
      latency: 100,
      reply: () => {
        if (++replies === 20) abort.abort(new Error("Ctrl-C"));
        return "a reply";
      },
    });
    const first = await open({ concurrency: 10 }, abort.signal);
    const results = await askMany(first.run, first.model, 100);
    const ended = await first.run.finish();
    expect(ended.status).toBe("interrupted");
    const answered = results.filter((result) => typeof result === "string").length;
    expect(answered).toBe(billed());
    expect(answered).toBeGreaterThanOrEqual(20);
    expect(answered).toBeLessThan(60);
    expect(server.exchanges.some(({ outcome }) => outcome === "abandoned")).toBe(false);

    const second = await open({ resume: ended.id! });
    await askMany(second.run, second.model, 100);
    expect(billed()).toBe(100);
    expect(await second.run.finish()).toMatchObject({ status: "done", summary: { asked: 100, failed: 0 } });
  });

  it("cannot be resumed while it is at work, nor when there is none", async () => {
    await start();
    const { run } = await open();
    await expect(open({ resume: run.id! })).rejects.toMatchObject({ code: "E_RUN_BUSY" });
    await expect(open({ resume: "nothing" })).rejects.toMatchObject({ code: "E_RUN_UNKNOWN" });
  });

  it("is resumed as soon as its process, which is just ending, has ended", async () => {
    await start();
    const { run } = await open();
    const resumed = open({ resume: run.id! });
    await run.finish();
    expect((await resumed).run.id).toBe(run.id);
  });
});

describe("what an answer belongs to", () => {
  it("includes the address: an answer of a test server is not taken for the provider's", async () => {
    const server = await start({ reply: () => "from the first address" });
    const first = await open();
    expect(await ask(await first.run.model("openai:gpt-4o"), "a")).toMatchObject({ text: "from the first address" });
    await first.run.finish();
    await server.close();
    await start({ reply: () => "from the second address" });
    const second = await open();
    expect(await ask(await second.run.model("openai:gpt-4o"), "a")).toMatchObject({ text: "from the second address" });
  });

  it("leaves a model that thinks room to think beyond the limit of the reply", async () => {
    const limits: (number | null)[] = [];
    await start({
      reply: ({ maximumTokens }) => {
        limits.push(maximumTokens);
        return "yes";
      },
    });
    const { run } = await open();
    await ask(await run.model("openai:gpt-5"), "a");
    await ask(await run.model("openai:gpt-4o"), "a");
    expect(limits).toEqual([200 + 8192, 200]);
  });

  it("stays when the work that asked has failed meanwhile", async () => {
    const server = await start({ latency: 100 });
    const first = await open();
    const asked = ask(first.model, "a");
    await expect.poll(() => server.exchanges.length).toBe(1);
    await first.run.finish(new Error("something else went wrong"));
    await asked;
    const second = await open();
    await ask(second.model, "a");
    expect(billed()).toBe(1);
  });
});
