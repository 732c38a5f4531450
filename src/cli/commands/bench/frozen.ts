import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { terminalBenchmark } from "../../../report/bench/benchmark-table.ts";
import { withShownNames } from "../../../report/bench/site/site-data.ts";
import {
  benchExtendTask,
  benchFreezeTask,
  benchSiteTask,
  benchSubmitTask,
  benchVerifyTask,
} from "../../../tasks/bench/frozen.ts";
import { showAsked } from "../../output/show-plan.ts";
import { taskCommand } from "../../task-command.ts";

export const freezeCommand = taskCommand(benchFreezeTask, {
  usage: "Give a benchmark's folder: `fabula bench freeze site.bench --out board-v1`.",
  examples: [
    "fabula bench freeze site.bench --out board-v1",
    "fabula bench freeze site.bench --previous board-v1 --out board-v2",
  ],
  async present({ folder, version, novels, chapters, judges, writers, added }, { show }) {
    await show(() => {
      const news =
        version === 1
          ? ""
          : ` New: ${countOf(added.novels.length, "novel")}, ${countOf(added.judges.length, "judge")}.`;
      return `${folder}: version ${version}, ${countOf(novels, "novel")} (${countOf(chapters, "chapter")}), ${countOf(judges.length, "judge")}, ${countOf(writers.length, "writer")}.${news}`;
    });
    return 0;
  },
});

export const extendCommand = taskCommand(benchExtendTask, {
  usage: "Give a frozen benchmark: `fabula bench extend board-v1 --writer openai:gpt-4o`.",
  examples: [
    "fabula bench extend board-v1 --writer openai:gpt-4o --max-cost 20",
    "fabula bench extend board-v1 --judge anthropic:claude-sonnet-4-5 --originals site.bench --max-cost 50",
  ],
  present: (asked, context) =>
    showAsked(asked, context, ({ folder, version, judges, writers }) => ({
      lines: [
        `${folder}: version ${version}, ${countOf(writers.length, "writer")}, judged by ${judges.join(", ")}.`,
        ...writers.flatMap(({ writer, unwritten, unscored }) =>
          unwritten + unscored === 0 ? [] : [`  ${writer}: ${unwritten} not written, ${unscored} not scored`],
        ),
      ],
      isWhole: writers.every(({ unwritten, unscored }) => unwritten + unscored === 0),
    })),
});

const MOST_SHOWN = 20;

export const submitCommand = taskCommand(benchSubmitTask, {
  usage: "Give a frozen benchmark and a submission: `fabula bench submit board-v1 chapters.jsonl --writer NAME`.",
  examples: [
    "fabula bench submit board-v1 chapters.jsonl --writer storyteller-2 --model openai:gpt-4o --check",
    "fabula bench submit board-v1 chapters.jsonl --writer storyteller-2 --maker Example",
  ],
  async present({ folder, version, writer, chapters, asked, problems, notes, taken }, { show, terminal }) {
    const about = `${writer}: ${chapters} of ${asked} chapters of version ${version}`;
    await show(() =>
      problems.length > 0
        ? `${about}. It was not taken in:\n${problems
            .slice(0, MOST_SHOWN)
            .map((one) => `  ${one}`)
            .join(
              "\n",
            )}${problems.length > MOST_SHOWN ? `\n  … and ${countOf(problems.length - MOST_SHOWN, "other")}` : ""}`
        : `${about}. ${taken ? `Taken in: score it with \`fabula bench extend ${folder}\`.` : "Nothing is wrong with it."}`,
    );
    for (const note of notes) terminal.note(`${note}.`);
    if (problems.length > 0)
      throw new FabulaError(
        "E_SUBMISSION",
        `${countOf(problems.length, "problem")} in the submission; it was not taken in.`,
      );
    return chapters < asked ? 3 : 0;
  },
});

export const siteCommand = taskCommand(benchSiteTask, {
  usage: "Give a frozen benchmark: `fabula bench site board-v1 --out site/`.",
  examples: ["fabula bench site board-v1 --out site/"],
  async present({ site, folder, data, incomplete }, { show, terminal }) {
    await show(() => terminalBenchmark(withShownNames(data).benchmark, { colours: terminal.colours }));
    for (const { writer, judges } of incomplete)
      terminal.note(
        `${writer} has no scores of ${judges.join(", ")} and is not on the board: run \`fabula bench extend ${folder}\`.`,
      );
    terminal.note(`The site is in ${site}: open ${site}/index.html.`);
    return incomplete.length > 0 || data.benchmark.board.unplaced.length > 0 ? 3 : 0;
  },
});

export const verifyCommand = taskCommand(benchVerifyTask, {
  usage: "Give a site's folder: `fabula bench verify site/`.",
  examples: ["fabula bench verify site/"],
  async present({ site, version, files, different }, { show }) {
    await show(() =>
      different.length === 0
        ? `${site}, version ${version}: ${countOf(files, "file")} made again from the published data, all equal to the byte.`
        : `${site}, version ${version}: ${different.length} of ${countOf(files, "file")} came out different:\n${different.map((file) => `  ${file}`).join("\n")}`,
    );
    if (different.length > 0)
      throw new FabulaError("E_SITE_DIFFERS", `${site} does not follow from the data that it publishes.`);
    return 0;
  },
});
