import { execFile } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Session, startSession } from "./session.ts";

const run = promisify(execFile);

/** What each example prints when it is run as it says; the notebook needs Python and is read only. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  "evaluate.mjs": [
    /^crowd .*: \d+\.\d of 100$/m,
    /^editor .*: \d+\.\d of 10$/m,
    /^grader .*: \d+\.\d of 20$/m,
    /report\.html/,
  ],
  "language-model.mjs": [/^Plot and structure (?:\d+\.\d|unscored)/m, /^\d+ calls, /m],
  "own-model.ts": [/always-seventy/, /Overall .*70/, /Plot and structure .*70/, /Expectation fulfilment .*70/],
  "many-books.ts": [/^\d+\.\d The Inspector of Weights$/m],
  "trust.mjs": [/^Kendall τ 0\.\d\d over 30 texts/m, /^F1 0\.\d\d METEOR 0\.\d\d$/m, /^.*shuffled.* -?\d+\.\d\d$/m],
};
// What is deployed is read by `test/e2e/shared-work/operations.test.ts`.
const NOT_RUN = ["README.md", "scores.ipynb", "deploy"];

let folder: string;
let session: Session;
beforeAll(async () => {
  session = await startSession(inject("project"));
  folder = mkdtempSync(join(tmpdir(), "fabula-examples-"));
  cpSync("examples", folder, { recursive: true });
  symlinkSync(join(inject("project"), "node_modules"), join(folder, "node_modules"), "junction");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
});
afterAll(async () => {
  await session.close();
  rmSync(folder, { recursive: true, force: true });
});

it("every example is tried here", () => {
  expect([...Object.keys(PRINTED), ...NOT_RUN].toSorted()).toEqual(readdirSync("examples").toSorted());
  for (const name of Object.keys(PRINTED)) expect(readFileSync("examples/README.md", "utf8")).toContain(`\`${name}\``);
});

describe.each(["nodenext", "bundler"])("TypeScript that resolves modules as %s does", (resolution) => {
  it("compiles the examples strictly", async () => {
    const options = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      target: "es2023",
      module: resolution === "bundler" ? "esnext" : "nodenext",
      moduleResolution: resolution,
      rootDir: ".",
      outDir: "built",
      types: ["node"],
      typeRoots: [resolve("node_modules/@types")],
      lib: ["es2023"],
    };
    const file = join(folder, "tsconfig.json");
    writeFileSync(file, JSON.stringify({ compilerOptions: options, include: ["*.ts"] }));
    const tsc = resolve("node_modules/typescript/bin/tsc");
    await run(process.execPath, [tsc, "-p", file]).catch(({ stdout }) => expect.fail(stdout));
    expect(existsSync(join(folder, "built", "own-model.js"))).toBe(true);
  });
});

it.each(Object.entries(PRINTED))("%s prints what it says", async (name, patterns) => {
  const { stdout } = await run(process.execPath, [name.replace(/^(.*)\.ts$/, "built/$1.js")], {
    cwd: folder,
    env: { ...session.fabula.environment },
  });
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
  if (name === "evaluate.mjs") expect(readFileSync(join(folder, "report.html"), "utf8")).toContain("</html>");
});
