import { countOf } from "../../../core/wording.ts";
import { mapTask, mapTextsTask } from "../../../tasks/books/map.ts";
import { jsonOnly, otherWay, taskCommand } from "../../task-command.ts";

export const mapCommand = taskCommand(mapTask, {
  flags: {
    out: { type: "string", value: "FILE", help: "write the whole map as JSON; with --in, one line per text" },
  },
  rules: [jsonOnly("map", "`fabula evaluate FILE --out report.html` draws it")],
  usage: "Give one book: `fabula map novel.epub`. For many texts use --in.",
  examples: [
    "fabula map novel.epub",
    "fabula map novel.docx --out map.json",
    "fabula map novel.epub --corrections characters.json",
    "fabula map novel.epub --reference my-novels.json",
    "fabula map --in texts.jsonl --out maps.jsonl",
  ],
  async present(map, { flags: { out }, terminal, document, show }) {
    if (out !== undefined) {
      const { writeWholeFile } = await import("../../../core/files.ts");
      await writeWholeFile(out, `${document()}\n`);
    }
    await show(async () => {
      const { describeMap } = await import("../../output/map-wording.ts");
      return describeMap(map).join("\n");
    });
    if (out !== undefined) terminal.note(`The whole map: ${out}`);
    return 0;
  },
  others: [
    otherWay(mapTextsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give a FILE or --in, not both.",
      async present({ texts, out }, { flags, terminal, document }) {
        if (flags.json && out !== "-") terminal.print(document());
        else terminal.note(`${countOf(texts, "text")} mapped.`);
        return 0;
      },
    }),
  ],
});
