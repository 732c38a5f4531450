import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);

/** A project of a user's, with the package in it as npm would install it. */
let project: string;
let installed: string;
let files: string[];
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "fabula-package-"));
  // `--ignore-scripts`: the tests have built the package already.
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", project]);
  const [packed] = JSON.parse(stdout);
  files = packed.files.map(({ path }: { path: string }) => path);
  await run("tar", ["-xzf", join(project, packed.filename), "-C", project]);
  await mkdir(join(project, "node_modules"));
  installed = join(project, "node_modules", "fabula");
  await symlink(join(project, "package"), installed, "junction");
  await symlink(join(process.cwd(), "node_modules"), join(project, "package", "node_modules"), "junction");
});
afterAll(() => rm(project, { recursive: true, force: true }));

const inProject = (script: string) =>
  run(process.execPath, ["--input-type=module", "--eval", script], { cwd: project, encoding: "utf8" });
const fabula = (...words: string[]) =>
  run(process.execPath, [join(installed, "dist", "cli", "main.js"), ...words], { cwd: project, encoding: "utf8" });

it("each entry of the installed package can be imported, and importing it runs nothing", async () => {
  const { stdout } = await inProject(`
    const entries = await Promise.all(["fabula", "fabula/stats", "fabula/qa", "fabula/testing"].map((name) => import(name)));
    console.log(entries.map((entry) => Object.keys(entry).length > 5).join());`);
  expect(stdout).toBe("true,true,true,true\n");
});

it("the library reads and judges a book with the assets that came with it", async () => {
  const { stdout } = await inProject(`
    import { evaluateBook, readBook } from "fabula";
    const story = "node_modules/fabula/assets/examples/the-inspector-of-weights.md";
    const { overall } = await evaluateBook(story);
    console.log((await readBook(story)).title, overall.kind);`);
  expect(stdout).toBe("The Inspector of Weights scored\n");
});

it("the command reads many books in threads", async () => {
  const books = Array.from({ length: 12 }, (_, index) => join(project, `book-${index}.txt`));
  for (const [index, book] of books.entries()) await writeFile(book, `Chapter 1\n\nStory number ${index} began.\n`);
  const { stdout } = await fabula("read", "--json", ...books);
  expect(JSON.parse(stdout).books).toHaveLength(12);
});

it("each declaration file names only files and libraries that a user has", async () => {
  const { dependencies } = JSON.parse(await readFile("package.json", "utf8"));
  const declarations = files.filter((path) => path.endsWith(".d.ts"));
  expect(declarations).toContain("dist/index.d.ts");
  const missing: string[] = [];
  for (const path of declarations) {
    const file = join(project, "package", path);
    for (const [, from = ""] of (await readFile(file, "utf8")).matchAll(
      /(?:^(?:im|ex)port .*from |import\()"([^"]+)"/gm,
    )) {
      const isThere = from.startsWith(".")
        ? existsSync(resolve(dirname(file), from.replace(/\.[jt]s$/, ".d.ts")))
        : from.startsWith("node:") || from in dependencies;
      if (!isThere) missing.push(`${path}: ${from}`);
    }
  }
  expect(missing).toEqual([]);
});

it("the package holds no tests, no training code and no declarations that nothing reaches", () => {
  expect(files.filter((path) => /\.test\.|^(?:training|src|test|evals|benchmarks)\//.test(path))).toEqual([]);
  expect(files.filter((path) => /^dist\/(?:cli|server)\/.*\.d\.ts$/.test(path))).toEqual([]);
});
