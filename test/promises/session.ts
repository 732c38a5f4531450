import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { csvLine } from "../../src/core/csv.ts";
import { readTable } from "../../src/core/table/read-table.ts";
import { type Finished, type InstalledFabula, installedFabula, wordsOf } from "./installed.ts";
import { type ScriptedProvider, startProvider } from "./provider.ts";
import { type FileSource, sourcesFor } from "./workspace.ts";

/** What a line did: what it printed, what it asked the provider, and the files that it left. */
export interface Outcome extends Finished {
  /** The line as it was run. */
  readonly line: string;
  readonly words: readonly string[];
  /** Requests that reached the provider. */
  readonly calls: number;
  readonly folder: string;
}

/** A user who tries what one block of a document shows, line after line, in a folder with the files it names. */
export interface Session {
  readonly fabula: InstalledFabula;
  readonly provider: ScriptedProvider;
  readonly folder: string;
  readonly home: string;
  /** Begins a block: whatever earlier ones left behind is gone. */
  begin(): void;
  /** Makes the files that a line reads and returns it as it can be run here. */
  ready(line: string): Promise<string>;
  run(line: string): Promise<Outcome>;
  close(): Promise<void>;
}

/** The flags whose value a command writes: never made beforehand. */
const WRITTEN = new Set(["--out", "--junit", "--sheet", "--sheets", "--out-texts", ">"]);
const RUN_ID = /\bRUN\b|\b20260115-093012-k3fw\b/g;

export async function startSession(project: string): Promise<Session> {
  const root = mkdtempSync(join(tmpdir(), "fabula-session-"));
  const [folder, home, kept] = [join(root, "work"), join(root, "home"), join(root, "kept")];
  const provider = await startProvider();
  const fabula = await installedFabula({ project, home, folder, settings: provider.environment });
  const readers = join(home, ".local", "share", "fabula", "readers");
  const beingMade = new Set<string>();
  const runs = new Map<string, string>();

  async function execute(line: string): Promise<Outcome> {
    const before = provider.server.exchanges.length;
    const finished = await fabula.run(line);
    await fillInSheets(wordsOf(line), folder);
    return { ...finished, line, words: wordsOf(line), calls: provider.server.exchanges.length - before, folder };
  }

  async function ready(line: string): Promise<string> {
    const words = wordsOf(line);
    const sources = sourcesFor(line);
    for (const [at, word] of words.entries()) {
      if (word.startsWith("-") || WRITTEN.has(words[at - 1] ?? "")) continue;
      for (const part of word.split(",")) {
        const name = Object.keys(sources).find(
          (file) => file === part || (file.endsWith("/") && `${part}/`.startsWith(file)),
        );
        if (name !== undefined) await make(name, sources[name]!);
      }
    }
    const target = />\s*(\S+)$/.exec(line)?.[1]?.replace("~", home);
    if (target !== undefined)
      mkdirSync(dirname(join(target.startsWith("/") ? "" : folder, target)), { recursive: true });
    if (/(?:--as|--profile|show|export|delete) ada\b|profile list/.test(line) && !existsSync(join(readers, "ada.json")))
      await execute(await ready("fabula reader profile import ada --in goodreads_library_export.csv"));
    if (line.startsWith("fabula settings")) {
      const settled = line.includes("~/novels") ? join(home, "novels") : folder;
      mkdirSync(settled, { recursive: true });
      writeFileSync(join(settled, "fabula.config.yaml"), "limits:\n  concurrency: 8\n");
    }
    const named = RUN_ID.test(line) ? line.replaceAll(RUN_ID, await runFor(line)) : line;
    // What a shell has learnt can only be seen in that shell.
    return provider.addressed(named.startsWith("source ") ? `${named}; complete -p fabula; type _fabula` : named);
  }

  async function make(name: string, source: FileSource): Promise<void> {
    const path = join(folder, name);
    const copy = join(kept, source.key);
    if (existsSync(path) || beingMade.has(path)) return;
    mkdirSync(dirname(path), { recursive: true });
    if (source.kind === "static") return source.write(path);
    if (!existsSync(copy)) {
      beingMade.add(path);
      for (const line of source.lines) {
        const { code, stderr } = await execute(await ready(line));
        if (code !== 0) throw new Error(`${name} could not be made: ${line}\n${stderr}`);
      }
      beingMade.delete(path);
      cpSync(path, copy, { recursive: true });
    } else cpSync(copy, path, { recursive: true });
  }

  /** A finished run of the kind that the line needs. */
  async function runFor(line: string): Promise<string> {
    const books = /--against/.test(line)
      ? "draft-1.docx"
      : /\b(?:agree|health)\b/.test(line)
        ? "books/*.epub"
        : "novel.epub";
    // A draft is held against a run of one of the published methods.
    const method = books === "draft-1.docx" ? " --method summary" : "";
    const evaluation = await ready(`fabula evaluate ${books} --judge openai:gpt-4.1${method}`);
    const run = runs.get(books) ?? /Run (\d{8}-\d{6}-\w+)/.exec((await execute(evaluation)).stderr)?.[1] ?? "no run";
    runs.set(books, run);
    return run;
  }

  return {
    fabula,
    provider,
    folder,
    home,
    begin() {
      for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
      rmSync(readers, { recursive: true, force: true });
    },
    ready,
    run: async (line) => execute(await ready(line)),
    async close() {
      fabula.close();
      await provider.server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The part of people: sheets that a command has written come back filled in. */
async function fillInSheets(words: readonly string[], folder: string): Promise<void> {
  for (const [at, word] of words.entries()) {
    if (word !== "--sheet" && word !== "--sheets") continue;
    const path = join(folder, words[at + 1]!);
    const files =
      word === "--sheet"
        ? [path]
        : readdirSync(path)
            .filter((name) => name.endsWith(".csv"))
            .map((name) => join(path, name));
    for (const file of files) {
      if (readFileSync(file, "utf8").trim().split("\n").length < 2) continue;
      const { columns, rows } = await readTable(file);
      const filled = rows.map((row, index) =>
        csvLine(
          columns.map((column) => {
            if (column === "rating") return String(1 + ((index * 3) % 5));
            if (column !== "decision") return String(row[column] ?? "");
            return file.endsWith("documents.csv") ? "movie" : index % 4 === 0 ? "no" : "yes";
          }),
        ),
      );
      writeFileSync(file, [csvLine(columns), ...filled].join("\n"));
    }
  }
}
