import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { FabulaError } from "../../src/core/errors.ts";
import { selectionTable } from "../jury/figure-tables.ts";
import { JUROR_FLAGS, requireData, updateCard } from "../jury/save-juror.ts";
import { NESTED, SELECTIONS } from "../jury/selections.ts";

export default defineCommand({
  summary:
    "Choose a juror's settings inside the folds, and measure what that choice is worth on texts that took no part in it",
  operands: "crowd|editor|notes",
  flags: {
    ...JUROR_FLAGS,
    outer: {
      type: "number",
      value: "N",
      help: "folds that are measured on",
      default: NESTED.outer,
      minimum: 2,
      integer: true,
    },
    inner: {
      type: "number",
      value: "N",
      help: "folds that choose, within the rest",
      default: NESTED.inner,
      minimum: 2,
      integer: true,
    },
  },
  examples: ["npm run train -- select crowd --data FOLDER"],
  async run({ operands, flags, terminal }) {
    const name = operands[0] ?? "";
    const select = Object.hasOwn(SELECTIONS, name) ? SELECTIONS[name] : undefined;
    if (!select) throw new FabulaError("E_USAGE", "Say whose settings to choose: select crowd, editor or notes.");
    const { outer, inner } = flags;
    const selected = await select(requireData(flags.data), { ...NESTED, outer, inner, say: terminal.note });
    const table = selectionTable(selected, outer, inner);
    terminal.print(table);
    const folder = flags.out ?? assetPath("models", name === "notes" ? "editor" : name);
    await updateCard(folder, name === "notes" ? "notes-selection" : "selection", table);
    return 0;
  },
});
