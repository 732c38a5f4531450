import { folderLanguage } from "../../../bench/folder-language.ts";
import { powerInWords } from "../../../bench/validity.ts";
import { FabulaError } from "../../../core/errors.ts";
import { loadPrices } from "../../../models/prices.ts";
import { terminalBenchmark } from "../../../report/bench/terminal-benchmark.ts";
import { sumBy } from "../../../stats/distribution.ts";
import { readNovelList } from "../../../workflows/bench/folder.ts";
import { collectSite } from "../../../workflows/bench/leaderboard/collect-site.ts";
import { makeLeaderboard } from "../../../workflows/bench/leaderboard/make-leaderboard.ts";
import { powerOfPilot } from "../../../workflows/bench/leaderboard/power-of-pilot.ts";
import { writeSite } from "../../../workflows/bench/leaderboard/write-site.ts";
import { readWriterList } from "../../../workflows/bench/leaderboard/writer-list.ts";
import { WRITING_DEFAULTS } from "../../../workflows/bench/writers.ts";
import { inRun } from "../../../workflows/runs/in-run.ts";
import { defineCommand } from "../../command.ts";
import {
  asksWholeNumbers,
  BENCH_PROMPT_FLAGS,
  benchJudges,
  benchPrompts,
  PRESET_FLAGS,
} from "../../flags/bench-flags.ts";
import { MODEL_FLAGS, runSettings } from "../../flags/model-flags.ts";
import { requireFlag } from "../../flags/require-flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { runServices } from "../../run-services.ts";

const count = (value: number, help: string, minimum = 1) =>
  ({ type: "number", value: "N", default: value, minimum, integer: true, help }) as const;

