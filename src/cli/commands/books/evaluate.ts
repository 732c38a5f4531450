import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../../core/errors.ts";
import { makeTemporaryFolder } from "../../../core/files/temporary-folder.ts";
import { differencesInWords, type EvaluationSettings } from "../../../judge/settings.ts";
import { keptCharactersIn } from "../../../tasks/books/kept-characters.ts";
import { type FoundBooks, findBooks } from "../../../text/files/find-books.ts";
import { readStream } from "../../../text/files/read-file.ts";
import { checkAspects, type EvaluateOptions, evaluateBook } from "../../../workflows/books/evaluate-book.ts";
import { openOrReport } from "../../../workflows/books/failed-book.ts";
import { JURY } from "../../../workflows/books/jury/embedded-judge.ts";
import { readReference } from "../../../workflows/books/own-reference.ts";
import { parseLimits } from "../../../workflows/books/quality-gate.ts";
import { readEvaluations } from "../../../workflows/books/read-evaluations.ts";
import { readStoryFile } from "../../../workflows/books/reading/read-story.ts";
import { evaluationsFrom, piecesOfEvaluation } from "../../../workflows/queue/jobs/books.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import { tableEnding } from "../../../workflows/tables/write-table.ts";
import { defineCommand, type ExitCode } from "../../command.ts";
import type { Flags, FlagValues } from "../../flags/flag.ts";
import {
  asksModels,
  type EvaluationListeners,
  evaluateWithModels,
  flagsOf,
  JUDGE_FLAGS,
  type JudgeFlagValues,
} from "../../flags/judge-flags.ts";
import { evaluationOutput } from "../../output/evaluation-output.ts";
import { type Gate, openGate } from "../../output/gate.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { checkedEnding } from "../../output/write-report.ts";
import { planEmbedded } from "../../plan-embedded.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";
import { refuseStandardInput, runHereOrShared, settingsWithoutModels } from "../../shared-run.ts";
import { pathBesideStore } from "../../store-location.ts";
import type { Terminal } from "../../terminal.ts";

/** Flags of `evaluate` for unattended runs: limits that fail a build, and how failures are reported. */
const AUTOMATION_FLAGS = {
  "fail-below": {
    type: "string",
    value: "NAME=N",
    repeats: true,
    help: "exit 1 when a figure is below this: overall, an aspect, or crowd, editor, grader; several with commas",
  },
  "fail-above": {
    type: "string",
    value: "NAME=N",
    repeats: true,
    help: "exit 1 when a figure is above this, such as edits-per-1000-words=40",
  },
  baseline: {
    type: "string",
    value: "FILE",
    help: "exit 1 when a score is clearly worse than in this earlier evaluation: the two ranges do not overlap",
  },
  "fail-on-injection": {
    type: "boolean",
    help: "exit 1 when a passage of the book addresses the judge: its scores may be manipulated",
  },
  tolerate: {
    type: "string",
    value: "SHARE",
    help: "exit 0 even if up to this share is unscored, such as 2% (on average over the books) [0%]",
  },
  junit: { type: "string", value: "FILE", help: "write every check as JUnit XML" },
  quiet: { type: "boolean", help: "print nothing but failures" },
} as const satisfies Flags;

type AutomationFlags = FlagValues<typeof AUTOMATION_FLAGS>;

async function gateOf(flags: AutomationFlags): Promise<Gate> {
  return openGate({
    limits: [...parseLimits(flags["fail-below"], "below"), ...parseLimits(flags["fail-above"], "above")],
    baseline: flags.baseline === undefined ? [] : await readEvaluations(flags.baseline),
    failOnInjection: flags["fail-on-injection"],
    junit: flags.junit,
  });
}

