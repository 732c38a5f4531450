// Builds the package into dist/: types, code and the web app. The code is bundled, because Node takes longer to find and open
// a thousand small files than to run what is in them (docs/decisions/003-packaging.md).
import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, posix, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");

/** Every file of the code that is opened by its name: from package.json, as a thread or process, or by a test of the build. */
const ENTRIES = {
  index: "src/index.ts",
  "stats/index": "src/stats/index.ts",
  "qa/index": "src/qa/index.ts",
  "testing/index": "src/testing/index.ts",
  "cli/main": "src/cli/main.ts",
  "cli/run": "src/cli/run.ts",
  "cli/registry": "src/cli/registry.ts",
  "threads/task-process": "src/server/threads/task-process.ts",
  "threads/count-thread": "src/server/threads/count-thread.ts",
  "threads/parse-process": "src/text/parsing/parse-process.ts",
};

/** What the definitions of tasks load at once is a file of its own: `--help` needs it, and nothing else. */
const DEFINITIONS = ["src/cli/task-command.ts", ...definitionsIn("src/tasks")];

/**
 * A process that parses starts for almost every command, and loads the formats it needs: what they share with the definitions and with
 * what judges books stands apart from those.
 */
const PARSING = "src/text/parsing/parse-process.ts";
const FORMATS = formatsIn("src/text/formats/recognise-format.ts");

/** Whatever one of these loads at once is one file, and a module belongs to the first that loads it. */
const [MAIN, LIBRARY, EVALUATE] = ["src/cli/main.ts", "src/index.ts", "src/cli/commands/books/evaluate.ts"];
/**
 * What this command shares with the library and what it shares with judging a book are two files: the command does not load what judging
 * a book takes, and the library does not load the definitions of tasks, which the command needs.
 */
const LIGHT = "src/cli/commands/qa/answers.ts";
/** What these load is a file of its own: they read books and judge nothing, and a command starts several of the processes. */
const READING = [PARSING, "src/tasks/books/read-books.ts", "src/report/book-listing.ts"];

/** Libraries that are built in: of many small files that almost every command needs, or of which only a little is used. */
const BUNDLED = [
  "zod",
  "yaml",
  // So that servers with OpenAI's interface, and the MCP server, work without a package more.
  /^@ai-sdk\/(?:openai-compatible|provider|provider-utils)$/,
  /^@modelcontextprotocol\/sdk/,
  ...["ajv", "ajv-formats", "fast-deep-equal", "fast-uri", "json-schema-traverse", "zod-to-json-schema"],
  ...["eventsource-parser", "@standard-schema/spec"],
];

rmSync(dist, { recursive: true, force: true });
emitTypes();
await bundle();
await build({ root: join(root, "page"), logLevel: "warn" });
await bundleReportFile();
chmodSync(join(dist, "cli", "main.js"), 0o755);

/** The declarations that a user's compiler can reach: those of the public entries, and what they import. */
function emitTypes() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const reached = new Set();
  const visit = (file) => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(/(?:from|import)[ (]"(\.[^"]+)\.[jt]s"/g))
      visit(`${resolve(dirname(file), path)}.d.ts`);
  };
  for (const { types } of Object.values(exports)) visit(join(root, types));
  for (const path of readdirSync(dist, { recursive: true })) {
    const file = join(dist, String(path));
    if (file.endsWith(".ts") && !reached.has(file)) rmSync(file);
  }
}

