import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { epubOf, PROSE } from "../../../test/support/small-files.ts";
import { parseBook } from "../parse-book.ts";
import { ParseChild, parseApart, startParsing } from "./parse-pool.ts";
import { limitsForFile, limitUsage, type UsageLimits, usageOf } from "./process-usage.ts";

const AMPLE: UsageLimits = { computingSeconds: 600, seconds: 600, megabytes: 4000 };
let small: string;
let large: string;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "fabula-parsing-"));
  small = join(folder, "small.txt");
  large = join(folder, "large.txt");
  const chapter = (number: number) => `CHAPTER ${number}\n\n${`${PROSE} `.repeat(9)}`;
  await writeFile(small, [1, 2, 3].map(chapter).join("\n\n"));
  await writeFile(large, Array.from({ length: 40_000 }, (_, at) => chapter(at + 1)).join("\n\n"));
});

/** The parsing processes that this one started. */
function parsingProcesses(): string[] {
  return readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").split(" ").filter(Boolean);
}

const question = (path: string) => ({ path, bytes: null, options: {}, wants: "book" }) as const;

describe("a file parsed in a process of its own", () => {
  it("is the same book as one parsed here, and its errors are the same sentences", async () => {
    expect(await parseApart(question(small))).toEqual(await parseBook(small));
    const bytes = new TextEncoder().encode(`${PROSE} `.repeat(30));
    const pasted = await parseApart({ path: "standard input", bytes, options: {}, wants: "summary" });
    expect(pasted).toMatchObject({ file: "standard input", words: 18 * 30 });
    await expect(parseApart(question("missing.txt"))).rejects.toMatchObject({ code: "E_NOT_FOUND" });
  });

  it.runIf(process.platform === "linux")(
    "is parsed by the process that was started early, where there is one",
    async () => {
      startParsing();
      const started = parsingProcesses();
      await parseApart(question(small));
      expect(started).not.toHaveLength(0);
      expect(parsingProcesses()).toEqual(started);
    },
  );

  it("is stopped when its time is up, by the clock too", async () => {
    const child = new ParseChild();
    await expect(child.ask(question(large), { ...AMPLE, seconds: 0.01 })).rejects.toThrow(
      /Reading .*large\.txt was stopped after .* Split it and give one part/,
    );
    expect(child.isGone).toBe(true);
  });

  // Elsewhere the system does not report what a process uses, and the clock decides.
  it.runIf(process.platform === "linux")("is stopped when its processor time or its memory is used up", async () => {
    const slow = new ParseChild();
    await expect(slow.ask(question(large), { ...AMPLE, computingSeconds: 0.2 })).rejects.toThrow(/was stopped after/);
    const big = new ParseChild();
    await expect(big.ask(question(large), { ...AMPLE, megabytes: 60 })).rejects.toThrow(/needs more memory/);
    expect([slow.isGone, big.isGone]).toEqual([true, true]);
    expect(usageOf(process.pid)!.megabytes).toBeGreaterThan(20);
  });

  it.runIf(process.platform === "linux")("is not stopped on a busy machine as long as it makes progress", async () => {
    const busy = spawn(process.execPath, ["-e", "for (;;) {}"]);
    const passed = new Promise((resolve) => {
      limitUsage(busy, { computingSeconds: 3, seconds: 2, megabytes: 4000 }, resolve);
    });
    expect(await passed).toEqual({ kind: "time", seconds: 3 });
    busy.kill();
    const idle = spawn(process.execPath, ["-e", "setTimeout(() => {}, 600_000)"]);
    const stuck = new Promise((resolve) => {
      limitUsage(idle, { computingSeconds: 60, seconds: 2, megabytes: 4000 }, resolve);
    });
    expect(await stuck).toEqual({ kind: "time", seconds: 2 });
    idle.kill();
  });

  it("is refused when it is small and produces more text than a book has, long before its time is up", async () => {
    // 50 pages of a megabyte, each with enough incompressible text not to look like a bomb.
    const pages = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `p${at}.html`,
        `<p>${randomBytes(9000).toString("base64")}</p>${`<p>${PROSE}</p>`.repeat(10_000)}`,
      ]),
    );
    const bytes = epubOf(pages);
    expect(bytes.length).toBeLessThan(3_000_000);
    const { computingSeconds } = limitsForFile(bytes.length);
    const child = new ParseChild();
    const asked = { path: "small.epub", bytes, options: {}, wants: "book" } as const;
    expect(await child.ask(asked, AMPLE)).toEqual({
      kind: "failed",
      code: "E_TOO_LARGE",
      message: expect.stringMatching(/^small\.epub holds more than 50 million characters/),
    });
    if (process.platform === "linux") expect(usageOf(child.pid)!.seconds).toBeLessThan(computingSeconds);
    child.end();
  });

  it("may be a damaged PDF whose parser fails once more after it was refused: the process continues", async () => {
    const child = new ParseChild();
    const damaged = "test/fixtures/attacks/late-rejection.pdf";
    for (const path of [damaged, damaged]) {
      expect(await child.ask(question(path), AMPLE)).toMatchObject({ kind: expect.stringMatching(/failed|done/) });
    }
    expect(await child.ask(question(small), AMPLE)).toMatchObject({ kind: "done" });
    child.end();
  });

  it("is abandoned when it is no longer wanted, and the pool continues", async () => {
    const abort = new AbortController();
    const left = Array.from({ length: 8 }, () => parseApart(question(large), abort.signal));
    abort.abort();
    for (const outcome of await Promise.allSettled(left)) expect(outcome.status).toBe("rejected");
    const read = await Promise.all(Array.from({ length: 8 }, () => parseApart(question(small))));
    expect(read.map(({ chapters }) => chapters.length)).toEqual(new Array(8).fill(3));
  });
});
