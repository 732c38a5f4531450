import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { FabulaError } from "../../src/core/errors.ts";
import { trainCrowd } from "../jury/crowd.ts";
import { loadKnownTexts } from "../jury/domain/known-texts.ts";
import { trainDomain } from "../jury/domain/train-domain.ts";
import { loadEditorData, trainEditor } from "../jury/editor.ts";
import { domainTable, figureTable, notesTable, selectionTable } from "../jury/figure-tables.ts";
import { editedDrafts } from "../jury/notes/edited-sentences.ts";
import { trainNotes } from "../jury/notes/train-notes.ts";
import { JUROR_FLAGS, requireData, saveJuror, updateCard } from "../jury/save-juror.ts";
import { NESTED, SELECTIONS } from "../jury/selections.ts";

export const crowd = defineCommand({
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

export const editor = defineCommand({
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

export const notes = defineCommand({
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

export const domain = defineCommand({
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

export const select = defineCommand({
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
