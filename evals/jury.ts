import { join } from "node:path";
import { parseArgs } from "node:util";
import { isScored } from "../src/core/verdict.ts";
import { loadGrader } from "../src/jury/grader.ts";
import { JUROR_IDS, type JurorId } from "../src/jury/juror.ts";
import { loadJury } from "../src/jury/jury.ts";
import { loadCrowdLessons, trainCrowd } from "../training/jury/crowd.ts";
import { loadEditorData, trainEditor } from "../training/jury/editor.ts";
import { type FigureRow, SOURCE_NAMES } from "../training/jury/figures.ts";
import type { Lesson, Source } from "../training/jury/fit-lessons.ts";
import { inWords, judgedOf, type Measured, pairsRight, spearmanOf } from "../training/jury/measures.ts";
import { updateCard } from "../training/jury/save-juror.ts";
import { expertLessons } from "../training/jury/sources/expert-edits.ts";

/**
 * How well each juror agrees with each kind of people: `npx tsx evals/jury.ts --data FOLDER [--write] [--shipped]`. On what a juror
 * learnt from, by cross-validation with families left out; on everything else with its shipped weights, which never saw it.
 * With `--write`, the table goes on the jurors' cards; with `--shipped`, cross-validation is left to `npm run train`.
 */
const { values } = parseArgs({
  options: { data: { type: "string" }, write: { type: "boolean" }, shipped: { type: "boolean" } },
});
if (values.data === undefined) throw new Error("Give the folder of the data: npx tsx evals/jury.ts --data FOLDER");
const data = values.data;

const COLUMNS: readonly Source[] = [
  "prompt-stories",
  "scary-stories",
  "machine-stories",
  "reader-pairs",
  "expert-scores",
  "expert-pairs",
  "graded-chapters",
];
const LEARNT: Readonly<Record<JurorId, readonly Source[]>> = {
  crowd: ["prompt-stories", "scary-stories", "machine-stories", "reader-pairs", "graded-chapters"],
  editor: ["expert-scores", "expert-pairs"],
  grader: ["graded-chapters"],
};

const lessons: Lesson[] = [...(await loadCrowdLessons(data)), ...expertLessons(await loadEditorData(data))];
const heldBack: Partial<Record<JurorId, readonly FigureRow[]>> = values.shipped
  ? {}
  : { crowd: (await trainCrowd(data, () => {})).figures, editor: (await trainEditor(data, () => {})).figures };
const rows: string[] = [];
for (const juror of JUROR_IDS) {
  const predictions = await predictWith(juror);
  const cells = COLUMNS.map((source) => {
    if (!LEARNT[juror].includes(source)) return inWords(agreement(predictions, source));
    const name = SOURCE_NAMES[source];
    const own = heldBack[juror]?.find((row) => row.name.startsWith(name) && row.name.endsWith("families held back"));
    return own ? `**${inWords(own.measured)}**` : "learnt from: see its card";
  });
  rows.push(`| ${juror} | ${cells.join(" | ")} |`);
}
const table = [
  `| juror | ${COLUMNS.map((source) => SOURCE_NAMES[source]).join(" | ")} |`,
  `| --- |${" --- |".repeat(COLUMNS.length)}`,
  ...rows,
  "",
  `Spearman; for pairs the share right.${values.shipped ? "" : " Bold: learnt from that source, measured with families left out."}`,
  "",
  await peopleAboveModels(),
].join("\n");
console.log(table);
if (values.write) {
  for (const folder of ["crowd", "editor"]) await updateCard(join("assets", "models", folder), "jury", table);
}

/** Raw sums of the shipped juror, without refusals: what is measured is the score, not who gets one. */
async function predictWith(juror: JurorId): Promise<Float64Array> {
  const jury = await loadJury();
  const grader = await loadGrader();
  const known = new Map<string, number>();
  const score = (text: string): number => {
    const prepared = jury.prepare(text);
    if (juror === "grader") return grader.scorePrepared([prepared]).chapters[0]!;
    const { overall } = jury.jurors[juror].judge([prepared]);
    return isScored(overall) ? overall.score : Number.NaN;
  };
  return Float64Array.from(lessons, ({ text, source }) => {
    if (LEARNT[juror].includes(source)) return Number.NaN;
    const value = known.get(text) ?? score(text);
    known.set(text, value);
    return value;
  });
}

/** The editor on stories by people beside stories by language models to the same premise, which it never learnt from. */
async function peopleAboveModels(): Promise<string> {
  const predictions = await predictWith("editor");
  const places = [...lessons.keys()].filter((place) => lessons[place]!.author !== undefined);
  const people = places.filter((place) => lessons[place]!.author === "people");
  const pairs = people.flatMap((person) =>
    places.flatMap((model) =>
      lessons[model]!.author !== "people" && lessons[model]!.family === lessons[person]!.family
        ? [predictions[person]! > predictions[model]!]
        : [],
    ),
  );
  return `An author above an imitation cannot be measured: no data here holds such pairs. The nearest thing: of ${pairs.length} pairs of a story by a person and one by a language model to the same premise, the editor puts the person's higher in ${pairs.filter(Boolean).length}; they are ${people.length} stories by people, too few to conclude from.`;
}

function agreement(predictions: Float64Array, source: Source): Measured {
  const isPair = lessons.some((lesson) => lesson.source === source && lesson.pair !== undefined);
  return isPair
    ? pairsRight(lessons, [predictions], source)
    : spearmanOf(judgedOf(lessons, [predictions], () => 0, source));
}
