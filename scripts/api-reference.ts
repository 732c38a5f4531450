// Writes docs/api from the declarations of the built package and their comments. `npm run docs:api`; a test fails when it is stale.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

interface Entry {
  readonly name: string;
  readonly kind: "function" | "type";
  readonly comment: string;
  readonly declaration: string;
}

const ENTRIES = [
  {
    specifier: "fabula",
    file: "dist/index.d.ts",
    page: "README.md",
    about: 'Everything that `import … from "fabula"` gives.',
  },
  { specifier: "fabula/stats", file: "dist/stats/index.d.ts", page: "stats.md", about: "Statistics on plain numbers." },
  { specifier: "fabula/qa", file: "dist/qa/index.d.ts", page: "qa.md", about: "Metrics for answers about narratives." },
  {
    specifier: "fabula/testing",
    file: "dist/testing/index.d.ts",
    page: "testing.md",
    about: "Tools for testing what talks to models.",
  },
] as const;

/** Page → its Markdown. */
export function apiReference(): ReadonlyMap<string, string> {
  return new Map(ENTRIES.map(({ specifier, file, page, about }) => [page, pageOf(specifier, about, entriesOf(file))]));
}

function pageOf(specifier: string, about: string, entries: readonly Entry[]): string {
  const functions = entries.filter(({ kind }) => kind === "function");
  const types = entries.filter(({ kind }) => kind === "type");
  const others = ENTRIES.filter((entry) => entry.specifier !== specifier);
  return [
    `# ${specifier}`,
    "",
    `${about} Written by \`npm run docs:api\` from the comments in the code.`,
    `Other entries: ${others.map((entry) => `[${entry.specifier}](${entry.page})`).join(", ")}. By what you want to do: [tasks](tasks/README.md).`,
    "",
    ...section("Functions and values", functions),
    ...section("Types", types),
  ].join("\n");
}

function section(title: string, entries: readonly Entry[]): string[] {
  if (entries.length === 0) return [];
  const list = [...entries].sort((left, right) => left.name.localeCompare(right.name, "en"));
  return [
    `## ${title}`,
    "",
    ...list.flatMap(({ name, comment, declaration }) => [
      `### ${name}`,
      "",
      ...(comment === "" ? [] : [comment, ""]),
      "```ts",
      declaration,
      "```",
      "",
    ]),
  ];
}

/** What an entry file exports: its own declarations, and those it passes on from other files. */
function entriesOf(file: string): Entry[] {
  const source = readFileSync(file, "utf8");
  const own = [...source.matchAll(/^export (?:declare )?(?:async )?(?:function\*?|const|class) (\w+)/gm)].map(
    ([, name]) => entryIn(source, name!),
  );
  const passed = [...source.matchAll(/^export (type )?\{([^}]*)\} from "([^"]+)";/gm)].flatMap(([, , names, from]) => {
    const target = join(dirname(file), from!.replace(/\.(?:d\.)?[jt]s$/, ".d.ts"));
    const text = readFileSync(target, "utf8");
    return names!
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== "")
      .map((name) => entryIn(text, name));
  });
  return [...own, ...passed];
}

function entryIn(source: string, name: string): Entry {
  const found = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:async )?(class|function\\*?|const|interface|type) ${name}\\b`,
    "m",
  ).exec(source);
  if (!found) return { name, kind: "type", comment: "", declaration: name };
  const before = source.slice(0, found.index);
  const [, comment = ""] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(before) ?? [];
  const kind = found[1] === "interface" || found[1] === "type" ? "type" : "function";
  const declaration = declarationAt(source, found.index)
    .replace(/^export (?:declare )?/, "")
    // Where a type stands is the compiler's concern; its name is the reader's.
    .replace(/import\("[^"]*"\)\./g, "");
  return { name, kind, comment: markdownOf(comment), declaration };
}

/** Up to the end of the declaration: the first `;` or `}` at the outermost level that ends a line. */
function declarationAt(source: string, start: number): string {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const letter = source[at]!;
    if ("{([".includes(letter)) depth++;
    if ("})]".includes(letter)) depth--;
    const endsLine = source[at + 1] === "\n" || at + 1 === source.length;
    if (depth === 0 && endsLine && (letter === ";" || letter === "}")) return source.slice(start, at + 1);
  }
  return source.slice(start);
}

function markdownOf(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .replace(/@example\n?/g, "")
    .trim();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  mkdirSync(join("docs", "api"), { recursive: true });
  for (const [page, text] of apiReference()) writeFileSync(join("docs", "api", page), text);
}
