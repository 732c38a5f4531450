import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** The levels as the decision note states them: the test reads the note, so the note cannot drift from the linter. */
const note = readFileSync("docs/decisions/001-levels.md", "utf8");
const levels = new Map(
  [...note.matchAll(/^\|\s*(\d)\s*\|(.+)\|\s*$/gm)].flatMap(([, level, cells]) =>
    [...cells!.matchAll(/`(\w+)`/g)].map(([, folder]) => [folder!, Number(level)] as const),
  ),
);

/** A small tree with a file in each folder, linted by the project's own configuration. */
let tree: string;
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "fabula-architecture-"));
  const configuration = JSON.parse(readFileSync("biome.json", "utf8"));
  writeFileSync(
    join(tree, "biome.json"),
    JSON.stringify({ ...configuration, root: true, vcs: undefined, files: undefined, formatter: { enabled: false } }),
  );
  for (const folder of levels.keys()) {
    mkdirSync(join(tree, "src", folder), { recursive: true });
    writeFileSync(join(tree, "src", folder, "thing.ts"), "export const thing = 1;\n");
  }
});
afterAll(() => rmSync(tree, { recursive: true, force: true }));

function complaints(path: string, source: string): string {
  const file = join(tree, path);
  writeFileSync(file, source);
  try {
    const biome = join(process.cwd(), "node_modules", ".bin", "biome");
    return execFileSync(biome, ["lint", "--max-diagnostics=50", path], { cwd: tree, encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  } finally {
    rmSync(file);
  }
}

describe("the levels", () => {
  it("cover every folder of src", () => {
    const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((folder) => folder.name).filter((name) => !levels.has(name))).toEqual([]);
  });

  it.each([...levels].filter(([, level]) => level > 0 && level < 7))(
    "let src/%s (level %i) look down and never up or sideways",
    (folder, level) => {
      const imports = [...levels].filter(([other]) => other !== folder);
      const source = imports.map(([other]) => `export { thing as ${other} } from "../${other}/thing.ts";`).join("\n");
      const report = complaints(`src/${folder}/probe.ts`, `${source}\n`);
      // Nothing that ships to users leans on the testing tools, whatever its level.
      const barred = imports.filter(([name, other]) => other >= level || name === "testing").length;
      expect(report.match(/lint\/style\/noRestrictedImports/g)?.length ?? 0).toBe(barred);
    },
  );
});

describe("the linter", () => {
  it.each([
    ["printing below the command line", "src/stats/probe.ts", 'console.log("x");\n', "noConsole"],
    [
      "reading the environment below the command line",
      "src/text/probe.ts",
      "export const home = process.env.HOME;\n",
      "noProcessEnv",
    ],
    ["any", "src/judge/probe.ts", "export const loose = (value: any) => value;\n", "noExplicitAny"],
  ])("stops %s", (_what, path, source, rule) => {
    expect(complaints(path, source)).toContain(rule);
  });

  it("stops import cycles", () => {
    writeFileSync(
      join(tree, "src/text/left.ts"),
      'import { right } from "./right.ts";\nexport const left = () => right;\n',
    );
    const report = complaints(
      "src/text/right.ts",
      'import { left } from "./left.ts";\nexport const right = () => left;\n',
    );
    expect(report).toContain("noImportCycles");
  });
});

describe("process.exit", () => {
  it("appears in the command line alone", () => {
    const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const outside = files.filter((file) => !file.startsWith("cli") && !file.endsWith(".test.ts"));
    expect(outside.filter((file) => readFileSync(join("src", file), "utf8").includes("process.exit("))).toEqual([]);
  });
});
