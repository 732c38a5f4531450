import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { trainEditor } from "../jury/editor.ts";
import { figureTable } from "../jury/figure-tables.ts";
import { JUROR_FLAGS, requireData, saveJuror, updateCard } from "../jury/save-juror.ts";

export default defineCommand({
  summary: "Train the editor: what professional writers score and change",
  operands: "",
  flags: JUROR_FLAGS,
  examples: ["npm run train -- editor --data FOLDER"],
  async run({ flags, terminal }) {
    const data = requireData(flags.data);
    const folder = flags.out ?? assetPath("models", "editor");
    const { juror, figures } = await trainEditor(data, terminal.note);
    await saveJuror({ folder, file: "weights.bin" }, "editor", juror, terminal);
    await updateCard(folder, "figures", figureTable(figures, juror));
    return 0;
  },
});
