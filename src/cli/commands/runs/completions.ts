import { FabulaError } from "../../../core/errors.ts";
import { defineCommand } from "../../command.ts";
import { completionScript, SHELLS } from "../../completions/completion-scripts.ts";
import { completionTable } from "../../completions/completion-table.ts";
import { requireOperand } from "../../flags/require-operand.ts";
import { jsonDocument } from "../../output/json-document.ts";

export default defineCommand({
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
