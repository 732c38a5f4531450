import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { PROTOCOLS } from "../../judge/material.ts";
import { METHOD_NAMES } from "../../judge/methods/method.ts";
import { isOfTheJury, JURY } from "../../jury/juror.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { Story } from "../../reader/predictor/story.ts";
import type { ReaderProfile } from "../../reader/profile/reader-profile.ts";
import { bookFields, bookInput, closeReading, ownModel, reference, rubric, spending } from "./shared-fields.ts";
import { type FieldGroup, field, group } from "./task.ts";

/** Options of tasks with a judge: one that ships with Fabula, or language models. */

export type OneJudge = string | ChatModel;

const oneJudge = z.union([z.string(), ownModel]);

/** A single judge, for tasks such as comparing that a panel cannot do. */
export function judge(standard: string, description: string) {
  return field(oneJudge.default(standard), description, {
    value: "NAME",
    remote: (far) => far.judge,
    type: "string | ChatModel",
  });
}

/** Programs may also give a panel as a list of judges. */
export function judges(standard: string, description: string) {
  return field(
    z
      .union([oneJudge, z.array(oneJudge).min(1, "{this} is an empty list: name at least one judge.")])
      .default(standard),
    description,
    { value: "NAME", remote: (far) => far.judge, type: "Judge" },
  );
}

interface Named {
  readonly judge?: OneJudge | readonly OneJudge[];
  readonly panel?: readonly OneJudge[];
}

function judgesNamed({ judge: one, panel }: Named): readonly OneJudge[] {
  if (panel) return panel;
  return typeof one === "object" && !("complete" in one) ? one : one === undefined ? [] : [one];
}

const isFromInside = (one: OneJudge): one is string =>
  typeof one === "string" && (isOfTheJury(one) || one === "embedded");

/** Whether all judges ship with Fabula: they work on this machine, ask no model and cost nothing. */
export function isEmbedded(input: Named): boolean {
  return judgesNamed(input).every(isFromInside);
}

export type Judges =
  | { readonly kind: "embedded"; readonly name: string }
  | { readonly kind: "models"; readonly models: readonly OneJudge[] };

/** The judges: one that ships with Fabula, or language models. */
export function judgesOf(input: Named): Judges {
  const named = judgesNamed(input);
  const inside = named.find(isFromInside);
  if (inside === undefined) return { kind: "models", models: named };
  if (named.length === 1) return { kind: "embedded", name: inside };
  throw new FabulaError(
    "E_JUDGE_PANEL",
    `A panel is made of language models, and "${inside}" is an embedded judge: ask it by itself.`,
  );
}

export const WITH_MODELS: FieldGroup = {
  title: "With a language model",
  refused: {
    unless: (input: Named) => !isEmbedded(input),
    sentence: "{this} is for language models: name one with {judge}, such as openai:gpt-4.1.",
  },
};

const { dryRun, store, resume, ...paying } = spending;

/** Options of a run. An embedded judge asks no model, so limits on cost do not apply to it. */
export const judgeRunFields = { ...group(WITH_MODELS, paying), dryRun, store, resume };

export const summariser = field(oneJudge.exactOptional(), "the model for the summaries [the first judge]", {
  value: "NAME",
  type: "string | ChatModel",
});

export const method = field(
  z.enum(METHOD_NAMES).exactOptional(),
  "how a language model reads the book [close; summary for outlines and for whatever works from a summary]",
  { value: "NAME", remote: true },
);

/** How a language model judges a book. */
export const judgeFields = group(WITH_MODELS, {
  panel: field(z.array(oneJudge).exactOptional(), "several language models judge together, each counted once", {
    value: "J1,J2",
    type: "readonly (string | ChatModel)[]",
  }),
  method,
  depth: field(
    closeReading.depth.removeDefault().exactOptional(),
    "how closely the story is read: full also reads every chapter alone, at about twice the price [quick]",
    { value: "NAME", remote: true },
  ),
  context: closeReading.context,
  runs: field(z.number().int().min(1).max(100).exactOptional(), "how many times a language model judges [5]", {
    value: "N",
    remote: true,
  }),
  untilHalfWidth: field(
    z.number().min(0.1).exactOptional(),
    "stop repeating when the overall score is known to ± this many points (at most {runs}, or 20)",
    { flag: "until-ci", value: "POINTS", remote: true },
  ),
  summariser,
  definitions: field(z.boolean().default(true), "whether the judge is told what each aspect means", {
    help: "name the aspects to the judge without explaining them",
    remote: true,
  }),
  chapterSummaries: field(
    z.boolean().default(false),
    "with {method} summary: show the judge the summary of every segment instead of the whole book's",
    { remote: true },
  ),
  segmentWords: field(z.number().int().min(200).exactOptional(), "size of a segment [4096]", {
    value: "N",
    remote: true,
  }),
  temperature: field(closeReading.temperature.removeDefault().exactOptional(), "the judge's temperature [0.7]", {
    value: "T",
    remote: true,
  }),
  protocol: field(
    z.enum(PROTOCOLS).exactOptional(),
    "how the judge is asked: by the rubric, or as a model trained on reader reviews expects, whose stars are converted in proportion (3.8 of 5 is 76 of 100) [rubric]",
    { value: "NAME", remote: true },
  ),
  preset: field(
    z.enum(["paper"]).exactOptional(),
    "LongStoryEval's settings where no option says otherwise: temperature 0, 5 runs (1 of a model that is not behind OpenAI, Anthropic, Google, Azure, Bedrock or xAI), segments of 4096 words with the rest apart, three genres, the plot alone before a segment, the opening of one chapter as excerpt; no call that the paper does not make, so no edit letter. The prompts are Fabula's own ({prompts})",
    { value: "NAME", remote: true },
  ),
  prompts: field(
    z.string().exactOptional(),
    "prompts of your own, LANGUAGE/NAME.md, or a checkout of LongStoryEval's release, for the form that NovelCritique was trained on; the built-in prompt is used for any that is missing (`fabula prompts list`)",
    { value: "FOLDER" },
  ),
  population: field(
    z.string().exactOptional(),
    "percentiles among books that the same judge scored, as `fabula population build` wrote them",
    { value: "FILE" },
  ),
  letter: field(z.boolean().exactOptional(), "whether the judge also writes an edit letter, in one more call [true]", {
    onlyPrograms: true,
    remote: true,
  }),
});