export default defineCommand({
  summary:
    "Make a leaderboard you can publish, in one command: prepare the novels, build the population, have every writer write, and write a static site.",
  operands: "FILE|FOLDER...",
  flags: {
    writers: {
      type: "string",
      value: "FILE",
      help: "one model per line, followed by cutoff=2024 where its training cutoff is known",
    },
    judges: { type: "string", value: "J1,J2", default: "grader", help: "who scores; several form a panel" },
    out: { type: "string", value: "FOLDER", help: "where the site is written" },
    bench: { type: "string", value: "FOLDER", help: "where the benchmark is kept between runs [OUT.bench]" },
    synopses: { type: "string", value: "MODEL", help: "who retells the chapters [the first judge that is a model]" },
    rubric: {
      type: "string",
      value: "NAME|FILE",
      help: "the dimensions a language model scores; by default those in the language of the novels",
    },
    ...BENCH_PROMPT_FLAGS,
    ...PRESET_FLAGS,
    title: { type: "string", value: "TEXT", help: "the site's title" },
    description: { type: "string", value: "TEXT", default: "", help: "what kind of novels they are" },
    anchors: {
      type: "string",
      value: "FOLDER",
      help: "a prepared folder of classics, expected to score above the others",
    },
    list: { type: "string", value: "FILE", help: "a CSV or TSV of the novels' genre, year and author" },
    chapters: count(10, "consecutive chapters per novel"),
    novels: count(100, "novels each writer writes"),
    "minimum-works": count(1, "leave out authors with fewer works"),
    repeats: count(1, "scores per chapter, averaged"),
    "check-texts": count(10, "texts scored repeatedly to measure how consistent a judge is", 0),
    "check-repeats": count(11, "how many times each of them is scored", 2),
    "max-tokens": count(WRITING_DEFAULTS.maximumTokens, "tokens a chapter may have", 16),
    temperature: {
      type: "number",
      value: "T",
      default: WRITING_DEFAULTS.temperature,
      minimum: 0,
      maximum: 2,
      help: "the writers' temperature",
    },
    words: count(WRITING_DEFAULTS.words, "about how long a chapter should be", 50),
    renamed: {
      type: "boolean",
      help: "also have them write with the names changed, to see how much remembering a novel helps",
    },
    probe: { type: "boolean", help: "also ask the writers which of the novels they recognise" },
    seed: {
      type: "number",
      value: "N",
      default: 1,
      integer: true,
      help: "the random seed for every choice and interval",
    },
    ...MODEL_FLAGS,
  },
  examples: [
    "fabula bench leaderboard novels/ --writers writers.txt --judges openai:gpt-4o --out site/ --dry-run",
    "fabula bench leaderboard novels/ --writers writers.txt --judges openai:gpt-4o,anthropic:claude-sonnet-4-5 --out site/ --max-cost 50",
    "fabula bench leaderboard 小说/ --writers writers.txt --judges deepseek-chat@https://api.deepseek.com/v1 --out site/",
  ],
  async run({ operands, flags, terminal, signal }) {
    if (operands.length === 0)
      throw new FabulaError(
        "E_USAGE",
        "Give the novels: `fabula bench leaderboard novels/ --writers … --judges … --out site/`.",
      );
    const out = requireFlag("bench leaderboard", "out", flags.out).replace(/\/+$/, "");
    const writers = await readWriterList(requireFlag("bench leaderboard", "writers", flags.writers));
    const judges = benchJudges({ judge: "grader", panel: flags.judges });
    const synopsisModel = flags.synopses ?? judges.find((judge) => judge !== "grader");
    if (synopsisModel === undefined) {
      throw new FabulaError("E_USAGE", "The embedded grader cannot retell a chapter: name a model with --synopses.");
    }
    const options = {
      corpus: operands,
      folder: flags.bench ?? `${out}.bench`,
      writers,
      judges,
      rubric: flags.rubric,
      prompts: benchPrompts(flags),
      synopsisModel,
      wholeNumbers: asksWholeNumbers(flags),
      chapters: flags.chapters,
      novels: flags.novels,
      minimumWorks: flags["minimum-works"],
      similarity: 0.9,
      list: flags.list === undefined ? null : await readNovelList(flags.list),
      anchors: flags.anchors ?? null,
      repeats: flags.repeats,
      check: { texts: flags["check-texts"], repeats: flags["check-repeats"] },
      maximumTokens: flags["max-tokens"],
      temperature: flags.temperature,
      words: flags.words,
      renamed: flags.renamed,
      probe: flags.probe,
      description: flags.description,
      seed: flags.seed,
      onNote: (note: string) => terminal.note(note),
      onProgress: terminal.progress,
      signal,
    };
    const settings = runSettings(flags);
    const {
      result: made,
      plan,
      run,
    } = await inRun(settings, runServices(terminal, signal), (opened) => makeLeaderboard(opened, options));
    terminal.endProgress();
    if (plan) {
      const power = await powerOfPilot(options.folder, writers.length, options.onNote);
      if (power) terminal.note(powerInWords(power, (await folderLanguage(options.folder)) ?? undefined));
      return showPlan(plan, flags.json, terminal);
    }
    if (!made) return 0;
    const site = await collectSite(made, {
      ...options,
      title:
        flags.title ?? (made.populations.at(-1)?.language === "zh" ? "小说写作排行榜" : "Novelists among human novels"),
      date: new Date().toISOString().slice(0, 10),
      prices: await loadPrices(settings.prices, settings.connections.judges),
    });
    await writeSite(out, site, made, options);
    terminal.endProgress();
    const gaps = sumBy(made.runs, ({ unwritten, unscored }) => unwritten + unscored);
    if (flags.json) {
      const { rows, unplaced } = site.benchmark.board;
      terminal.print(
        jsonDocument("leaderboard-site", {
          site: out,
          folder: options.folder,
          writers: rows,
          unplaced,
          gaps,
          run: run.id,
        }),
      );
    } else {
      terminal.print(terminalBenchmark(site.benchmark, { colours: terminal.colours }));
      terminal.note(`The site is in ${out}: open ${out}/index.html.`);
      if (gaps > 0)
        terminal.note(
          `${gaps === 1 ? "1 chapter is" : `${gaps} chapters are`} missing or unscored: run the same command again to fill the gaps.`,
        );
    }
    terminal.note(runInWords(run));
    return gaps > 0 ? 3 : 0;
  },
});
