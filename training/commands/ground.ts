import { join } from "node:path";
import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { updateCard } from "../jury/card.ts";
import { loadCrowdLessons } from "../jury/crowd.ts";
import { loadEditorData } from "../jury/editor.ts";
import { groundTable } from "../jury/figure-tables.ts";
import { type KnownText, trainGround } from "../jury/ground.ts";
import { JUROR_FLAGS, requireData, saveJuror } from "../jury/save-juror.ts";
import { expertLessons } from "../jury/sources/expert-edits.ts";

export default defineCommand({
  summary: "Train the ground: how far a text is from what each juror learnt from",
  operands: "",
  flags: JUROR_FLAGS,
  examples: ["npm run train -- ground --data FOLDER"],
  async run({ flags, terminal }) {
    const data = requireData(flags.data);
    const folder = flags.out ?? assetPath("models", "ground");
    const { model, figures } = await trainGround(await knownTexts(data), join(data, "books", "epub"), terminal.note);
    await saveJuror({ folder, file: "weights.bin" }, "ground", model, terminal);
    await updateCard(folder, "figures", groundTable(figures));
    return 0;
  },
});

/** What each juror learnt from: graded chapters taught the crowd and the grader. */
async function knownTexts(data: string): Promise<KnownText[]> {
  const crowd = (await loadCrowdLessons(data)).map(
    ({ text, family, source }): KnownText => ({
      text,
      family: `${source} ${family}`,
      jurors: source === "graded-chapters" ? ["grader", "crowd"] : ["crowd"],
    }),
  );
  const editor = expertLessons(await loadEditorData(data)).map(
    ({ text, family }): KnownText => ({ text, family, jurors: ["editor"] }),
  );
  return [...new Map([...crowd, ...editor].map((known) => [known.text, known])).values()];
}
