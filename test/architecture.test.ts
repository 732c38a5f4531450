import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** The levels as the decision note states them: the test reads the note, so the note cannot drift from the check. */
const note = readFileSync("docs/decisions/001-levels.md", "utf8");
const levels = new Map(
  [...note.matchAll(/^\|\s*(\d)\s*\|(.+)\|\s*$/gm)].flatMap(([, level, cells]) =>
    [...cells!.matchAll(/`(\w+)`/g)].map(([, folder]) => [folder!, Number(level)] as const),
  ),
);

/** A folder that may import another of its own level. */
const SIDEWAYS = ["stats core"];

/** A small tree with a file in each folder, checked by the project's own rules. */
let tree: string;
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "fabula-architecture-"));
  const configuration = JSON.parse(readFileSync("biome.json", "utf8"));
  writeFileSync(
    join(tree, "biome.json"),
    JSON.stringify({ ...configuration, root: true, vcs: undefined, files: undefined, formatter: { enabled: false } }),
  );
  mkdirSync(join(tree, "docs", "decisions"), { recursive: true });
  writeFileSync(join(tree, "docs", "decisions", "001-levels.md"), note);
  for (const folder of [...[...levels.keys()].map((name) => join("src", name)), "page", "training"]) {
    mkdirSync(join(tree, folder), { recursive: true });
    writeFileSync(join(tree, folder, "thing.ts"), "export const thing = 1;\n");
  }
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

type Sources = Readonly<Record<string, string>>;

/** What a command says of the tree with more files in it. */
function complaints(command: readonly string[], sources: Sources): string {
  for (const [path, source] of Object.entries(sources)) writeFileSync(join(tree, path), source);
  try {
    const [program, ...words] = command;
    const { stdout, stderr } = spawnSync(program!, words, { cwd: tree, encoding: "utf8" });
    return stdout + stderr;
  } finally {
    for (const path of Object.keys(sources)) rmSync(join(tree, path));
  }
}
const lint = (sources: Sources) =>
  complaints(
    [join(process.cwd(), "node_modules", ".bin", "biome"), "lint", "--max-diagnostics=50", ...Object.keys(sources)],
    sources,
  );
const checkLevels = (path: string, source: string) => checkAllLevels({ [path]: source });
const checkAllLevels = (sources: Sources) =>
  complaints([process.execPath, join(process.cwd(), "scripts", "check-levels.mjs")], sources);

describe("the levels", () => {
  it("hold in this tree", () => {
    const { status, stderr } = spawnSync(process.execPath, ["scripts/check-levels.mjs"], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
  });

  /** What is said of a tree in which every folder imports all others. */
  let said: string[];
  beforeAll(() => {
    const probes = [...levels.keys()].map((folder) => {
      const others = [...levels.keys()].filter((other) => other !== folder);
      const source = others.map((other) => `export { thing as ${other} } from "../${other}/thing.ts";\n`).join("");
      return [`src/${folder}/probe.ts`, source];
    });
    said = checkAllLevels(Object.fromEntries(probes)).split("\n");
  });

  it.each([...levels])("let src/%s (level %i) look down and never up or sideways", (folder, level) => {
    const imports = [...levels].filter(([other]) => other !== folder);
    const report = said.filter((line) => line.startsWith(`src/${folder}/probe.ts `)).join("\n");
    // Nothing that ships to users leans on the testing tools, whatever its level.
    const barred = imports.filter(
      ([name, other]) => name === "testing" || (other >= level && !SIDEWAYS.includes(`${folder} ${name}`)),
    );
    expect([...report.matchAll(/imports src\/(\w+)\/thing/g)].map(([, name]) => name)).toEqual(
      barred.map(([name]) => name),
    );
  });

  it("keep the web app to the shapes and the numbers", () => {
    const source = ["api", "stats", "judge"].map((name) => `export * from "../src/${name}/thing.ts";\n`).join("");
    expect(checkLevels("page/probe.ts", source)).toMatch(/^page\/probe\.ts imports src\/judge\/thing\.ts.*\n$/);
  });

  it("keep the server's code out of the web app, which knows the types of its routes", () => {
    expect(checkLevels("page/probe.ts", 'import type { Thing } from "../src/server/thing.ts";\n')).toBe("");
    expect(checkLevels("page/probe.ts", 'import { thing } from "../src/server/thing.ts";\n')).toContain("types alone");
  });

  it("keep training out of what ships", () => {
    expect(checkLevels("training/probe.ts", 'export * from "../src/cli/thing.ts";\n')).toBe("");
    expect(checkLevels("src/cli/probe.ts", 'export * from "../../training/thing.ts";\n')).toContain("src alone");
  });

  it("notice files that import each other, if only for a type", () => {
    writeFileSync(
      join(tree, "src/text/left.ts"),
      'import type { Right } from "./right.ts";\nexport type Left = Right;\n',
    );
    const report = checkLevels(
      "src/text/right.ts",
      'import type { Left } from "./left.ts";\nexport type Right = Left;\n',
    );
    rmSync(join(tree, "src/text/left.ts"));
    expect(report).toMatch(/^circle: src\/text\/(left|right)\.ts → /);
  });

  it("notice a folder without a level", () => {
    mkdirSync(join(tree, "src", "attic"));
    expect(checkLevels("src/attic/probe.ts", "")).toContain("src/attic has no level");
    rmSync(join(tree, "src", "attic"), { recursive: true });
  });
});

describe("the linter", () => {
  const stopped = {
    "printing below the command line": ["src/stats/probe.ts", 'console.log("x");\n', "noConsole"],
    "reading the environment below the command line": [
      "src/text/probe.ts",
      "export const home = process.env.HOME;\n",
      "noProcessEnv",
    ],
    any: ["src/judge/probe.ts", "export const loose = (value: any) => value;\n", "noExplicitAny"],
    "import cycles": [
      "src/text/right.ts",
      'import { left } from "./left.ts";\nexport const right = () => left;\n',
      "noImportCycles",
    ],
  } as const;
  let said: string;
  beforeAll(() => {
    said = lint({
      ...Object.fromEntries(Object.values(stopped).map(([path, source]) => [path, source])),
      "src/text/left.ts": 'import { right } from "./right.ts";\nexport const left = () => right;\n',
    });
  });

  it.each(Object.entries(stopped))("stops %s", (_what, [path, , rule]) => {
    expect(said).toMatch(new RegExp(`^${path}:\\d+:\\d+ lint/\\w+/${rule} `, "m"));
  });
});

describe("process.exit", () => {
  it("appears in the command line alone", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const outside = files.filter((file) => !file.startsWith("cli") && !file.endsWith(".test.ts"));
    expect(outside.filter((file) => readFileSync(join("src", file), "utf8").includes("process.exit("))).toEqual([]);
  });
});
