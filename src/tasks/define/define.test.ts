import { readFileSync } from "node:fs";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parseInvocation } from "../../cli/command.ts";
import { commandHelp } from "../../cli/help.ts";
import { otherWay, taskCommand } from "../../cli/task-command.ts";
import { taskFunction } from "../../library/task-function.ts";
import { checkInput } from "./check.ts";
import { defineTask, field, group } from "./task.ts";
import { AS_DECLARED, jsonSchemaOf, openBooks, wireSchema } from "./wire.ts";

const withJudge = {
  title: "With a judge",
  refused: {
    unless: (input: { readonly judge?: string }) => input.judge !== undefined,
    sentence: "{this} goes with {judge} MODEL.",
  },
};
const SCALE = '{this} "{given}" is not a scale: write it as 1-5.';

/** One option of each kind. */
const task = defineTask({
  name: "grade",
  summary: "Grade texts.",
  library: { function: "gradeTexts", options: "GradeOptions", first: "files" },
  input: z.strictObject({
    files: field(z.array(z.string()).min(1), "the texts", {
      operand: "FILE...",
      remote: (far) => z.array(far.book),
      type: "readonly BookInput[]",
    }),
    top: field(z.number().int().min(1).max(10).default(3), "how many to show", {
      value: "N",
      remote: true,
    }),
    rule: field(z.enum(["best", "mean"]).default("best"), "which of several", { value: "RULE", remote: true }),
    tags: field(z.array(z.string()).exactOptional(), "only these", { value: "A,B", remote: true }),
    baseline: field(z.tuple([z.number(), z.number()], "give two numbers").exactOptional(), "two numbers", {
      value: "P,R",
    }),
    scale: field(z.strictObject({ low: z.number(), high: z.number() }, SCALE).exactOptional(), "the scale", {
      value: "1-5",
      fromText: (text) => {
        const [, low, high] = /^(\d+)-(\d+)$/.exec(text) ?? [];
        return high === undefined ? text : { low: Number(low), high: Number(high) };
      },
    }),
    letter: field(z.boolean().default(true), "write a letter", { help: "write no letter" }),
    about: z.strictObject({ title: field(z.string().exactOptional(), "the title", { value: "TEXT" }) }).exactOptional(),
    judge: field(z.string().exactOptional(), "who judges", { value: "MODEL" }),
    ...group(withJudge, {
      temperature: field(z.number().min(0).max(2).default(0.7), "the temperature of {judge}", { value: "T" }),
      maxCost: field(z.number().min(0).exactOptional(), "the most it may cost", { value: "USD" }),
    }),
  }),
  rules: [
    {
      fields: ["about.title"],
      when: ({ input, said }) => input.files.length > 1 && !said("judge"),
      sentence: "{this} names one text: give one.",
    },
  ],
  run: async (input) => input,
  output: { kind: "books", body: (input) => input },
});
const lines = defineTask({
  name: "grade lines",
  summary: "Grade lines.",
  input: z.strictObject({ in: field(z.string(), "lines", { value: "FILE" }) }),
  run: async (input) => input,
  output: { kind: "books", body: (input) => input },
});

const command = taskCommand(task, {
  common: ["top"],
  flags: { wide: { type: "boolean", help: "more columns" } },
  usage: "Give a text: `fabula grade a.md`.",
  examples: ["fabula grade a.md"],
  present: async () => 0,
  others: [
    otherWay(lines, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give texts or --in, not both.",
      present: async () => 0,
    }),
  ],
});

/** The input the task gets from these words, or the message that refuses them. */
async function given(...words: string[]): Promise<unknown> {
  const { operands, values, isGiven } = parseInvocation("grade", command.flags, words);
  let got: unknown;
  const watched = taskCommand(
    { ...task, load: async () => async (input) => (got = input) },
    {
      examples: [],
      usage: "Give a text: `fabula grade a.md`.",
      present: async () => 0,
    },
  );
  try {
    command.check?.({ operands, flags: values as never, isGiven });
    const terminal = { progress() {}, endProgress() {} };
    await watched.run({ operands, flags: values as never, isGiven, terminal } as never);
    return got;
  } catch (error) {
    return (error as Error).message;
  }
}

