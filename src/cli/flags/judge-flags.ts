import { isDeepStrictEqual } from "node:util";
import { FabulaError } from "../../core/errors.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { PAPER_PRESENTATION, PROTOCOLS } from "../../judge/material/judging.ts";
import { DEPTHS, METHOD_NAMES, type MethodName } from "../../judge/methods/method.ts";
import type { EvaluationSettings } from "../../judge/settings.ts";
import { ownPrompts } from "../../prompts/own-prompts.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import type { BookReading } from "../../text/read-book.ts";
import { type DraftOptions, judgeNextDraft } from "../../workflows/books/drafts/judge-draft.ts";
import type { FailedBookListener } from "../../workflows/books/failed-book.ts";
import { type JudgedInput, type JudgeOptions, judgeEach } from "../../workflows/books/judge-books.ts";
import { readPopulation } from "../../workflows/books/population.ts";
import { piecesOfJudging } from "../../workflows/queue/jobs/books.ts";
import { rubricText } from "../../workflows/queue/jobs/rubric-text.ts";
import type { RunOutcome } from "../../workflows/runs/in-run.ts";
import { runServices } from "../run-services.ts";
import { refuseStandardInput, runHereOrShared } from "../shared-run.ts";
import type { Terminal } from "../terminal.ts";
import { isEmbedded, listed } from "./embedded-judge.ts";
import type { Flags, FlagValues } from "./flag.ts";
import { MODEL_FLAGS, runSettings } from "./model-flags.ts";

export const METHOD_FLAG = {
  type: "string",
  value: "NAME",
  choices: METHOD_NAMES,
  help: "how a language model reads the book [close; summary for outlines, summaries and --protocol novelcritique]",
} as const satisfies Flags[string];

/** What `evaluate` takes when a language model judges. */
export const JUDGE_FLAGS = {
  panel: { type: "string", value: "J1,J2", help: "several language models judge together, each counted once" },
  method: METHOD_FLAG,
  depth: {
    type: "string",
    value: "NAME",
    choices: DEPTHS,
    help: "how closely the story is read: full also reads every chapter alone, at about twice the price [quick]",
  },
  context: {
    type: "number",
    value: "TOKENS",
    minimum: 2000,
    integer: true,
    help: "how many tokens the model takes at once, where Fabula does not know it or is wrong",
  },
  runs: {
    type: "number",
    value: "N",
    minimum: 1,
    maximum: 100,
    integer: true,
    help: "how many times a language model judges [5]",
  },
  "until-ci": {
    type: "number",
    value: "POINTS",
    minimum: 0.1,
    help: "stop repeating when the overall score is known to ± this many points (at most --runs, or 20)",
  },
  summariser: { type: "string", value: "NAME", help: "the model for the summaries [the first judge]" },
  rubric: {
    type: "string",
    value: "NAME|FILE",
    help: "the aspects to judge, or a rubric file of your own [long-story]",
  },
  "no-definitions": { type: "boolean", help: "name the aspects to the judge without explaining them" },
  "chapter-summaries": {
    type: "boolean",
    help: "with --method summary: show the judge the summary of every segment instead of the whole book's",
  },
  "segment-words": { type: "number", value: "N", minimum: 200, integer: true, help: "size of a segment [4096]" },
  temperature: { type: "number", value: "T", minimum: 0, maximum: 2, help: "the judge's temperature [0.7]" },
  protocol: {
    type: "string",
    value: "NAME",
    choices: PROTOCOLS,
    help: "how the judge is asked: by the rubric, or as a model trained on reader reviews expects, whose stars are converted in proportion (3.8 of 5 is 76 of 100) [rubric]",
  },
  preset: {
    type: "string",
    value: "NAME",
    choices: ["paper"],
    help: "LongStoryEval's settings where no flag says otherwise: temperature 0, 5 runs (1 of a model that is not behind OpenAI, Anthropic, Google, Azure, Bedrock or xAI), segments of 4096 words with the rest apart, three genres, the plot alone before a segment, the opening of one chapter as excerpt; no call that the paper does not make, so no edit letter. The prompts are Fabula's own (--prompts)",
  },
  prompts: {
    type: "string",
    value: "FOLDER",
    help: "prompts of your own, LANGUAGE/NAME.md, or a checkout of LongStoryEval's release, for the form that NovelCritique was trained on; the built-in prompt is used for any that is missing (`fabula prompts list`)",
  },
  population: {
    type: "string",
    value: "FILE",
    help: "percentiles among books that the same judge scored, as `fabula population build` wrote them",
  },
  "mask-injection": {
    type: "boolean",
    help: "judge a book that addresses its judge a second time with those passages masked, and show both scores; costs as much again",
  },
  like: {
    type: "string",
    value: "FILE",
    help: "judge as in this saved evaluation (.json, .jsonl): judge, method and all settings are taken from it, and a difference that remains is named",
  },
  in: { type: "string", value: "FILE", help: "books whose summaries exist already, one JSON object per line" },
  outline: { type: "boolean", help: "the files are outlines of stories not yet written" },
  against: {
    type: "string",
    value: "RUN|FILE",
    help: "say what changed since the draft in that file or of that run, and what became of its findings",
  },
  ...MODEL_FLAGS,
} as const satisfies Flags;

