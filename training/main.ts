import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { assetPath } from "../src/core/assets.ts";
import { encodeJuror, type TrainedJuror } from "../src/jury/juror-file.ts";
import { updateCard } from "./jury/card.ts";
import { loadCrowdLessons, trainCrowd } from "./jury/crowd.ts";
import { loadEditorData, trainEditor } from "./jury/editor.ts";
import { figureTable, groundTable, notesTable } from "./jury/figure-tables.ts";
import { type KnownText, trainGround } from "./jury/ground.ts";
import { editedDrafts } from "./jury/notes/edited-sentences.ts";
import { trainNotes } from "./jury/notes/train-notes.ts";
import { expertLessons } from "./jury/sources/expert-edits.ts";

const USAGE = "npm run train -- crowd|editor|notes|ground --data FOLDER [--out FOLDER]";

/** Trains one of the embedded models; the same data gives the same bytes. Its figures go on its card. */
async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { data: { type: "string" }, out: { type: "string" } },
  });
  const [name] = positionals;
  const { data } = values;
  if (data === undefined) throw new Error(`Say where the data is: ${USAGE}`);
  const folderOf = (model: string) => values.out ?? assetPath("models", model);
  switch (name) {
    case "crowd": {
      const { juror, figures } = await trainCrowd(data, say);
      await save(folderOf("crowd"), "weights.bin", "crowd", juror);
      await updateCard(folderOf("crowd"), "figures", figureTable(figures, juror));
      return;
    }
    case "editor": {
      const { juror, figures } = await trainEditor(data, say);
      await save(folderOf("editor"), "weights.bin", "editor", juror);
      await updateCard(folderOf("editor"), "figures", figureTable(figures, juror));
      return;
    }
    case "notes": {
      const report = trainNotes(editedDrafts(await loadEditorData(data)), say);
      await save(folderOf("editor"), "notes.bin", "notes", report.model);
      await updateCard(folderOf("editor"), "notes", notesTable(report));
      return;
    }
    case "ground": {
      const { model, figures } = await trainGround(await knownTexts(data), join(data, "books", "epub"), say);
      await save(folderOf("ground"), "weights.bin", "ground", model);
      await updateCard(folderOf("ground"), "figures", groundTable(figures));
      return;
    }
    default:
      throw new Error(`Say what to train: ${USAGE}`);
  }
}

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

async function save(folder: string, file: string, model: string, juror: TrainedJuror): Promise<void> {
  const bytes = encodeJuror(model, juror);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), bytes);
  say(`${join(folder, file)}: ${bytes.length} bytes, ${juror.hashes.length} n-grams`);
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
