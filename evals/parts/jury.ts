import type { FigureRow } from "../../training/jury/figures.ts";
import { NESTED, SELECTIONS } from "../../training/jury/selections.ts";
import { defineEval, type Figure } from "../part.ts";

/** What the issue of a figure is on the card, and what it is held against here. */
const COMPARED: readonly { readonly starts: string; readonly name: string; readonly value: number }[] = [
  {
    starts: "readers: machine stories, Spearman, ",
    name: "one reader with the mean of the other four",
    value: 0.275,
  },
  { starts: "sentences changed, area under", name: "one professional predicting another", value: 0.57 },
  { starts: "reader pairs", name: "chance", value: 0.5 },
  { starts: "edited above draft", name: "chance", value: 0.5 },
];

export default defineEval({
  id: "jury",
  title: "The embedded jury against people, on texts it was neither trained nor tuned on",
  data: { "jury-data": "the folder of reader-ratings, expert-edits and judged-chapters" },
  async run(paths, onProgress) {
    const figures: Figure[] = [];
    for (const [name, select] of Object.entries(SELECTIONS)) {
      onProgress({ stage: name, done: 0, total: null });
      const { figures: rows } = await select(paths["jury-data"], { ...NESTED, say: () => {} });
      figures.push(...rows.map((row) => figureOf(name, row)));
    }
    return figures;
  },
});

function figureOf(juror: string, { name: row, measured: { value, interval, n } }: FigureRow): Figure {
  const compare = COMPARED.find(({ starts }) => row.startsWith(starts));
  // Every figure here is nested: settings are chosen inside the folds, as the title of the part says.
  const name = row.replace(/, nested$/, "");
  return {
    id: `${juror} ${name}`
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, ""),
    name: `The ${juror === "notes" ? "line notes" : juror}: ${name}`,
    value,
    interval: [...interval],
    n,
    better: "higher",
    ...(compare && { compare: { name: compare.name, value: compare.value } }),
  };
}
