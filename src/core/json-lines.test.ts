import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { openJsonLines, readJsonLines, writeJsonLines } from "./json-lines.ts";

const row = z.object({ id: z.number(), text: z.string() });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "json-lines-"));
});

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("JSON lines", () => {
  it("come back as they were written, letters of every script included", async () => {
    const rows = Array.from({ length: 5000 }, (_, id) => ({ id, text: `line\n${id} — 紅樓夢 é`.repeat(7) }));
    const path = join(folder, "rows.jsonl");
    await writeJsonLines(path, rows);
    expect(await readJsonLines(path, row)).toEqual(rows);
    expect((await readdir(folder)).filter((name) => name.endsWith(".unfinished"))).toEqual([]);
  });

  it("are read from gzip, without a last line end, with a byte order mark and blank lines", async () => {
    const text = '\ufeff{"id":1,"text":"a"}\r\n\n{"id":2,"text":"b"}';
    const rows = [
      { id: 1, text: "a" },
      { id: 2, text: "b" },
    ];
    expect(await readJsonLines(await file("a.jsonl.gz", gzipSync(text)), row)).toEqual(rows);
    expect(await readJsonLines(await file("a.jsonl", text), row)).toEqual(rows);
  });

  it("are packed where the file's name says so", async () => {
    const path = join(folder, "packed.jsonl.gz");
    await writeJsonLines(path, [{ id: 1, text: "a" }]);
    expect(gunzipSync(await readFile(path)).toString()).toBe('{"id":1,"text":"a"}\n');
    expect(await readJsonLines(path, row)).toHaveLength(1);
  });

  it.each(["rows.parquet", "rows.csv", "rows.json", "rows.csv.gz", "rows.HTML"])(
    "are not written under the name of another format: %s",
    async (name) => {
      const path = join(folder, name);
      const names = "end the file's name with .jsonl or .jsonl.gz";
      await expect(writeJsonLines(path, [{ id: 1 }])).rejects.toThrow(names);
      await expect(openJsonLines(path).finish()).rejects.toThrow(names);
      expect(await readdir(folder)).not.toContain(name);
    },
  );

  it.runIf(existsSync("/dev/full"))("say that the disk is full, and leave the old file as it was", async () => {
    const path = await file("full.jsonl", "old");
    await symlink("/dev/full", `${path}.${process.pid}.unfinished`);
    await expect(writeJsonLines(path, [{ id: 1 }])).rejects.toThrow("the disk is full. Free some space");
    expect(await readFile(path, "utf8")).toBe("old");
  });

  it("say which line is wrong, and how", async () => {
    const broken = await file("broken.jsonl", '{"id":1,"text":"a"}\n{"id":');
    await expect(readJsonLines(broken, row)).rejects.toThrow('Line 2 of "');
    const wrong = await file("wrong.jsonl", '{"id":"1","text":"a"}');
    await expect(readJsonLines(wrong, row)).rejects.toThrow(/Line 1 .* does not fit at id/);
  });

  it("say plainly that a file is missing, packed wrongly or a folder", async () => {
    await expect(readJsonLines(join(folder, "none.jsonl"), row)).rejects.toThrow("there is no such file");
    await expect(readJsonLines(join(folder, "none.jsonl.gz"), row)).rejects.toThrow("there is no such file");
    await expect(readJsonLines(await file("bad.gz", "plain"), row)).rejects.toThrow("could not be read");
    await expect(readJsonLines(folder, row)).rejects.toThrow("could not be read (EISDIR)");
  });

  it("leave the old file alone when a row cannot be written", async () => {
    const path = await file("kept.jsonl", "old");
    const rows = function* () {
      yield { id: 1 };
      throw new Error("no more");
    };
    await expect(writeJsonLines(path, rows())).rejects.toThrow("no more");
    expect(await readFile(path, "utf8")).toBe("old");
  });

  it("are gathered beside other work, and appear whole or not at all", async () => {
    const path = await file("gathered.jsonl", "old");
    const given = openJsonLines(path);
    for (let id = 0; id < 100; id++) await given.write({ id, text: "x".repeat(10_000) });
    expect(await readFile(path, "utf8")).toBe("old");
    await given.finish();
    expect(await readJsonLines(path, row)).toHaveLength(100);
    const abandoned = openJsonLines(path);
    await abandoned.write({ id: 1, text: "lost" });
    await abandoned.abandon();
    expect(await readJsonLines(path, row)).toHaveLength(100);
    for (const missing of [join(folder, "none", "rows.jsonl"), join(path, "in-a-file.jsonl")]) {
      const nowhere = openJsonLines(missing);
      await expect(nowhere.finish()).rejects.toThrow("check the folder");
      await expect(nowhere.write({ id: 2, text: "late" })).rejects.toThrow("check the folder");
    }
  });
});
