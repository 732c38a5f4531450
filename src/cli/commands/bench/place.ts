import { z } from "zod";
import { ENGLISH_POPULATION, loadPopulation } from "../../../bench/population/reference-population.ts";
import { FabulaError } from "../../../core/errors.ts";
import { jsonLines, writeJsonLines } from "../../../core/json-lines.ts";
import { eachBounded } from "../../../runner/map-bounded.ts";
import { readBook } from "../../../text/read-book.ts";
import { rubricOf } from "../../../workflows/bench/folder.ts";
import { notPlaced, type PlacedText, textPlacer, whyNotPlaced } from "../../../workflows/bench/place.ts";
import { hasWholeScores, inRunIfNeeded, scorerNamed } from "../../../workflows/bench/scorer.ts";
import { defineCommand } from "../../command.ts";
import { asksLanguageModels, BENCH_JUDGE_FLAGS, benchJudges, benchPrompts } from "../../flags/bench-flags.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showFreePlan, showPlan } from "../../output/show-plan.ts";
import { runServices } from "../../run-services.ts";

/** As many as a novel of a population has. */
const CHAPTERS = 10;

const GRADER_SPEAKS =
  "These are the percentiles of a language-model grader that reads no story: a range each, and none for a text outside what it learnt from. Texts whose ranges overlap cannot be told apart. The grader cannot tell expert prose from a good imitation of it: its scale ends near 100, and a text placed there is not necessarily great.";

const itemSchema = z.looseObject({ id: z.union([z.string(), z.number()]).transform(String), text: z.string() });

export default defineCommand({
  summary:
    "Place a chapter among single chapters, or a book among novels, of a reference population: any format that `fabula read` reads, or a JSONL of texts.",
  operands: "[FILE...]",
  flags: {
    population: {
      type: "string",
      value: "NAME|FILE",
      default: ENGLISH_POPULATION,
      help: "the population to place them on: the one that ships, or your own",
    },
    in: { type: "string", value: "FILE", help: "texts as JSONL lines of id and text; - is stdin" },
    out: { type: "string", value: "FILE", default: "-", help: "a line per text; - is stdout" },
    ...BENCH_JUDGE_FLAGS,
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula bench place chapter.txt                                   (among the English classics that ship)",
    "fabula bench place chapter.txt --population bench/population.grader.json",
    "fabula bench place --in texts.jsonl --population population.json --out placed.jsonl",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0 && !flags.in) throw new FabulaError("E_USAGE", "Give a text, or texts with --in FILE.");
    const population = await loadPopulation(flags.population);
    // A population of a panel names its judges; there is nothing to choose.
    const judges = population.panel?.map(({ judge }) => judge.id) ?? benchJudges(flags);
    if (flags["dry-run"] && !asksLanguageModels(judges)) {
      const from = [...operands, ...(flags.in ? [flags.in] : [])].join(", ");
      return showFreePlan(`place the texts of ${from}`, { json: flags.json, terminal });
    }
    const asked = {
      rubric: flags.rubric ?? rubricOf(population),
      prompts: benchPrompts(flags),
      wholeNumbers: hasWholeScores(population),
    };
    const isOnlyOne = operands.length === 1 && !flags.in;
    let unscored = 0;
    const { plan, run } = await inRunIfNeeded(
      asksLanguageModels(judges),
      runSettings(flags),
      runServices(terminal, signal),
      async (opened) => {
        const scorers = await Promise.all(judges.map((judge) => scorerNamed(judge, asked, opened)));
        const place = textPlacer(scorers, population);
        async function* placed(): AsyncGenerator<PlacedText> {
          let done = 0;
          const items = texts(operands, flags.in, (warning) => terminal.note(warning));
          for await (const [, text] of eachBounded(items, opened?.concurrency ?? 1, async ({ id, chapters }) => {
            const reason = whyNotPlaced(chapters, population);
            if (reason === null) return place(id, chapters, signal);
            if (isOnlyOne) throw new FabulaError("E_TEXT_PLACE", `${id} cannot be placed: ${reason}.`);
            return notPlaced(id, chapters, reason, population);
          })) {
            if (text.percentile.kind === "unscored") unscored++;
            terminal.progress({ stage: "Placing", done: ++done, total: null });
            yield text;
          }
        }
        if (opened?.dryRun) for await (const _ of placed());
        else await writeJsonLines(flags.out, placed());
      },
    );
    terminal.endProgress();
    if (!asksLanguageModels(judges)) terminal.note(GRADER_SPEAKS);
    if (plan) showPlan(plan, flags.json, terminal);
    if (run) terminal.note(runInWords(run));
    return unscored > 0 ? 3 : 0;
  },
});

interface Item {
  readonly id: string;
  readonly chapters: readonly string[];
}

async function* texts(
  files: readonly string[],
  input: string | undefined,
  onWarning: (warning: string) => void,
): AsyncGenerator<Item> {
  for (const file of files) {
    const book = await readBook(file);
    for (const warning of book.warnings) onWarning(`${file}: ${warning}`);
    const chapters = chosen(book.chapters.map(({ text }) => text));
    if (chapters.length < book.chapters.length)
      onWarning(`${file}: ${chapters.length} consecutive chapters of ${book.chapters.length} are scored.`);
    yield { id: file, chapters };
  }
  if (input) for await (const { id, text } of jsonLines(input, itemSchema)) yield { id, chapters: [text] };
}

/** As the novels of a population: consecutive chapters, from the middle of the book. */
function chosen(chapters: readonly string[]): readonly string[] {
  const first = Math.max(0, Math.floor((chapters.length - CHAPTERS) / 2));
  return chapters.slice(first, first + CHAPTERS);
}
