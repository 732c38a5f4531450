import { z } from "zod";
import { book, characterCorrections, linesIn, linesOut, reading, reference } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";

export const mapTask = defineTask({
  name: "map",
  summary: "Map a manuscript: what can be counted, chapter by chapter, beside published novels.",
  library: { function: "mapManuscript", options: "MapOptions", first: "book" },
  input: z.strictObject({ book, ...reading("language"), characterCorrections, reference }),
  async run({ book: source, ...options }, { onProgress, host: { stdin, library } }) {
    const { mapBook } = await import("./map-book.ts");
    const { keptCharactersIn } = await import("./open-book.ts");
    return mapBook(source, {
      ...options,
      ...(library !== undefined && { keptCharacters: keptCharactersIn(library) }),
      ...(stdin && { stdin }),
      onProgress,
    });
  },
  output: { kind: "map", body: (map) => map },
});

export const mapTextsTask = defineTask({
  name: "map texts",
  summary: "Map many texts: who speaks, how much is dialogue, which person tells.",
  input: z.strictObject({ in: linesIn("map many texts"), out: linesOut }),
  async run({ in: input, out }, { signal, onProgress }) {
    const { mapTexts } = await import("./map-book.ts");
    return { texts: await mapTexts({ input, output: out, signal, onProgress }), out };
  },
  output: { kind: "mapped-items", body: (summary) => summary },
});
