import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { adversarialFiles } from "../../../benchmarks/support/adversarial-files.ts";
import { draftOf } from "../../support/stories.ts";
import { runFabula } from "../run-fabula.ts";

const HOSTILE = ["one page listed 20,000 times.epub", "pages of a repeated letter.epub", "empty paragraphs.docx"];
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "fabula-hostile-"));
  for (const { name, make } of adversarialFiles())
    if (HOSTILE.includes(name)) writeFileSync(join(folder, name), make());
  for (const at of [1, 2, 3, 4]) writeFileSync(join(folder, `honest-${at}.md`), draftOf(`Honest ${at}`, at));
  execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "pipe.txt")]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("hostile files are one sentence each, and the honest ones beside them are read", async () => {
  const honest = [1, 2, 3, 4].map((at) => `honest-${at}.md`);
  const { stdout, stderr } = await runFabula(["read", "--json", ...HOSTILE, "missing.txt", ...honest], { folder });
  const { books, failed }: { books: { file: string }[]; failed: { file: string; reason: string }[] } =
    JSON.parse(stdout);
  expect(books.map(({ file }) => file)).toEqual(honest);
  expect(failed.map(({ file }) => file).sort()).toEqual(["missing.txt", ...HOSTILE].sort());
  for (const { reason } of failed) expect(reason).toMatch(/^[^\n]{20,300}$/);
  expect(stderr).not.toMatch(/FATAL ERROR|^\s+at /m);
});

it.runIf(process.platform === "linux")("pipes and devices are refused in one sentence", async () => {
  for (const words of [
    ["read", "pipe.txt"],
    ["read", "/dev/zero"],
    ["evaluate", "/dev/zero"],
  ]) {
    const { code, stderr } = await runFabula(words, { folder });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is a pipe, a device or a socket, not a file/)]);
  }
});

it.runIf(process.platform === "linux")("the library parses bytes in another process too", async () => {
  const program = `
    import { readFileSync } from "node:fs";
    import { readBookFromBytes } from ${JSON.stringify(join(process.cwd(), "dist", "index.js"))};
    const children = () => readFileSync(\`/proc/self/task/\${process.pid}/children\`, "latin1").trim();
    const reading = readBookFromBytes(readFileSync("honest-4.md"), "honest.md");
    let seen = "";
    const look = setInterval(() => { seen ||= children(); }, 5);
    const { chapters } = await reading;
    clearInterval(look);
    console.log(JSON.stringify({ chapters: chapters.length, wasApart: seen !== "" }));
  `;
  const stdout = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(JSON.parse(stdout)).toEqual({ chapters: 4, wasApart: true });
});

it.runIf(process.platform === "linux")(
  "a book.yaml that is a pipe is refused in one sentence, not waited for",
  async () => {
    const beside = mkdtempSync(join(folder, "beside-"));
    writeFileSync(join(beside, "rain.md"), draftOf("Rain", 1));
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(beside, "book.yaml")]);
    const { code, stderr } = await runFabula(["read", "rain.md"], { folder: beside });
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/book\.yaml is a pipe, a device or a socket, not a file/),
    ]);
  },
);
