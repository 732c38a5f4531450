import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";

const run = promisify(execFile);

/** A project of a user's, with the package in it as npm would install it. */
let project: string;
let installed: string;
let files: string[];
let bytes: number;
beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "fabula-package-"));
  const { stdout } = await run(process.execPath, ["scripts/install-packed.mjs", project], { maxBuffer: 1 << 24 });
  ({ installed, files, bytes } = JSON.parse(stdout));
});
afterAll(() => rm(project, { recursive: true, force: true }));

const inProject = (script: string) =>
  run(process.execPath, ["--input-type=module", "--eval", script], { cwd: project, encoding: "utf8" });
const fabula = (...words: string[]) =>
  run(process.execPath, [join(installed, "dist", "cli", "main.js"), ...words], { cwd: project, encoding: "utf8" });

/** What Node loads with a file of the package before it runs: the file, and what it imports by name. */
async function loadedAtOnce(file: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  if (found.has(file)) return found;
  const code = await readFile(file, "utf8");
  found.set(file, code);
  for (const [, path = ""] of code.matchAll(/^(?:import|export)\s[^"']*["'](\.[^"']+)["']/gm))
    await loadedAtOnce(resolve(dirname(file), path), found);
  return found;
}

it("each entry of the installed package can be imported, and importing it runs nothing", async () => {
  const { stdout } = await inProject(`
    const entries = await Promise.all(["fabula", "fabula/stats", "fabula/qa", "fabula/testing"].map((name) => import(name)));
    console.log(entries.map((entry) => Object.keys(entry).length > 5).join());`);
  expect(stdout).toBe("true,true,true,true\n");
});

it("importing the library loads no definition of a task, and the command's version no file but its own", async () => {
  const library = await loadedAtOnce(join(installed, "dist", "index.js"));
  expect(library.size).toBeGreaterThan(3);
  for (const [file, code] of library) expect(code, file).not.toContain("= defineTask(");
  expect((await loadedAtOnce(join(installed, "dist", "cli", "main.js"))).size).toBe(2);
});

it("the library reads and judges a book with the assets that came with it", async () => {
  const { stdout } = await inProject(`
    import { evaluateBook, readBook } from "fabula";
    const story = "node_modules/fabula/assets/examples/the-inspector-of-weights.md";
    const { overall } = await evaluateBook(story);
    console.log((await readBook(story)).title, overall.kind);`);
  expect(stdout).toBe("The Inspector of Weights scored\n");
});

it("the library reads a PDF by its path", async () => {
  const { stdout } = await inProject(`
    import { readBook } from "fabula";
    const { title, chapters } = await readBook(${JSON.stringify(resolve("test/fixtures/two-chapters.pdf"))});
    console.log(title, chapters.map(({ words }) => words).join());`);
  expect(stdout).toBe("The Inspector of Weights 682,729\n");
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
    const file = join(installed, path);
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
  expect(files.filter((path) => /\.test\.|^(?:training|src|test|evals|benchmarks)\//.test(path))).toEqual([
    "evals/scorecard.md",
  ]);
  expect(files.filter((path) => /^dist\/(?:cli|server)\/.*\.d\.ts$/.test(path))).toEqual([]);
});

it("takes less than 80 MB with everything it needs, optional packages left out", () => {
  expect(bytes / 1e6).toBeLessThan(80);
  expect(bytes / 1e6).toBeGreaterThan(10);
});

it("a judge whose package is not installed ends the run with one sentence, and setup says it before", async () => {
  const environment = { ...process.env, OPENAI_API_KEY: "none", XDG_CONFIG_HOME: project, XDG_DATA_HOME: project };
  const withKey = (...words: string[]) =>
    run(process.execPath, [join(installed, "dist", "cli", "main.js"), ...words], { cwd: project, env: environment });
  const story = join(installed, "assets", "examples", "the-inspector-of-weights.md");
  const { code, stdout, stderr } = await withKey("evaluate", story, "--judge", "openai:gpt-4.1").catch(
    (error) => error,
  );
  expect(stderr).toMatch(/^fabula: An OpenAI judge needs the package @ai-sdk\/openai.*npm install @ai-sdk\/openai@3/m);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect((await withKey("setup")).stdout).toMatch(/openai:gpt-4\.1\n.*\n.*needs the package @ai-sdk\/openai/);
});

it("what README and the guide link to is in the package or on the web", async () => {
  const pages = files.filter((path) => path.endsWith(".md") && !path.startsWith("assets/"));
  expect(pages).toContain("README.md");
  const broken: string[] = [];
  for (const page of pages) {
    const text = await readFile(join(installed, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(?:https?:|mailto:|#)/.test(target)) continue;
      if (!existsSync(resolve(installed, dirname(page), target.replace(/#.*$/, "")))) broken.push(`${page}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});
