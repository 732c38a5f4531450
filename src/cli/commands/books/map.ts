import { FabulaError } from "../../../core/errors.ts";
import { writeWholeFile } from "../../../core/files/write-whole-file.ts";
import { mapBook } from "../../../workflows/books/map-book.ts";
import { mapTexts } from "../../../workflows/books/map-texts.ts";
import { keptCharactersIn } from "../../../workflows/books/reading/kept-characters.ts";
import { defineCommand } from "../../command.ts";
import { REFERENCE_FLAG } from "../../flags/reference-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { describeMap } from "../../output/map-wording.ts";
import { pathBesideStore } from "../../store-location.ts";

export default defineCommand({
  summary: "Map a manuscript: what can be counted, chapter by chapter, beside published novels.",
  operands: "FILE",
  flags: {
    out: { type: "string", value: "FILE", help: "write the whole map as JSON; with --in, one line per text" },
    in: { type: "string", value: "FILE", help: 'map many texts: JSONL of {"id","text"}; - is standard input' },
    corrections: {
      type: "string",
      value: "FILE",
      help: "JSON with characters to merge, split, rename or drop",
    },
    reference: REFERENCE_FLAG,
    language: { type: "string", value: "CODE", help: "the language's two-letter code [recognised from the text]" },
  },
  examples: [
    "fabula map novel.epub",
    "fabula map novel.docx --out map.json",
    "fabula map novel.epub --corrections characters.json",
    "fabula map novel.epub --reference my-novels.json",
    "fabula map --in texts.jsonl --out maps.jsonl",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (flags.in !== undefined) {
      if (operands.length > 0) throw new FabulaError("E_USAGE", "Give a FILE or --in, not both.");
      const output = flags.out ?? "-";
      const texts = await mapTexts({ input: flags.in, output, signal, onProgress: terminal.progress });
      terminal.endProgress();
      const note = `${texts} ${texts === 1 ? "text" : "texts"} mapped.`;
      if (flags.json && output !== "-") terminal.print(jsonDocument("mapped-items", { texts, out: output }));
      else terminal.note(note);
      return 0;
    }
    const [file, ...others] = operands;
    if (file === undefined || others.length > 0) {
      throw new FabulaError("E_USAGE", "Give one book: `fabula map novel.epub`. For many texts use --in.");
    }
    const map = await mapBook({
      file,
      ...(flags.corrections !== undefined && { characterCorrections: flags.corrections }),
      ...(flags.reference !== undefined && { reference: flags.reference }),
      keptCharacters: keptCharactersIn(pathBesideStore("library", undefined, process.env)),
      ...(flags.language !== undefined && { metadata: { language: flags.language } }),
      stdin: process.stdin,
      onProgress: terminal.progress,
    });
    terminal.endProgress();
    if (flags.out !== undefined) await writeWholeFile(flags.out, `${jsonDocument("map", map)}\n`);
    if (flags.json) terminal.print(jsonDocument("map", map));
    else for (const line of describeMap(map)) terminal.print(line);
    if (flags.out !== undefined) terminal.note(`The whole map: ${flags.out}`);
    return 0;
  },
});
