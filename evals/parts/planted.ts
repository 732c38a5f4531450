import { join } from "node:path";
import { defineEval, type Figure } from "../part.ts";
import { loadNovels, type Measured, measure, measureManuscript, rowsOf } from "../planted.ts";

/** What is measured of each kind, in the order of the documentation. */
const SHOWN: readonly (readonly [key: string, what: string])[] = [
  ["repeated-passage: published novels", "Passages that stand twice, up to 30 % of the words changed"],
  ["repeated-passage", "The same, in stories that models wrote too"],
  ["name-variant", "A name respelled from the middle on, in three places or in one"],
  ["name-variant: from the middle on", "A name respelled from the middle on"],
  ["name-variant: three mentions", "A name respelled in three places"],
  ["tense-shift: 500 words, third person", "500 words in another tense, third-person books"],
  ["tense-shift: third person", "300 to 1,000 words in another tense, third-person books"],
  ["tense-shift: first person", "The same in first-person books"],
  ["person-shift", "900 words told by “I” in a third-person book"],
  ["attribute-conflict", "Two ages, colours, sides, numbers, kinships or years"],
  ["attribute-conflict: age", "Two ages"],
  ["attribute-conflict: eyes", "Two eye colours"],
  ["attribute-conflict: hair", "Two hair colours"],
  ["attribute-conflict: side", "A scar or wound on the other side"],
  ["attribute-conflict: number", "Two numbers of one thing"],
  ["attribute-conflict: kin", "Two kinships"],
  ["attribute-conflict: born", "Two years of birth"],
  ["attribute-conflict: by pronoun", "Two eye colours, ages or sides, by pronoun"],
  ["state-conflict", "The dead and gone who act"],
  ["state-conflict: dead", "The dead who act"],
  ["state-conflict: gone", "Those left behind or gone for good who act"],
  ["vanished-character", "People who are not seen again"],
  ["chapter-order", "Two chapters in the other order, one missing, or a number that stands twice"],
  ["point-of-view", "Another mind in a first-person book"],
  ["exposition-block", "A block of 1,000 words of explanation"],
  ["quiet-stretch", "3,000 words without speech"],
  ["overused", "A phrase once in 2,500 words"],
];

/** The id of a figure: how many were found, and with "-false" how many findings there are where nothing was planted. */
export const figureOf = (key: string) => key.replace(/[^a-z0-9]+/gi, "-").toLowerCase();

/** How many of each kind were found, and how many findings there are where nothing was planted. */
export function figuresOf(measured: Measured): Figure[] {
  const rows = new Map(rowsOf(measured).map((row) => [row.key, row]));
  const figures = SHOWN.flatMap(([key, what]): Figure[] => {
    const row = rows.get(key);
    if (!row || row.recall === null) return [];
    const id = figureOf(key);
    const found: Figure = {
      id,
      name: `${what}: found`,
      value: row.recall,
      interval: null,
      n: row.planted,
      better: "higher",
    };
    return [found];
  });
  const falseFigures = SHOWN.filter(([key]) => !/published|mentions|middle|words|pronoun/.test(key)).map(
    ([kind]): Figure => ({
      id: `${figureOf(kind)}-false`,
      name: `${kind}: findings per 100,000 words of the novels as they are`,
      value: rows.get(kind)?.falsePer100000 ?? 0,
      interval: null,
      n: measured.novels,
      better: "lower",
    }),
  );
  return [...figures, ...fourTogether(figures), ...falseFigures];
}

const FOUR = ["age", "eyes", "side", "number"].map((property) => figureOf(`attribute-conflict: ${property}`));

/** The recall over ages, eyes, sides and numbers, by name and by pronoun, each plant counting once. */
function fourTogether(figures: readonly Figure[]): Figure[] {
  const four = figures.filter(({ id }) => FOUR.includes(id));
  const planted = four.reduce((sum, { n }) => sum + n, 0);
  if (planted === 0) return [];
  return [
    {
      id: "attribute-conflict-four",
      name: "Two ages, eye colours, sides or numbers, by name and by pronoun: found",
      value: four.reduce((sum, { value, n }) => sum + value * n, 0) / planted,
      interval: null,
      n: planted,
      better: "higher",
    },
  ];
}

export default defineEval({
  id: "planted",
  title: "What `fabula check` finds without a model: faults planted in novels of authors that no setting was chosen on",
  data: { "check-data": "folder with books/, dialogue/, judged-chapters/ and planted/" },
  async run({ "check-data": data }, onProgress) {
    let done = 0;
    const measured = measure(await loadNovels(data), {
      half: 1,
      onNovel: (note) => onProgress({ stage: "Checking", done: done++, total: null, note }),
    });
    const { faults, before } = await measureManuscript(join(data, "planted"), "cargo-unknown");
    return [
      ...figuresOf(measured),
      {
        id: "cargo-unknown",
        name: "Planted faults found in the novella that a close reading is measured on",
        value: faults.filter(({ found }) => found.length > 0).length / faults.length,
        interval: null,
        n: faults.length,
        better: "higher",
      },
      {
        id: "cargo-unknown-original",
        name: "Findings about it before anything was planted",
        value: before.length,
        interval: null,
        n: 1,
        better: "lower",
      },
    ];
  },
});
