import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { loadKnownTexts } from "../jury/domain/known-texts.ts";
import { trainDomain } from "../jury/domain/train-domain.ts";
import { domainTable } from "../jury/figure-tables.ts";
import { JUROR_FLAGS, requireData, saveJuror, updateCard } from "../jury/save-juror.ts";

export default defineCommand({
  summary: "Train the domain: how far a text is from what each juror learnt from",
  operands: "",
  flags: JUROR_FLAGS,
  examples: ["npm run train -- domain --data FOLDER"],
  async run({ flags, terminal }) {
    const data = requireData(flags.data);
    const folder = flags.out ?? assetPath("models", "domain");
    const { model, figures } = trainDomain(await loadKnownTexts(data), terminal.note);
    await saveJuror({ folder, file: "weights.bin" }, "domain", model, terminal);
    await updateCard(folder, "figures", domainTable(figures));
    return 0;
  },
});