async function bundle() {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: BUNDLED },
    plugins: [withoutLocales()],
    build: {
      ssr: true,
      outDir: dist,
      emptyOutDir: false,
      copyPublicDir: false,
      target: "node20",
      minify: false,
      license: { fileName: "bundled-licenses.md" },
      rolldownOptions: {
        input: ENTRIES,
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "parts/[name]-[hash].js",
          comments: { jsdoc: false },
          codeSplitting: {
            groups: [
              group("cli-main", (id, loads) => loads(MAIN, id)),
              group("library-schemas", (id, loads) => isSchemaLibrary(id) && isShared(id, loads)),
              group("libraries", (id, loads) => isSchemaLibrary(id) && DEFINITIONS.some((entry) => loads(entry, id))),
              group("basics", (id, loads) => loads(PARSING, id) && DEFINITIONS.some((entry) => loads(entry, id))),
              group(
                "format-basics",
                (id, loads) => inFormats(id, loads) && DEFINITIONS.some((entry) => loads(entry, id)),
              ),
              group("library-basics", isShared),
              group("definitions", (id, loads) => DEFINITIONS.some((entry) => loads(entry, id))),
              group("library-light", (id, loads) => loads(LIGHT, id) && loads(LIBRARY, id)),
              group("common", (id, loads) => loads(LIGHT, id) && (loads(LIBRARY, id) || loads(EVALUATE, id))),
              group("formats", (id, loads) => inFormats(id, loads) && (loads(LIBRARY, id) || loads(EVALUATE, id))),
              // What the library shares with them, apart from the formats, which it loads with the first book.
              group("text", (id, loads) => loads(LIBRARY, id) && READING.some((entry) => loads(entry, id))),
              group("parsing", (id, loads) => loads(PARSING, id)),
              group("reading", (id, loads) => READING.some((entry) => loads(entry, id))),
              group("library", (id, loads) => loads(LIBRARY, id)),
              group("evaluate", (id, loads) => loads(EVALUATE, id)),
            ],
          },
        },
      },
    },
  });
}

/** The web app's components as they write the file of a report and the pages of a leaderboard's site, for Node: loaded with the first that is written. */
async function bundleReportFile() {
  await build({
    root: join(root, "page"),
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    define: { "process.env.NODE_ENV": JSON.stringify("production") },
    oxc: { jsx: { runtime: "automatic", development: false } },
    ssr: { noExternal: true },
    resolve: {
      alias: [
        // The whole of React's server would bring streams along, and a browser's drawing all of the plotting library.
        {
          find: "react-dom/server",
          replacement: join(root, "node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js"),
        },
        { find: /^.*\/drawing\.tsx$/, replacement: join(root, "page/report-file/no-drawing.tsx") },
      ],
    },
    build: {
      ssr: true,
      outDir: join(dist, "report-file"),
      emptyOutDir: false,
      target: "node20",
      minify: true,
      cssMinify: true,
      license: { fileName: "bundled-licenses.md" },
      rolldownOptions: {
        input: {
          "report-file": join(root, "page/report-file/report-file.tsx"),
          "site-pages": join(root, "page/report-file/site-pages.tsx"),
        },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      },
    },
  });
}

function definitionsIn(folder) {
  const files = readdirSync(join(root, folder), { recursive: true }).map((file) => posix.join(folder, toPosix(file)));
  return files.filter(
    (file) => /(?<!\.test)\.ts$/.test(file) && readFileSync(join(root, file), "utf8").includes("= defineTask("),
  );
}

function formatsIn(registry) {
  const source = readFileSync(join(root, registry), "utf8");
  return [...source.matchAll(/import\("(\.[^"]+)"\)/g)].map(([, path]) => posix.join(posix.dirname(registry), path));
}

/** A format that reads front matter needs these, and none of the definitions. */
function isSchemaLibrary(id) {
  return /[\\/]node_modules[\\/](?:zod|yaml)[\\/]/.test(id);
}

/** What a program that imports the library waits for, and the definitions of tasks need as well. */
function isShared(id, loads) {
  return loads(LIBRARY, id) && DEFINITIONS.some((entry) => loads(entry, id));
}

/** Loaded with a format, and not before. */
function inFormats(id, loads) {
  return !loads(PARSING, id) && FORMATS.some((entry) => loads(entry, id));
}

function toPosix(path) {
  return String(path).replaceAll("\\", "/");
}

/** Zod brings its messages in fifty languages; ours are English, and the others take time to load. */
function withoutLocales() {
  const isList = /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/;
  return {
    name: "without-locales",
    load: (id) => (isList.test(id) ? 'export { default as en } from "./en.js";' : null),
  };
}

/** A group of modules for the bundler, by what their entries load at once. */
function group(name, belongs) {
  const loaded = new Map();
  return {
    debugName: name,
    name(id, context) {
      const loads = (entry, module) => {
        if (!loaded.has(entry)) loaded.set(entry, loadedAtOnce(join(root, entry), context));
        return loaded.get(entry).has(module);
      };
      return belongs(id, loads) ? name : null;
    },
  };
}

/** All that an entry imports, except what it loads later. */
function loadedAtOnce(entry, context, modules = new Set()) {
  for (const imported of context.getModuleInfo(entry)?.importedIds ?? []) {
    if (modules.has(imported)) continue;
    modules.add(imported);
    loadedAtOnce(imported, context, modules);
  }
  return modules;
}
