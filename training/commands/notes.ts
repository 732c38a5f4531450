import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { loadEditorData } from "../jury/editor.ts";
import { notesTable } from "../jury/figure-tables.ts";
import { editedDrafts } from "../jury/notes/edited-sentences.ts";
import { trainNotes } from "../jury/notes/train-notes.ts";
import { JUROR_FLAGS, requireData, saveJuror, updateCard } from "../jury/save-juror.ts";

export default defineCommand({
  summary: "Train the line notes: which sentences a professional editor would change, and why",
  operands: "",
  flags: JUROR_FLAGS,
  examples: ["npm run train -- notes --data FOLDER"],
  async run({ flags, terminal }) {
    const data = requireData(flags.data);
    const folder = flags.out ?? assetPath("models", "editor");
    const report = trainNotes(editedDrafts(await loadEditorData(data)), terminal.note);
    await saveJuror({ folder, file: "notes.bin" }, "notes", report.model, terminal);
    await updateCard(folder, "notes", notesTable(report));
    return 0;
  },
});
