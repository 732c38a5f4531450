import { FabulaError } from "../../../core/errors.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { type EvaluateOptions, evaluateBook } from "../../../workflows/books/evaluate-book.ts";
import { readStoryFile } from "../../../workflows/books/reading/read-story.ts";
import { evaluationsFrom, piecesOfEvaluation } from "../../../workflows/queue/jobs/books.ts";
import { openProfile } from "../../../workflows/readers/reader-profiles.ts";
import { bookOperands } from "../../book-operands.ts";
import { defineCommand } from "../../command.ts";
import { evaluationOutput } from "../../evaluation-output.ts";
import { asksModels, evaluateWithModels, JUDGE_FLAGS, type JudgeFlagValues } from "../../judge-flags.ts";
import { PROFILES_FLAG, profileFolder } from "../../profile-folder.ts";
import { runInWords } from "../../run-wording.ts";
import { hereOrShared, refuseStandardInput, settingsWithoutModels } from "../../shared-run.ts";
import { showPlan } from "../../show-plan.ts";
import type { Terminal } from "../../terminal.ts";
import { checkedEnding } from "../../write-report.ts";

export default defineCommand({
  summary: "Judges books aspect by aspect, with evidence; without a key or a network by default.",
  operands: "FILE...",
  flags: {
    judge: { type: "string", value: "NAME", default: "pocket", help: "who judges: pocket, or a language model" },
    aspects: {
      type: "string",
      value: "A,B",
      help: "only these aspects: plot, characters, writing, world, themes, emotion, enjoyment, expectation",
    },
    out: {
      type: "string",
      value: "FILE",
      help: "write the report: .html, .md or .json; with several books, a folder/ or one .jsonl",
    },
    title: { type: "string", value: "TEXT", help: "the book's title, over what the file says" },
    author: { type: "string", value: "NAME", help: "the author, over what the file says" },
    language: { type: "string", value: "CODE", help: "the language's two-letter code, over what the text shows" },
    as: { type: "string", value: "PROFILE", help: "also say what this reader would make of it, and why: a profile" },
    story: {
      type: "string",
      value: "FILE",
      help: "for --as with the pocket judge: what the book tells, as `reader predict` takes it",
    },
    profiles: PROFILES_FLAG,
    seed: { type: "number", value: "N", default: 1, integer: true, help: "for the intervals of the pocket judge" },
    ...JUDGE_FLAGS,
  },
  examples: [
    "fabula evaluate novel.epub --out report.html",
    "fabula evaluate drafts/*.md --json",
    "fabula evaluate novel.epub --aspects plot,characters",
    "fabula evaluate novel.epub --judge openai:gpt-4.1 --method aggregate --max-cost 5",
    "fabula evaluate draft-2.docx --against draft-1.docx",
    "fabula evaluate draft-2.docx --judge openai:gpt-4.1 --against RUN",
    "fabula evaluate plan.md --outline --panel openai:gpt-4.1,anthropic:claude-sonnet-4-5 --dry-run",
    "fabula evaluate novel.epub --as ada --out report.html",
    "fabula evaluate --in books.jsonl --judge ollama:llama3.1 --out evaluations.jsonl",
  ],
  async run({ operands: given, flags, terminal, signal }) {
    const books = await bookOperands(given);
    const operands = books.files;
    checkOperands(operands, flags);
    const several = operands.length > 1 || flags.in !== undefined;
    const metadata = {
      ...(flags.title && { title: flags.title }),
      ...(flags.author && { author: flags.author }),
      ...(flags.language && { language: flags.language }),
    };
    const reader = flags.as === undefined ? undefined : await openProfile(flags.as, profileFolder(flags.profiles));
    const output = evaluationOutput({ out: flags.out, json: flags.json, several }, terminal);
    const judge = async (): Promise<"shown" | "planned" | "queued"> => {
      if (!asksModels(flags)) {
        const story = flags.story === undefined ? undefined : await readStoryFile(flags.story);
        const against = flags.against === undefined ? {} : { against: flags.against };
        const about = { metadata, ...against, ...(reader && { reader, ...(story && { story }) }) };
        return (await evaluateWithPocket(operands, flags, about, { terminal, signal }, output.show)) ?? "queued";
      }
      const outcome = await evaluateWithModels(
        operands,
        flags,
        { metadata, reader },
        { terminal, signal },
        output.show,
      );
      terminal.endProgress();
      if (!outcome) return "queued";
      if (outcome.plan) {
        showPlan(outcome.plan, flags.json, terminal);
        return "planned";
      }
      terminal.note(runInWords(outcome.run));
      return "shown";
    };
    try {
      if ((await judge()) === "shown") return await output.finish();
      await output.abandon();
      return 0;
    } catch (error) {
      await output.abandon();
      throw error;
    } finally {
      await books.close();
    }
  },
});

