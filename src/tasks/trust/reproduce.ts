import { z } from "zod";
import { costFields } from "../../core/cost.ts";
import { GRADING_SETTINGS } from "../../qa/choices.ts";
import { field, group } from "../define/field.ts";
import { optionalReader, runServicesOf, runSettingsOf, spending, WITH_READER } from "../define/model-fields.ts";
import { defined, rubric, seed } from "../define/shared-fields.ts";
import { defineTask } from "../define/task.ts";
import { gradingProtocol } from "../qa/answers.ts";
import { PAPERS } from "../reproduce/paper.ts";

const { store: _store, dryRun, resume, ...paying } = spending;

export const reproduceTask = defineTask({
  name: "reproduce",
  summary: "Compute a paper's figures again from its released data, beside the printed values, and say what differs.",
  input: z.strictObject({
    paper: field(z.enum(PAPERS), "the paper", { operand: "NAME" }),
    data: field(z.string(), "the folder of the paper's data", {
      value: "FOLDER",
      help: "the paper's data, which you download yourself from the place listed below",
    }),
    evaluations: field(
      z.string().exactOptional(),
      "for longstoryeval: evaluations of its books, for Tables 2, 6, 7 and 8 [evaluations.jsonl in the folder]",
      { value: "PATH" },
    ),
    judge: field(
      optionalReader,
      "for literaryqa: a grader of answers from 1 to 5, such as MODEL@http://host/v1, for its column of Table 7 or its rows of Table 6",
      { value: "MODEL", type: "string | ChatModel" },
    ),
    ...group(WITH_READER, {
      table: field(
        z.enum(["6", "7"]).default("7"),
        "7: grade the released answers; 6: grade answers that people rated (rated.jsonl in the folder), and compare the grades with them",
        { value: "N" },
      ),
      grading: field(
        z.enum(GRADING_SETTINGS).default("summary"),
        "with {table} 7: what the grader sees, the references or the book's summary as well",
        { value: "SETTING" },
      ),
      protocol: gradingProtocol,
      rubric: rubric("qa-grading", "the grader's scale"),
      ...paying,
      dryRun,
      resume,
    }),
    store: field(
      spending.store,
      "where the grader's calls are kept; for longstoryeval the store with the calls of {evaluations}, for the tokens and minutes of Table 8",
      { value: "STORE" },
    ),
    set: field(
      z.enum(["test"]).exactOptional(),
      "for a checkout of LongStoryEval's release: only the 150 books that it names as its test set",
      { value: "NAME" },
    ),
    seed: seed(),
  }),
  rules: [
    {
      fields: ["evaluations", "set"],
      when: ({ input }) => input.paper !== "longstoryeval",
      sentence: "{this} is for longstoryeval: leave it out.",
    },
    {
      fields: ["store"],
      when: ({ input }) => input.paper !== "longstoryeval" && input.judge === undefined,
      sentence: "{this} is for longstoryeval, or goes with {judge}: leave it out.",
    },
    {
      fields: ["judge"],
      when: ({ input }) => input.paper !== "literaryqa",
      sentence: "{this} is for literaryqa: leave it out.",
    },
  ],
  async run(input, services) {
    const { reproduce } = await import("../reproduce/reproduce.ts");
    const { paper, data: folder, evaluations, store: kept, set, seed: drawn, judge } = input;
    const { onProgress, signal } = services;
    const grading = judge !== undefined && {
      judge,
      table: input.table === "6" ? (6 as const) : (7 as const),
      setting: input.grading,
      protocol: input.protocol,
      rubric: input.rubric,
      settings: runSettingsOf(input, services.host),
      services: runServicesOf(services),
    };
    return reproduce(paper, {
      folder,
      ...defined({ evaluations, store: kept, set }),
      ...(grading && { grading }),
      seed: drawn,
      onProgress,
      signal,
    });
  },
  output: {
    kind: "reproduction",
    body: ({ run, plan: _plan, ...reproduction }) =>
      run ? { ...reproduction, run: run.id, ...costFields(run.summary) } : reproduction,
  },
});
