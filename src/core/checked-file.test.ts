import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readChecked, writeChecked } from "./checked-file.ts";

describe("a file with its checksum beside it", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "checked-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("is read as it was written", async () => {
    const path = join(folder, "weights.json");
    const checksum = await writeChecked(path, '{"a":1}');
    const read = await readChecked(path, "Reinstall.");
    expect(new TextDecoder().decode(read.bytes)).toBe('{"a":1}');
    expect(read.checksum).toBe(checksum);
  });

  it("is refused, with what to do, once a letter of it has changed or it is gone", async () => {
    const path = join(folder, "altered.json");
    await writeChecked(path, '{"a":1}');
    await writeFile(path, '{"a":2}');
    await expect(readChecked(path, "Reinstall.")).rejects.toMatchObject({
      code: "E_WEIGHTS_DAMAGED",
      message: expect.stringContaining("Reinstall."),
    });
    await expect(readChecked(join(folder, "none.json"), "Reinstall.")).rejects.toMatchObject({
      code: "E_WEIGHTS_MISSING",
    });
  });
});