/** The paper's runs and segments are the defaults; its temperature is not, since intervals come from the runs' spread. */
const PAPER_TEMPERATURE = 0;
const DEFAULT_RUNS = 5;
const MOST_RUNS_UNTIL = 20;

export type JudgeFlagValues = FlagValues<typeof JUDGE_FLAGS> & {
  readonly judge: string;
  readonly aspects: string | undefined;
};

/** The flags that give a saved evaluation's settings again; what else was asked for stays as it is. */
export function flagsOf<Values extends JudgeFlagValues>(flags: Values, settings: EvaluationSettings): Values {
  const { judges, method, protocol, rubric, aspects, temperature, summariser, presentation } = settings;
  const isPaper = isDeepStrictEqual(presentation, PAPER_PRESENTATION);
  return {
    ...flags,
    ...(judges.length === 1 ? { judge: judges[0]! } : { panel: judges.join(",") }),
    // Embedded judges have no method to choose, and an outline is judged as one.
    method: METHOD_NAMES.find((name) => name === method),
    protocol: protocol === "novelcritique" ? protocol : undefined,
    rubric: flags.rubric ?? (rubric.id === "long-story" || rubric.id === "long-story-zh" ? undefined : rubric.id),
    aspects: aspects.join(","),
    "no-definitions": temperature !== null && !settings.definitions,
    temperature: temperature ?? undefined,
    summariser: summariser !== null && summariser !== judges[0] ? summariser : undefined,
    "chapter-summaries": settings.chapterSummaries,
    "segment-words": settings.segmentWords ?? undefined,
    preset: isPaper ? "paper" : undefined,
    runs: temperature === null ? undefined : settings.runs,
    "until-ci": settings.untilHalfWidth ?? undefined,
  };
}

/** Whether the flags ask for language models rather than the judge inside. */
export function asksModels({ judge, panel }: Pick<JudgeFlagValues, "judge" | "panel">): boolean {
  return panel !== undefined || !isEmbedded(judge);
}

export interface EvaluationListeners {
  show(evaluation: BookEvaluation): Promise<void>;
  /** Called for each unreadable book of several; absent for a single book, whose failure fails the command. */
  readonly onFailed?: FailedBookListener;
}

