import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { trainCrowd } from "../jury/crowd.ts";
import { figureTable } from "../jury/figure-tables.ts";
import { JUROR_FLAGS, requireData, saveJuror, updateCard } from "../jury/save-juror.ts";

export default defineCommand({
  summary: "Train the crowd: what readers of stories reward",
  operands: "",
  flags: JUROR_FLAGS,
  examples: ["npm run train -- crowd --data FOLDER"],
  async run({ flags, terminal }) {
    const data = requireData(flags.data);
    const folder = flags.out ?? assetPath("models", "crowd");
    const { juror, figures } = await trainCrowd(data, terminal.note);
    await saveJuror({ folder, file: "weights.bin" }, "crowd", juror, terminal);
    await updateCard(folder, "figures", figureTable(figures, juror));
    return 0;
  },
});
