import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineCommand } from "../../src/cli/command.ts";
import { assetPath } from "../../src/core/assets.ts";
import { FabulaError } from "../../src/core/errors.ts";
import { encodeJuror } from "../../src/jury/juror-file.ts";
import { trainGraderFromFile } from "../grader/grader-from-files.ts";
import { trainCrowd } from "../jury/crowd.ts";
import { loadKnownTexts } from "../jury/domain/known-texts.ts";
import { trainDomain } from "../jury/domain/train-domain.ts";
import { loadEditorData, trainEditor } from "../jury/editor.ts";
import { editedDrafts } from "../jury/notes/edited-sentences.ts";
import { trainNotes } from "../jury/notes/train-notes.ts";
import { JUROR_FLAGS, requireData } from "../jury/save-juror.ts";

type Say = (line: string) => void;

/** What ships, and how it is made: each gives the bytes of its file. */
const SHIPPED: Readonly<Record<string, { path: string; train: (data: string, say: Say) => Promise<Uint8Array> }>> = {
  crowd: {
    path: assetPath("models", "crowd", "weights.bin"),
    train: async (data, say) => encodeJuror("crowd", (await trainCrowd(data, say)).juror),
  },
  editor: {
    path: assetPath("models", "editor", "weights.bin"),
    train: async (data, say) => encodeJuror("editor", (await trainEditor(data, say)).juror),
  },
  notes: {
    path: assetPath("models", "editor", "notes.bin"),
    train: async (data, say) => encodeJuror("notes", trainNotes(editedDrafts(await loadEditorData(data)), say).model),
  },
  domain: {
    path: assetPath("models", "domain", "weights.bin"),
    train: async (data, say) => encodeJuror("domain", trainDomain(await loadKnownTexts(data), say).model),
  },
  grader: {
    path: assetPath("models", "grader", "weights.bin"),
    train: async (data) => {
      const folder = await mkdtemp(join(tmpdir(), "fabula-grader-"));
      try {
        await trainGraderFromFile(join(data, "judged-chapters", "chapters.jsonl.gz"), folder, () => {});
        return await readFile(join(folder, "weights.bin"));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
};

export default defineCommand({
  summary: "Train the jury again and compare every weight file with the one that ships, byte for byte",
  operands: `[${Object.keys(SHIPPED).join("|")}…]`,
  flags: { data: JUROR_FLAGS.data },
  examples: ["npm run train -- verify --data FOLDER", "npm run train -- verify crowd notes --data FOLDER"],
  async run({ operands, flags, terminal }) {
    const data = requireData(flags.data);
    const names = operands.length > 0 ? operands : Object.keys(SHIPPED);
    let differing = 0;
    for (const name of names) {
      const shippedFile = Object.hasOwn(SHIPPED, name) ? SHIPPED[name] : undefined;
      if (!shippedFile) throw new FabulaError("E_USAGE", `"${name}" is not one of ${Object.keys(SHIPPED).join(", ")}.`);
      const { path, train } = shippedFile;
      const [again, shipped] = [sha256(await train(data, terminal.note)), sha256(await readFile(path))];
      if (again !== shipped) differing++;
      terminal.print(`${name}: ${again === shipped ? "the same bytes" : `DIFFERS (${again})`}, SHA-256 ${shipped}`);
    }
    return differing === 0 ? 0 : 1;
  },
});

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
