import { FabulaError } from "../../../core/errors.ts";
import { COMMON_FLAGS, defineCommand, type Flags, type Group, isGroup, requireOperand } from "../../command.ts";
import { jsonDocument } from "../../output/write-report.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** A script that a shell reads once; it contains all names, so that completing starts no process. */
function completionScript(shell: Shell, rows: readonly CompletionRow[]): string {
  switch (shell) {
    case "bash":
      return bash(rows);
    case "zsh":
      return `#compdef fabula\nautoload -U +X bashcompinit && bashcompinit\n${bash(rows)}`;
    case "fish":
      return fish(rows);
    default:
      return shell satisfies never;
  }
}

/**
 * The words that are not flags name the command. A flag with known values completes these, anything else completes
 * files.
 */
function bash(rows: readonly CompletionRow[]): string {
  const cases = rows.map(({ path, words }) => `    "${path}") words="${words.join(" ")}" ;;`);
  const values = rows.flatMap(({ path, choices }) =>
    Object.entries(choices).map(([flag, names]) => `    "${path} ${flag}") words="${names.join(" ")}" ;;`),
  );
  return `_fabula() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
${rows
  .filter(({ path }) => path !== "")
  .map(({ path }) => `      "${path}") command="${path}" ;;`)
  .join("\n")}
    esac
  done
  case "$command" in
${cases.join("\n")}
  esac
  case "$command $previous" in
${values.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _fabula fabula
`;
}

function fish(rows: readonly CompletionRow[]): string {
  const lines = rows.flatMap(({ path, words, choices }) => {
    const condition =
      path === ""
        ? "__fish_use_subcommand"
        : path
            .split(" ")
            .map((name) => `__fish_seen_subcommand_from ${name}`)
            .join("; and ");
    return words.map((word) => {
      if (!word.startsWith("--")) return `complete -c fabula -f -n '${condition}' -a '${word}'`;
      const values = choices[word];
      return `complete -c fabula -n '${condition}' -l '${word.slice(2)}'${values ? ` -x -a '${values.join(" ")}'` : ""}`;
    });
  });
  return `${lines.join("\n")}\n`;
}

export const completionsCommand = defineCommand({
  summary: "Print a script that completes commands, flags and their values in your shell.",
  operands: "bash|zsh|fish",
  flags: {},
  examples: [
    "source <(fabula completions bash)   # in ~/.bashrc",
    "fabula completions zsh > ~/.zfunc/_fabula   # with ~/.zfunc in fpath",
    "fabula completions fish > ~/.config/fish/completions/fabula.fish",
  ],
  async run({ operands, flags, terminal, root }) {
    const given = requireOperand("completions", "shell: bash, zsh or fish", operands);
    const shell = SHELLS.find((name) => name === given);
    if (!shell) throw new FabulaError("E_USAGE", `There are no completions for "${given}": choose bash, zsh or fish.`);
    const script = completionScript(shell, await completionTable(root));
    terminal.print(flags.json ? jsonDocument("completions", { shell, script }) : script);
    return 0;
  },
});

/** What may follow a command: the names of its subcommands, or its flags, and the values that some flags take. */
interface CompletionRow {
  /** `bench run`; empty for `fabula` itself. */
  readonly path: string;
  readonly words: readonly string[];
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

/** One row for each command and group. */
async function completionTable(group: Group, path = ""): Promise<CompletionRow[]> {
  const rows: CompletionRow[] = [{ path, words: Object.keys(group.members), choices: {} }];
  for (const [name, entry] of Object.entries(group.members)) {
    const inner = path === "" ? name : `${path} ${name}`;
    if (isGroup(entry)) rows.push(...(await completionTable(entry, inner)));
    else rows.push(rowOf(inner, (await entry.load()).flags));
  }
  return rows;
}

function rowOf(path: string, own: Flags): CompletionRow {
  const flags: Flags = { ...own, ...COMMON_FLAGS };
  const choices = Object.entries(flags).flatMap(([flag, definition]) =>
    definition.type === "string" && definition.choices ? [[`--${flag}`, definition.choices] as const] : [],
  );
  return { path, words: Object.keys(flags).map((flag) => `--${flag}`), choices: Object.fromEntries(choices) };
}