/** Language models judge what the operands and flags name. */
export async function evaluateWithModels(
  files: readonly string[],
  flags: JudgeFlagValues,
  { reading, reader }: { readonly reading: BookReading; readonly reader: ReaderProfile | undefined },
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
  { show, onFailed }: EvaluationListeners,
): Promise<RunOutcome<unknown> | null> {
  const judges = flags.panel === undefined ? [flags.judge] : listed(flags.panel);
  const settings = runSettings(flags);
  for (const file of files) refuseStandardInput(file, settings, flags);
  const isAsPublished = flags.preset === "paper" || flags.protocol === "novelcritique";
  const temperature = flags.temperature ?? (isAsPublished ? PAPER_TEMPERATURE : undefined);
  const common = {
    ...(flags.summariser !== undefined && { summariser: flags.summariser }),
    ...(flags.rubric !== undefined && { rubric: flags.rubric }),
    ...(flags["segment-words"] !== undefined && { segmentWords: flags["segment-words"] }),
    ...(temperature !== undefined && { temperature }),
    ...(flags.prompts !== undefined && { prompts: ownPrompts(flags.prompts) }),
    definitions: !flags["no-definitions"],
    ...(flags.context !== undefined && { contextTokens: flags.context }),
  };
  const depth = DEPTHS.find((name) => name === flags.depth);
  // One book of which most is judged already: nothing to share out.
  if (flags.against !== undefined) {
    if (flags["mask-injection"]) {
      throw new FabulaError(
        "E_USAGE",
        "--mask-injection judges the whole book again, and --against only what changed: give one of them.",
      );
    }
    const draft = { ...common, ...(depth && { depth }), settings, against: flags.against, reading };
    const outcome = await judgeAgainst(files, judges, flags.method, draft, { terminal, signal });
    if (!settings.dryRun) await show(outcome.result);
    return outcome;
  }
  const until = flags["until-ci"];
  const protocol = PROTOCOLS.find((name) => name === flags.protocol);
  const judging = {
    ...common,
    judges,
    method: METHOD_NAMES.find((name) => name === flags.method) ?? defaultMethod(flags),
    ...(depth && { depth }),
    runs: flags.runs ?? (until !== undefined ? MOST_RUNS_UNTIL : isAskedOnce(judges, flags) ? 1 : DEFAULT_RUNS),
    ...(until !== undefined && { untilHalfWidth: until }),
    ...(flags.aspects !== undefined && { aspects: listed(flags.aspects) }),
    ...(protocol !== undefined && { protocol }),
    ...(flags.preset === "paper" && { presentation: "paper" as const }),
    ...(flags.preset === "paper" && { letter: false }),
    ...(reader && { reader }),
    bySegment: flags["chapter-summaries"],
    maskInjection: flags["mask-injection"],
  } satisfies Partial<JudgeOptions>;
  const population = flags.population === undefined ? {} : { population: await readPopulation(flags.population) };
  const input = inputOf(files, flags, reading);
  return runHereOrShared(
    settings,
    // Prompts are on this machine; workers have those that ship.
    { ...flags, local: flags.local || flags.prompts !== undefined },
    { terminal, signal },
    async () => ({
      kind: "judge-books",
      options: { judging, rubricText: flags.rubric === undefined ? null : await rubricText(flags.rubric) },
      models: [...judges, ...(flags.summariser === undefined ? [] : [flags.summariser])],
      // What fails is reported when the results are put together, which reads every book again.
      pieces: piecesOfJudging(input, signal, onFailed && (() => {})),
    }),
    (own) =>
      judgeEach(
        input,
        {
          ...judging,
          ...population,
          settings: own,
          services: runServices(terminal, signal),
          onProgress: terminal.progress,
          ...(onFailed && { onFailed }),
        },
        // A dry run executes everything with placeholder replies.
        async (evaluation) => {
          if (!own.dryRun) await show(evaluation);
        },
      ),
  );
}

/** The paper decodes open models greedily, once; those behind a provider's own interface vary, and it averages five runs. */
function isAskedOnce(judges: readonly string[], { preset, protocol }: JudgeFlagValues): boolean {
  const isOpen = judges.every((judge) => !/^(?:openai|azure|anthropic|google|bedrock|xai):/.test(judge));
  return isByHand(judges) || ((preset === "paper" || protocol === "novelcritique") && isOpen);
}

/** Who pastes is asked as little as possible. */
function isByHand(judges: readonly string[]): boolean {
  return judges.some((judge) => /^paste(?::|#|$)/.test(judge));
}

/** A model reads the story, unless what was asked for exists only where it works from a summary. */
function defaultMethod(flags: JudgeFlagValues): MethodName {
  const isFromSummary =
    flags.in !== undefined ||
    flags.outline ||
    flags.preset === "paper" ||
    flags.protocol === "novelcritique" ||
    flags["chapter-summaries"] ||
    flags.summariser !== undefined ||
    flags["segment-words"] !== undefined;
  return isFromSummary ? "summary" : "close";
}

function judgeAgainst(
  files: readonly string[],
  judges: readonly string[],
  chosen: string | undefined,
  draft: Omit<DraftOptions, "judge" | "method" | "services" | "onProgress">,
  { terminal, signal }: { readonly terminal: Terminal; readonly signal: AbortSignal },
): Promise<RunOutcome<BookEvaluation>> {
  const [file] = files;
  const [judge] = judges;
  if (!file || !judge) throw new FabulaError("E_USAGE", "--against takes one book and the judge of that run.");
  const method = METHOD_NAMES.find((name) => name === chosen);
  return judgeNextDraft(file, {
    ...draft,
    judge,
    ...(method && { method }),
    services: runServices(terminal, signal),
    onProgress: terminal.progress,
  });
}

function inputOf(files: readonly string[], flags: JudgeFlagValues, reading: BookReading): JudgedInput {
  if (flags.in !== undefined) return { kind: "summaries", file: flags.in };
  if (flags.outline) return { kind: "outlines", files };
  return { kind: "books", files, reading };
}
