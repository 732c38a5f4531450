import type { CompletionRow } from "./completion-table.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** A script that a shell reads once; it holds all names itself, so that completing starts no process. */
export function completionScript(shell: Shell, rows: readonly CompletionRow[]): string {
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

/** The words that are not flags name the command; a flag with known values offers these, anything else offers files. */
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