describe("the command of a task", () => {
  const standard = { top: 3, rule: "best", letter: true, temperature: 0.7 };

  it("reads every kind of value", async () => {
    expect(await given("a.md", "b.md")).toEqual({ files: ["a.md", "b.md"], ...standard });
    const words = ["--top=5", "--rule=mean", "--tags=a, b", "--baseline=0.4,-0.5", "--scale=1-5", "--no-letter"];
    expect(await given("a.md", ...words, "--title", "A", "--judge=m", "--max-cost=2")).toEqual({
      ...{ files: ["a.md"], top: 5, rule: "mean", tags: ["a", "b"], baseline: [0.4, -0.5], scale: { low: 1, high: 5 } },
      ...{ letter: false, about: { title: "A" }, judge: "m", temperature: 0.7, maxCost: 2 },
    });
  });

  it.each([
    [["a.md", "--temperature", "0.7"], "--temperature goes with --judge MODEL."],
    [["a.md", "b.md", "--title", "A"], "--title names one text: give one."],
    [["a.md", "--scale", "5"], '--scale "5" is not a scale: write it as 1-5.'],
    [["a.md", "--baseline", "0.4"], "--baseline 0.4: give two numbers."],
    [["a.md", "--tags", "a,,b"], '--tags "a,,b" has an empty item between its commas.'],
    [[], "Give a text: `fabula grade a.md`."],
    [["--in", "x.jsonl", "a.md"], "Give texts or --in, not both."],
    [["--in", "x.jsonl", "--top", "2"], "--top has no effect with --in: leave it out."],
  ])("refuses %j", async (words, sentence) => {
    expect(await given(...words)).toBe(sentence);
  });

  it("shows the common flags first, and all of them under their titles when it is asked to", () => {
    const short = commandHelp("grade", command, 100);
    expect(short).toContain("--top N");
    expect(short).not.toContain("--rule");
    expect(short).toContain("`fabula grade --help all` shows the other");
    const all = commandHelp("grade", command, 100, { all: true });
    expect(all).toMatch(/--no-letter +write no letter\n/);
    expect(all).toMatch(/With a judge:\n +--temperature T +the temperature of --judge \[0\.7\]/);
  });
});

describe("the function of a task", () => {
  const gradeTexts = taskFunction<typeof task.input, unknown, unknown, Record<string, unknown>>(task);

  it("takes one text or several, and options that say nothing", async () => {
    expect(await gradeTexts("a.md", { judge: undefined, about: { title: undefined } })).toMatchObject({
      files: ["a.md"],
      temperature: 0.7,
    });
    expect(await gradeTexts(["a.md", "b.md"])).toMatchObject({ files: ["a.md", "b.md"] });
  });

  it.each([
    [{ maxcost: 1 }, 'gradeTexts has no option "maxcost". Did you mean "maxCost"?'],
    [{ about: { name: "A" } }, 'gradeTexts has no option "about.name".'],
    [{ top: 0 }, "`top` must be a whole number from 1 to 10, and is 0."],
    [{ rule: "worst" }, "`rule` must be one of best, mean, and is worst."],
    [{ tags: "a" }, "`tags` must be a list, and is a."],
    [{ maxCost: 1 }, "`maxCost` goes with `judge` MODEL."],
    [{ scale: "5" }, '`scale` "5" is not a scale: write it as 1-5.'],
  ])("refuses %j", async (options, sentence) => {
    await expect(gradeTexts("a.md", options)).rejects.toMatchObject({ code: "E_USAGE", message: sentence });
  });
});

describe("what may be sent from far", () => {
  const text = z.strictObject({ text: z.string() });
  const wire = wireSchema(task, { book: text, judge: z.never() })!;

  it("is what the definition allows, with defaults that are stated and not filled in", () => {
    expect(jsonSchemaOf(wire)).toMatchObject({
      required: ["files"],
      additionalProperties: false,
      properties: { top: { type: "integer", minimum: 1, maximum: 10, default: 3, description: "how many to show" } },
    });
    expect(Object.keys(wire.shape)).toEqual(["files", "top", "rule", "tags"]);
    expect(checkInput({ input: wire }, { files: [{ text: "a" }] }, { name: "grade", spell: AS_DECLARED })).toEqual({
      files: [{ text: "a" }],
    });
  });

  it.each([
    [{ files: ["/etc/passwd"] }, "`files` must be"],
    [{ files: [], judge: "anybody@http://elsewhere/v1" }, 'grade has no option "judge".'],
  ])("is never a path or an address: %j", (sent, sentence) => {
    expect(() => checkInput({ input: wire }, sent, { name: "grade", spell: AS_DECLARED })).toThrow(sentence);
  });

  it("has its books opened by who received it", async () => {
    const open = async (named: { text: string }) => `opened ${named.text}`;
    expect(await openBooks(task, { files: [{ text: "a" }], top: 1 }, { schema: text, open })).toEqual({
      files: ["opened a"],
      top: 1,
    });
  });

  it("is nothing for a task that needs a path", () => {
    expect(wireSchema(lines, { book: text, judge: z.never() })).toBeNull();
  });
});

it("a definition with a sentence about an option that does not exist cannot be loaded", () => {
  const rules = [{ fields: ["tops"], when: () => true, sentence: "no" }];
  expect(() => defineTask({ ...task, rules })).toThrow('the task "grade" has no option "tops"');
});

describe("an option is declared once", () => {
  // The settings of an evaluation are part of a document that other versions read, so this test pins their shape by
  // hand.
  const sources = globSync("src/**/*.ts", { ignore: ["src/**/*.test.ts", "src/judge/settings.ts"] });
  const texts = sources.map((file) => [file, readFileSync(file, "utf8")] as const);

  it.each(["untilHalfWidth", "maskInjection", "segmentWords"])("%s", (option) => {
    const declared = new RegExp(`\\b${option}\\s*[:=]\\s*(?:field\\(|z\\s*\\.)`, "g");
    const places = texts.flatMap(([file, text]) => Array.from(text.matchAll(declared), () => file));
    expect(places).toEqual(["src/tasks/define/judge-fields.ts"]);
  });
});