export const maskInjection = field(
  z.boolean().default(false),
  "judge a book that addresses its judge a second time with those passages masked, and show both scores; costs as much again",
  { remote: true },
);

export const aspects = field(z.array(z.string()).exactOptional(), "only these aspects, by their ids", {
  value: "A,B",
  remote: true,
});

const isObject = (value: unknown) => typeof value === "object" && value !== null;
const profile = z.custom<ReaderProfile>((value) => isObject(value) && "reviews" in (value as object));
const story = z.custom<Partial<Story>>(isObject);

/** Options of `evaluate`. */
export const evaluating = {
  books: field(z.array(bookInput).default([]), "the books", {
    operand: "FILE...",
    remote: (far) => z.array(far.book).min(1),
    type: "readonly BookInput[]",
  }),
  judge: judges(
    JURY,
    "who judges: jury (crowd, editor and grader side by side), one of the three, or a language model: openai:MODEL, local, command:PROGRAM, paste (`fabula setup` finds one)",
  ),
  aspects: field(
    aspects,
    "only these aspects: plot, characters, writing, world, themes, emotion, enjoyment, expectation",
    { value: "A,B", remote: true },
  ),
  against: field(
    bookInput.exactOptional(),
    "say what changed since the draft in that file or of that run, and what became of its findings",
    { value: "RUN|FILE", type: "BookInput" },
  ),
  like: field(
    z.string().exactOptional(),
    "judge as in this saved evaluation (.json, .jsonl): judge, method and all settings are taken from it, and a difference that remains is named",
    { value: "FILE" },
  ),
  calibration: field(
    z.string().exactOptional(),
    "also convert the overall score to people's scale, with the map that `fabula trust --calibration` wrote for this judge, its prompts and rubric",
    { value: "FILE" },
  ),
  pinned: field(
    z.boolean().default(true),
    "whether the texts that the calibration pins are judged again, to see whether the judge has drifted",
    { help: "do not judge the calibration's pinned texts again; it is then not known whether the judge has drifted" },
  ),
  maskInjection,
  allNotes: field(z.boolean().default(false), "every line note instead of the 25 likeliest, for the embedded judges", {
    remote: true,
  }),
  reference,
  ...bookFields("title", "author", "language"),
  ...group(
    { title: "For one reader" },
    {
      reader: field(
        z.union([z.string(), profile]).exactOptional(),
        "also predict how this reader would rate it, and why: a profile",
        { flag: "as", value: "PROFILE", type: "string | ReaderProfile" },
      ),
      story: field(
        z.union([z.string(), story]).exactOptional(),
        "for {reader} without a model: the story as JSON, in the form `reader predict` takes",
        { value: "FILE", type: "string | Partial<Story>" },
      ),
      profiles: field(z.string().exactOptional(), "where profiles are kept", {
        value: "FOLDER",
        help: "where profiles are kept (FABULA_READERS; else beside the store, in the user's data folder)",
      }),
    },
  ),
  ...judgeFields,
  ...group(WITH_MODELS, {
    rubric: field(
      rubric("long-story", "").removeDefault().exactOptional(),
      "the aspects to judge, or a rubric file of your own [long-story]",
      { value: "NAME|FILE", type: "string | Rubric" },
    ),
    in: field(
      z.string().exactOptional(),
      "books whose summaries exist already, one JSON object per line; or a table with the columns id and text (.csv, .jsonl, .parquet), each text judged whole in one request",
      { value: "FILE" },
    ),
    outline: field(z.boolean().default(false), "the files are outlines of stories not yet written"),
  }),
  ...judgeRunFields,
};

export type EvaluateInput = z.output<z.ZodObject<typeof evaluating>>;
