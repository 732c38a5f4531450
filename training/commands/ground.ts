import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { updateCard } from "../jury/card.ts";
import { groundTable } from "../jury/figure-tables.ts";
import { loadKnownTexts } from "../jury/ground/known-texts.ts";
import { trainGround } from "../jury/ground/train-ground.ts";
import { JUROR_FLAGS, requireData, saveJuror } from "../jury/save-juror.ts";

export default defineCommand({
  summary: "Train the ground: how far a text is from what each juror learnt from",
  operands: "",
  flags: JUROR_FLAGS,
  examples: ["npm run train -- ground --data FOLDER"],
  async run({ flags, terminal }) {
    const data = requireData(flags.data);
    const folder = flags.out ?? assetPath("models", "ground");
    const { model, figures } = trainGround(await loadKnownTexts(data), terminal.note);
    await saveJuror({ folder, file: "weights.bin" }, "ground", model, terminal);
    await updateCard(folder, "figures", groundTable(figures));
    return 0;
  },
});