/** `2%` or `0.02` → 0.02. */
function toleratedShare(given: string | undefined): number {
  if (given === undefined) return 0;
  const [, number, percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(given) ?? [];
  const share = Number(number) / (percent === "%" ? 100 : 1);
  if (number !== undefined && share <= 1) return share;
  throw new FabulaError("E_USAGE", `--tolerate ${given} is not a share: give one from 0% to 100%, such as 2%.`);
}

/** Novels of a writer's own choice, instead of those that ship with Fabula. */
const REFERENCE_FLAG = {
  type: "string",
  value: "FILE",
  help: "compare the figures with these novels, as `fabula population build NOVEL...` wrote them, instead of the 80 public-domain novels that ship with Fabula",
} as const;

export default defineCommand({
  summary: "Judge books aspect by aspect, with evidence; without a key or a network by default.",
  operands: "FILE...",
  flags: {
    judge: {
      type: "string",
      value: "NAME",
      default: JURY,
      help: "who judges: jury (crowd, editor and grader side by side), one of the three, or a language model: openai:MODEL, local, command:PROGRAM, paste (`fabula setup` finds one)",
    },
    aspects: {
      type: "string",
      value: "A,B",
      help: "only these aspects: plot, characters, writing, world, themes, emotion, enjoyment, expectation",
    },
    out: {
      type: "string",
      value: "FILE",
      help: "write the report: .html, .md, .json, or .docx for the manuscript with comments; for several books a folder/; .csv, .jsonl or .parquet for any number",
    },
    "all-notes": { type: "boolean", help: "every line note instead of the 25 likeliest, for the embedded judges" },
    reference: REFERENCE_FLAG,
    title: { type: "string", value: "TEXT", help: "the book's title [from the file]" },
    author: { type: "string", value: "NAME", help: "the author [from the file]" },
    language: { type: "string", value: "CODE", help: "the language's two-letter code [recognised from the text]" },
    as: { type: "string", value: "PROFILE", help: "also predict how this reader would rate it, and why: a profile" },
    story: {
      type: "string",
      value: "FILE",
      help: "for --as without a model: the story as JSON, in the form `reader predict` takes",
    },
    profiles: PROFILES_FLAG,
    ...JUDGE_FLAGS,
    ...AUTOMATION_FLAGS,
  },
  examples: [
    "fabula evaluate novel.epub --out report.html",
    "fabula evaluate novel.docx --out notes.docx",
    "fabula evaluate drafts/*.md --json",
    "fabula evaluate chapter.md --judge editor",
    "fabula evaluate novel.epub --aspects plot,characters",
    "fabula evaluate novel.epub --judge openai:gpt-4.1 --method aggregate --max-cost 5",
    "fabula evaluate novel.epub --judge openai:gpt-4o --preset paper --prompts published-prompts/",
    "fabula evaluate draft-2.docx --against draft-1.docx",
    "fabula evaluate draft-2.docx --judge openai:gpt-4.1 --against RUN",
    "fabula evaluate plan.md --outline --panel openai:gpt-4.1,anthropic:claude-sonnet-4-5 --dry-run",
    "fabula evaluate novel.epub --as ada --out report.html",
    "fabula evaluate novel.epub --like earlier.json",
    "fabula evaluate --in books.jsonl --judge ollama:llama3.1 --out evaluations.jsonl",
    "fabula evaluate drafts/*.md --out scores.csv",
    "fabula evaluate submissions/*.docx --judge openai:gpt-4.1 --mask-injection --fail-on-injection",
    "fabula evaluate draft.md --fail-below editor=5 --fail-above edits-per-1000-words=40 --quiet --junit checks.xml",
  ],
  async run({ operands: given, flags: asked, terminal: loud, signal }) {
    const saved = asked.like === undefined ? undefined : await savedSettings(asked.like);
    const flags = saved ? flagsOf(asked, saved) : asked;
    const terminal = flags.quiet ? { ...loud, progress: () => {} } : loud;
    const books = await bookOperands(given);
    const operands = books.files;
    checkOperands(operands, flags);
    const isBatch = operands.length + books.failed.length > 1;
    const several = isBatch || flags.in !== undefined;
    const metadata = {
      ...(flags.title && { title: flags.title }),
      ...(flags.author && { author: flags.author }),
      ...(flags.language && { language: flags.language }),
    };
    const keptCharacters = keptCharactersIn(pathBesideStore("library", flags.store, process.env));
    const reading = { metadata, keptCharacters };
    const reader = flags.as === undefined ? undefined : await openProfile(flags.as, profileFolder(flags.profiles));
    const output = evaluationOutput(
      {
        files: [...operands, ...books.failed.map(({ file }) => file)],
        out: flags.out,
        json: flags.json,
        several,
        quiet: flags.quiet,
        tolerated: toleratedShare(flags.tolerate),
        gate: await gateOf(flags),
      },
      terminal,
    );
    for (const failed of books.failed) output.onFailed(failed);
    const listeners: EvaluationListeners = {
      show: async (evaluation) => {
        if (saved) terminal.note(againInWords(saved, evaluation.settings));
        await output.show(evaluation);
      },
      ...(isBatch && { onFailed: output.onFailed }),
    };
    let planned: ExitCode = 0;
    const judge = async (): Promise<"shown" | "planned" | "queued"> => {
      if (!asksModels(flags)) {
        if (flags["dry-run"]) {
          await planEmbedded(operands, metadata, listeners, { json: flags.json, terminal, signal });
          return "planned";
        }
        const story = flags.story === undefined ? undefined : await readStoryFile(flags.story);
        const against = flags.against === undefined ? {} : { against: flags.against };
        const reference = flags.reference === undefined ? {} : { reference: await readReference(flags.reference) };
        const about = {
          ...reading,
          allNotes: flags["all-notes"],
          maskInjection: flags["mask-injection"],
          ...against,
          ...reference,
          ...(reader && { reader, ...(story && { story }) }),
        };
        return (await evaluateEmbedded(operands, flags, about, { terminal, signal }, listeners)) ?? "queued";
      }
      const outcome = await evaluateWithModels(operands, flags, { reading, reader }, { terminal, signal }, listeners);
      terminal.endProgress();
      if (!outcome) return "queued";
      if (outcome.plan) {
        planned = showPlan(outcome.plan, flags.json, terminal);
        return "planned";
      }
      if (!flags.quiet) terminal.note(runInWords(outcome.run));
      return "shown";
    };
    try {
      if ((await judge()) === "shown") return await output.finish();
      await output.abandon();
      return output.listFailed() || planned;
    } catch (error) {
      await output.abandon();
      throw error;
    } finally {
      await books.close();
    }
  },
});

async function savedSettings(file: string): Promise<EvaluationSettings> {
  const [evaluation] = await readEvaluations(file);
  if (evaluation?.settings) return evaluation.settings;
  throw new FabulaError("E_USAGE", `"${file}" holds no evaluation with its settings: --like needs one.`);
}

function againInWords(saved: EvaluationSettings, settings: EvaluationSettings | undefined): string {
  if (settings?.hash === saved.hash) return `Judged with the same settings as before (${saved.hash}).`;
  return `Judged as before, except for: ${differencesInWords([saved, settings])}.`;
}

/** Each is shown as soon as it is there; from the workers of a shared store they come together. */
function evaluateEmbedded(
  files: readonly string[],
  flags: JudgeFlagValues,
  about: Pick<
    EvaluateOptions,
    "metadata" | "keptCharacters" | "reader" | "story" | "against" | "allNotes" | "maskInjection" | "reference"
  >,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
  { show, onFailed }: EvaluationListeners,
): Promise<"shown" | null> {
  const aspects = flags.aspects?.split(",").map((aspect) => aspect.trim()) ?? null;
  // Personal verdicts and comparisons are computed here: profiles, earlier files and references are on this machine.
  const isHere = [about.reader, about.against, about.reference].some(Boolean) || about.allNotes === true;
  const settings = settingsWithoutModels(isHere ? { ...flags, store: undefined } : flags);
  for (const file of files) refuseStandardInput(file, settings, flags);
  return runHereOrShared<"shown">(
    settings,
    flags,
    { terminal, signal },
    () => ({
      kind: "evaluate-book",
      options: { judge: flags.judge, aspects, maskInjection: flags["mask-injection"] },
      models: [],
      pieces: piecesOfEvaluation(files, aspects, about, signal, onFailed),
    }),
    async (_own, shared) => {
      if (shared) for await (const evaluation of evaluationsFrom(shared.results())) await show(evaluation);
      else {
        if (aspects) await checkAspects(aspects);
        const options = {
          ...about,
          judge: flags.judge,
          ...(aspects && { aspects }),
          onProgress: terminal.progress,
          signal,
        };
        for (const file of files) {
          const evaluation = await openOrReport(file, () => evaluateBook(file, options), onFailed, signal);
          if (evaluation) await show(evaluation);
        }
      }
      return "shown";
    },
  );
}

function checkOperands(
  operands: readonly string[],
  flags: { readonly in: string | undefined; readonly out: string | undefined },
): void {
  const { out } = flags;
  const wrong = (message: string) => new FabulaError("E_USAGE", message);
  if (operands.length === 0 && flags.in === undefined)
    throw wrong("Give at least one book: `fabula evaluate novel.epub`.");
  if (operands.length > 0 && flags.in !== undefined) throw wrong("Give books or --in, not both.");
  if (!out || out.endsWith("/")) return;
  if (tableEnding(out) !== null) return;
  if (operands.length > 1 || flags.in !== undefined) {
    throw wrong(
      "With several books, --out names a folder and ends in a slash (--out reports/) or is a .csv, .jsonl or .parquet file.",
    );
  }
  checkedEnding(out, ["html", "md", "json", "docx"]);
}

/** The books that a command's operands stand for, and what removes the copy of standard input when they have been read. */
interface BookOperands extends FoundBooks {
  close(): Promise<void>;
}

/** Folders become the books in them; `-` becomes a file, so that every way of judging can read it more than once. */
async function bookOperands(operands: readonly string[]): Promise<BookOperands> {
  const { files, failed } = await findBooks(operands);
  const at = files.indexOf("-");
  if (at < 0) return { files, failed, close: async () => {} };
  const bytes = await readStream(process.stdin, "standard input");
  if (bytes.length === 0) throw new FabulaError("E_EMPTY", "Standard input is empty: there is nothing to read.");
  const folder = await makeTemporaryFolder("stdin");
  const copy = join(folder, "standard input");
  await writeFile(copy, bytes);
  return {
    files: files.map((file, index) => (index === at ? copy : file)),
    failed,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
