import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { assetPath } from "../src/core/assets.ts";

const run = promisify(execFile);
const ACTION = resolve("scripts/action.mjs");
const FABULA = JSON.stringify([process.execPath, resolve("dist/cli/main.js")]);

let repository: string;
let base: string;
const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...words], {
    cwd: repository,
    encoding: "utf8",
  }).trim();

beforeAll(async () => {
  repository = await mkdtemp(join(tmpdir(), "fabula-action-"));
  git("init", "--quiet");
  await mkdir(join(repository, "manuscript"));
  await writeFile(join(repository, "manuscript", "old.md"), "# Old\n\nUnchanged.\n");
  await writeFile(join(repository, "README.md"), "# Readme\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "before");
  base = git("rev-parse", "HEAD");
  const story = await readFile(assetPath("examples", "the-inspector-of-weights.md"), "utf8");
  await writeFile(join(repository, "manuscript", "new chapter.md"), story);
  await writeFile(join(repository, "README.md"), "# Readme\n\nChanged.\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "after");
});
afterAll(() => rm(repository, { recursive: true, force: true }));

async function act(inputs: Readonly<Record<string, string>>) {
  const summary = join(repository, `summary-${Object.values(inputs).join("-").replace(/\W/g, "")}.txt`);
  const output = `${summary}.output`;
  const environment = {
    ...process.env,
    INPUT_FILES: "manuscript/**",
    INPUT_JUDGE: "editor",
    INPUT_TOLERATE: "100%",
    BASE_SHA: base,
    FABULA_COMMAND: FABULA,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: output,
    ...inputs,
  };
  const failed = await run(process.execPath, [ACTION], { cwd: repository, env: environment }).then(
    () => false,
    (error: { code?: number }) => error.code === 1,
  );
  return { failed, summary: await readFile(summary, "utf8"), output: await readFile(output, "utf8").catch(() => "") };
}

it("evaluates the manuscripts that changed and posts their letter", async () => {
  const { failed, summary, output } = await act({});
  expect(failed).toBe(false);
  expect(summary).toContain("The Inspector of Weights");
  expect(summary).not.toContain("Unchanged");
  const { evaluations } = JSON.parse(await readFile(output.trim().replace("report=", ""), "utf8"));
  expect(evaluations.map(({ book }: { book: { file: string } }) => book.file)).toEqual(["manuscript/new chapter.md"]);
});

it("fails when a score is below its limit, and says which", async () => {
  const { failed, summary } = await act({ INPUT_FAIL_BELOW: "editor=9.9", INPUT_STRICT: "true" });
  expect(failed).toBe(true);
  expect(summary).toMatch(/Failed.*editor is \d/);
});

it("says so when no manuscript changed", async () => {
  const { failed, summary } = await act({ INPUT_FILES: "drafts/**" });
  expect({ failed, summary }).toEqual({ failed: false, summary: "Fabula: no manuscript was changed.\n" });
});
