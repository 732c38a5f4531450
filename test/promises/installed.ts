import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { globSync } from "tinyglobby";
import { documentProblem } from "../support/document-validator.ts";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed package as one user with a home of their own runs it in a folder. */
export interface InstalledFabula {
  /** One line as a document shows it. */
  run(line: string): Promise<Finished>;
  /** For what runs until it is stopped. */
  start(line: string): ChildProcess;
  readonly environment: Readonly<Record<string, string>>;
  close(): void;
}

export interface InstallationUse {
  /** The folder that the package was installed in. */
  readonly project: string;
  readonly home: string;
  readonly folder: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function installedFabula({ project, home, folder, settings }: InstallationUse): Promise<InstalledFabula> {
  for (const path of [home, folder]) mkdirSync(path, { recursive: true });
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:FABULA|XDG|OPENAI|ANTHROPIC|GOOGLE|GEMINI|OLLAMA|PG)/.test(name),
  );
  const environment = {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    HOME: home,
    PATH: [join(project, "bin"), join(project, "node_modules", ".bin"), process.env.PATH].join(delimiter),
    NO_COLOR: "1",
    ...settings,
  };
  const main = join(project, "node_modules", "fabula", "dist", "cli", "main.js");
  // Where books are read, processes are started that keep the folder they were started in: so does this one.
  const commands = fork(new URL("one-process.mjs", import.meta.url), [main], {
    cwd: folder,
    env: environment,
    silent: true,
  });
  await once(commands, "message");
  const ended = once(commands, "exit").then(([code]) => {
    throw new Error(`the process that runs the commands ended with ${code}`);
  });
  ended.catch(() => {});
  return {
    environment,
    start: (line) => spawn("bash", ["-c", `exec ${line}`], { cwd: folder, env: environment }),
    async run(line) {
      if (needsShell(line)) return throughShell(line, folder, environment);
      const words = wordsOf(line)
        .slice(1)
        .flatMap((word) => expanded(word, folder));
      commands.send({ words });
      const [finished] = (await Promise.race([once(commands, "message"), ended])) as [Finished];
      return finished;
    },
    close: () => void commands.kill("SIGKILL"),
  };
}

async function throughShell(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Finished> {
  const child = spawn("bash", ["-o", "pipefail", "-c", line], { cwd, env });
  const output = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.end();
  const [code] = await once(child, "close");
  return { code, ...output };
}

/** Other programs, what starts one, and what only a shell understands: pipes, redirections, substitutions, the home folder. */
function needsShell(line: string): boolean {
  return (
    !line.startsWith("fabula ") ||
    line.startsWith("fabula runs resume") ||
    /[|<>$~]/.test(line.replace(/"[^"]*"|'[^']*'/g, ""))
  );
}

/** As a shell would take the line apart. */
export function wordsOf(line: string): string[] {
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function expanded(word: string, cwd: string): string[] {
  if (!/[*?]/.test(word)) return [word];
  const found = globSync(word, { cwd, expandDirectories: false }).sort();
  return found.length === 0 ? [word] : found;
}

/** Whether what `--json` printed is the document that its schema describes. */
export function jsonProblem(stdout: string): string | null {
  try {
    return documentProblem(stdout);
  } catch (error) {
    return `no JSON: ${error}`;
  }
}
