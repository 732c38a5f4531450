import { expect, it } from "vitest";
import { call, run, use } from "../../support/stored.ts";
import { describeEveryStore } from "./every-store.ts";

describeEveryStore((under) => {
  it("gives back an answer as it was kept, also after it was closed", async () => {
    await under.store.recordAnswer(call("k"), "what was asked", use("r", "k"));
    const store = await under.reopen();
    expect(await store.findCall("k")).toEqual(call("k"));
    expect(await store.findRequest("request of k")).toBe("what was asked");
    expect(await store.findCall("other")).toBeNull();
    expect(await store.findRequest("other")).toBeNull();
  });

  it("replaces an answer that was asked for again, and counts it once", async () => {
    const { store } = under;
    await store.recordAnswer(call("k"), "q", use("r", "k"));
    await store.recordAnswer(call("k", { text: "new" }), "q", use("s", "k"));
    expect(await store.findCall("k")).toMatchObject({ text: "new" });
    expect(await store.countCalls()).toBe(1);
  });

  it("keeps nothing of an answer that cannot be kept whole", async () => {
    const { store } = under;
    // @ts-expect-error a stop reason may not be missing
    await expect(store.recordAnswer(call("k", { stop: null }), "q", use("r", "k"))).rejects.toThrow();
    expect(await store.findCall("k")).toBeNull();
    expect(await store.findUse("r", "k")).toBeNull();
    expect(await store.findRequest("request of k")).toBeNull();
  });

  it("keeps any text to the letter, also what UTF-8 cannot hold", async () => {
    const { store } = under;
    for (const text of [
      "a\0b",
      "half \ud83d of a pair",
      "\udc00\ud800",
      "\u{10ffff}0000",
      "",
      "\\N\t\\.\n{,}\"'",
      "😀",
    ]) {
      await store.recordAnswer(
        call("k", { text, reasoning: text }),
        text,
        use("r", "k", { reason: text, purpose: text }),
      );
      expect(await store.findCall("k")).toEqual(call("k", { text, reasoning: text }));
      expect(await store.findUse("r", "k")).toMatchObject({ reason: text });
      await store.recordAnswer(call(text), text, use("s", text));
      expect(await store.findCall(text)).toEqual(call(text));
      expect(await store.findRequest(`request of ${text}`)).toBe(text);
    }
    await store.createRun(run("r", { command: ["a\ud800b"], folder: "/\ud800", note: "\0" }));
    expect(await store.findRun("r")).toEqual(run("r", { command: ["a\ud800b"], folder: "/\ud800", note: "\0" }));
    await store.updateRun("r", { note: "\ud800" });
    expect(await store.findRun("r")).toMatchObject({ note: "\ud800" });
    await store.recordEvents([{ runId: "r\0", at: "2026", kind: "\ud800", detail: "\0" }]);
    expect(await store.events("r\0")).toEqual([{ runId: "r\0", at: "2026", kind: "\ud800", detail: "\0" }]);
  });

  it("writes many answers of one moment, and fails alone the one that cannot be kept", async () => {
    const { store } = under;
    const kept = await Promise.allSettled(
      Array.from({ length: 600 }, (_, at) =>
        // @ts-expect-error a stop reason may not be missing
        store.recordAnswer(call(`k${at}`, at === 77 ? { stop: null } : {}), "q", use("r", `k${at}`)),
      ),
    );
    expect(kept.flatMap(({ status }, at) => (status === "rejected" ? [at] : []))).toEqual([77]);
    expect(await store.findCall("k77")).toBeNull();
    expect(await store.totals("r")).toMatchObject([{ calls: 599 }]);
  });
});