/** Each is shown as soon as it is there; from the workers of a shared store they come together. */
function evaluateWithPocket(
  files: readonly string[],
  flags: JudgeFlagValues & { readonly seed: number },
  about: Pick<EvaluateOptions, "metadata" | "reader" | "story" | "against">,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
  show: (evaluation: BookEvaluation) => Promise<void>,
): Promise<"shown" | null> {
  const aspects = flags.aspects?.split(",").map((aspect) => aspect.trim()) ?? null;
  // What one reader makes of it is said here, where their reviews are, and so is what changed since a file that lies here.
  const isHere = about.reader !== undefined || about.against !== undefined;
  const settings = settingsWithoutModels(isHere ? { ...flags, store: undefined } : flags);
  for (const file of files) refuseStandardInput(file, settings, flags);
  return hereOrShared<"shown">(
    settings,
    flags,
    { terminal, signal },
    () => ({
      kind: "evaluate-book",
      options: { aspects, seed: flags.seed },
      models: [],
      pieces: piecesOfEvaluation(files, aspects, about.metadata),
    }),
    async (_own, shared) => {
      if (shared) for await (const evaluation of evaluationsFrom(shared.results())) await show(evaluation);
      else {
        for (const file of files) {
          const evaluation = await evaluateBook(file, {
            ...about,
            ...(aspects ? { aspects } : {}),
            seed: flags.seed,
            onProgress: terminal.progress,
            signal,
          });
          await show(evaluation);
        }
      }
      return "shown";
    },
  );
}

type EvaluateFlags = JudgeFlagValues & {
  readonly out: string | undefined;
  readonly as: string | undefined;
  readonly story: string | undefined;
};

function checkOperands(operands: readonly string[], flags: EvaluateFlags): void {
  const { out } = flags;
  const wrong = (message: string) => new FabulaError("E_USAGE", message);
  if (operands.length === 0 && flags.in === undefined)
    throw wrong("Give at least one book: `fabula evaluate novel.epub`.");
  if (!asksModels(flags)) {
    const unheard = (
      ["in", "outline", "method", "runs", "until-ci", "summariser", "rubric", "population"] as const
    ).find((name) => flags[name] !== undefined && flags[name] !== false);
    if (unheard)
      throw wrong(`--${unheard} is for language models: name one with --judge, such as --judge openai:gpt-4.1.`);
  }
  if (flags.story !== undefined && (flags.as === undefined || operands.length > 1))
    throw wrong(
      "--story tells about one book, for one reader: `fabula evaluate novel.epub --as ada --story plot.json`.",
    );
  if (flags.story !== undefined && asksModels(flags))
    throw wrong("--story is for the pocket judge: a language model reads the book for itself.");
  if (flags.against !== undefined && operands.length > 1)
    throw wrong("--against holds one book against its earlier draft: name one book.");
  if (flags.against !== undefined && asksModels(flags) && (flags.as !== undefined || flags.population !== undefined))
    throw wrong(
      "--against with a language model compares two drafts: leave --as and --population to a call of their own.",
    );
  if (operands.length > 0 && flags.in !== undefined) throw wrong("Give books or --in, not both.");
  if (!out || out.endsWith("/")) return;
  if (out.endsWith(".jsonl")) return;
  if (operands.length > 1 || flags.in !== undefined) {
    throw wrong("With several books, --out names a folder and ends in a slash (--out reports/) or is a .jsonl file.");
  }
  checkedEnding(out, ["html", "md", "json"]);
}
