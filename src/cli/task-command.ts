import { userInfo } from "node:os";
import type { z } from "zod";
import { costOfCalls } from "../core/cost.ts";
import { FabulaError } from "../core/errors.ts";
import { connectionsFromEnvironment } from "../models/connection.ts";
import { isCovered } from "../models/judge-name.ts";
import { runsHere } from "../models/prices.ts";
import { isNotice, noticeInWords, type RunnerListener } from "../runner/runner-event.ts";
import { withoutPassword } from "../store/postgres/address.ts";
import { type Caller, checkInput, inWords } from "../tasks/define/check.ts";
import {
  type Host,
  isKind,
  limitsOf,
  type Option,
  optionsOf,
  type Task,
  type TaskServices,
  type WorkersForTask,
} from "../tasks/define/task.ts";
import type { Command, ExitCode, Flag, Flags, FlagValues, FlagWord, GivenWords, Invocation } from "./command.ts";
import { userJudges } from "./config/user-judges.ts";
import { jsonDocument } from "./output/write-report.ts";
import type { QuestionCount } from "./paste-judge.ts";
import { pathBesideStore, profileFolder, storeLocation } from "./paths.ts";
import type { Terminal } from "./terminal.ts";

/** What only the terminal adds to a task: how its result is shown, and flags that change only this. */
interface Presentation<Input extends z.ZodObject, Result, F extends Flags> {
  readonly flags?: F;
  /** In which cases these flags have no effect, and the sentence that says so. */
  readonly rules?: readonly {
    readonly flags: readonly string[];
    when(flags: Readonly<Record<string, FlagWord>>): boolean;
    readonly sentence: string;
  }[];
  /** Changes the input for the terminal's own flags, for example if results are printed instead of written. */
  prepare?(input: z.output<Input>, flags: FlagValues<F> & { readonly json: boolean }): z.output<Input>;
  /** Shows the result. A command that shows items as they arrive has `begin` instead. */
  present?(result: Result, context: PresentationContext<Input, F>): Promise<ExitCode>;
  begin?(
    context: Pick<PresentationContext<Input, F>, "input" | "flags" | "terminal">,
  ): Promise<ItemPresentation<Input, Result>>;
}

/** Shows the items of a task as they arrive. */
interface ItemPresentation<Input extends z.ZodObject, Result> {
  /** The final input of the task: a folder, for example, was replaced by the books in it. */
  readonly input: z.output<Input>;
  readonly services: Pick<TaskServices, "onItem" | "onProgress">;
  /** Shows the rest when the task is done. */
  finish(result: Result): Promise<ExitCode>;
  /** Always called at the end, even after an error; a report that is not finished is not written. */
  close(): Promise<void>;
}

export interface PresentationContext<Input extends z.ZodObject = z.ZodObject, F extends Flags = Flags> {
  readonly input: z.output<Input>;
  readonly flags: FlagValues<F> & { readonly json: boolean };
  readonly terminal: Terminal;
  /** The result as a JSON document. */
  document(): string;
  /** Prints the document with `--json`, otherwise these words. */
  show(words: () => string | Promise<string>): Promise<void>;
}

/**
 * Another task that the same command runs if certain flags are given, such as many texts with `--in` instead of one
 * book.
 */
export interface OtherWay {
  readonly task: Task;
  readonly presentation: Presentation<z.ZodObject, unknown, Flags>;
  when(flags: Readonly<Record<string, FlagWord>>): boolean;
  /** The flag that selects it, for the message when a flag of one variant is used in another: `--in`. */
  readonly flag: string;
  /** What to say to users who also give files. */
  readonly withOperands?: string;
}

export function otherWay<Input extends z.ZodObject, Result, const F extends Flags = Record<never, never>>(
  task: Task<Input, Result>,
  {
    when,
    flag,
    withOperands,
    ...presentation
  }: Presentation<Input, Result, F> & Omit<OtherWay, "task" | "presentation">,
): OtherWay {
  return { task, presentation: presentation as never, when, flag, ...(withOperands && { withOperands }) };
}

interface TaskCommand<Input extends z.ZodObject, Result, F extends Flags> extends Presentation<Input, Result, F> {
  readonly examples: readonly string[];
  /** What to say to users who leave out the input. */
  readonly usage?: string;
  readonly others?: readonly OtherWay[];
  /** The few flags that `--help` shows first, if there are many; `--help all` shows the others. */
  readonly common?: readonly string[];
  /** Whether the workers of a shared store may do the work. */
  readonly shares?: boolean;
  readonly helpList?: Command["helpList"];
  /** What to suggest to users who give a file to a command that takes none. */
  readonly insteadOfFile?: string;
}

/** Refuses an `--out` whose extension promises something other than JSON. */
export function jsonOnly(what: string, instead: string) {
  return {
    flags: ["out"],
    when: ({ out }: Readonly<Record<string, FlagWord>>) => /\.(?!json$)[a-z]+$/i.test(String(out)),
    sentence: `--out writes the ${what} as JSON: give a name that ends in .json. ${instead}.`,
  };
}

/** Makes the command of a task: flags with their help and rules come from its definition. */
export function taskCommand<Input extends z.ZodObject, Result, const F extends Flags = Record<never, never>>(
  task: Task<Input, Result>,
  {
    examples,
    usage,
    others = [],
    common = [],
    shares = false,
    helpList,
    insteadOfFile,
    ...presentation
  }: TaskCommand<Input, Result, F>,
): Command {
  const rules = [...(presentation.rules ?? []), ...(shares ? SHARING_RULES : [])];
  const main = otherWay(task, { ...presentation, rules, when: () => true, flag: "" });
  const ways = [...others, main];
  const all: Flags = Object.assign(
    {},
    ...[main, ...others].map(flagsOf),
    shares ? SHARING_FLAGS : {},
    presentation.flags,
  );
  const flags = Object.fromEntries(
    Object.entries(all).map(([name, flag]) => [
      name,
      common.includes(name) ? { ...flag, common: true as const } : flag,
    ]),
  );
  const chosen = (given: GivenWords) => ways.find(({ when }) => when(given.flags))!;
  const inputFrom = (given: GivenWords) => {
    const way = chosen(given);
    refuseFlagsOfOthers(ways, way, given);
    return readInput(way, given, callerOf(task.name), usage);
  };
  return {
    summary: task.summary,
    operands: optionsOf(task.input)
      .flatMap(({ operand }) => operand ?? [])
      .join(" "),
    flags,
    examples,
    ...(helpList && { helpList }),
    ...(insteadOfFile !== undefined && { insteadOfFile }),
    check: (given) => void inputFrom(given),
    async run(invocation: Invocation) {
      const way = chosen(invocation);
      const { terminal } = invocation;
      const checked = inputFrom(invocation);
      const { prepare, begin, present } = way.presentation;
      const input = prepare?.(checked, invocation.flags) ?? checked;
      const work = await way.task.load();
      if (begin) {
        const showcase = await begin({ input, flags: invocation.flags, terminal });
        try {
          const result = await work(showcase.input, commandServices(invocation, shares, showcase.services));
          terminal.endProgress();
          return await showcase.finish(result);
        } finally {
          await showcase.close();
        }
      }
      const result = await work(input, commandServices(invocation, shares));
      terminal.endProgress();
      const document = () => jsonDocument(way.task.output.kind, way.task.output.body(result));
      return present!(result, {
        input,
        flags: invocation.flags,
        terminal,
        document,
        async show(words) {
          const text = invocation.flags.json ? document() : await words();
          if (text !== "") terminal.print(text);
        },
      });
    },
  };
}

const SHARING_RULES: NonNullable<Presentation<z.ZodObject, unknown, Flags>["rules"]> = [
  {
    flags: ["detach"],
    when: ({ local }) => local === true,
    sentence: "--local works here and --detach leaves it to workers: give one.",
  },
  {
    flags: ["detach"],
    when: (flags) => flags["dry-run"] === true,
    sentence: "--dry-run queues nothing: leave --detach out.",
  },
  {
    flags: ["batch"],
    when: ({ detach }) => detach === true,
    sentence: "--batch leaves the work to the provider: leave --detach out.",
  },
];

function flagsOf({ task, presentation }: OtherWay): Flags {
  const options = optionsOf(task.input);
  const caller = callerOf(task.name);
  const own = options.filter(hasFlag).map((option) => {
    const help = inWords(option.help ?? option.description, options, caller, option.name);
    return [flagName(option), flagOf(option, help)];
  });
  return { ...Object.fromEntries(own), ...presentation.flags };
}

/** Whether an option has a flag; options for programs only, and those given as arguments, do not. */
export function hasFlag({ onlyPrograms, operand, value }: Option): boolean {
  return !onlyPrograms && (operand === undefined || value !== undefined);
}

export function flagName({ name, flag, default: standard }: Option): string {
  const own =
    flag ?? name.slice(name.lastIndexOf(".") + 1).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return standard === true ? `no-${own}` : own;
}

function flagOf({ schema, value, repeats, group, default: standard }: Option, help: string): Flag {
  const about = { help, ...(value && { value }), ...(group && { group: group.title }) };
  if (isKind(schema, "boolean")) return { ...about, type: "boolean" };
  if (isKind(schema, "number")) {
    return {
      ...about,
      ...limitsOf(schema),
      type: "number",
      ...(typeof standard === "number" && { default: standard }),
    };
  }
  return {
    ...about,
    type: "string",
    ...(isKind(schema, "enum") && { choices: (schema as z.ZodEnum).options.map(String) }),
    ...(repeats && { repeats }),
    ...(standard !== undefined && { default: String(standard) }),
  };
}

function callerOf(name: string): Caller {
  return {
    name: `\`fabula ${name}\``,
    spell: (option) => (hasFlag(option) ? `--${flagName(option)}` : (option.operand ?? option.name)),
    advice: `See \`fabula ${name} --help\`.`,
  };
}

/** Reads the input of a task from the command line. */
function readInput(
  { task, presentation, withOperands }: OtherWay,
  given: GivenWords,
  caller: Caller,
  usage: string | undefined,
): Record<string, unknown> {
  const options = optionsOf(task.input);
  for (const { flags, when, sentence } of presentation.rules ?? [])
    if (flags.some(given.isGiven) && when(given.flags)) throw new FabulaError("E_USAGE", sentence);
  const operandOptions = options.filter(({ operand }) => operand !== undefined);
  if (!operandOptions.some(({ schema }) => isKind(schema, "array")) && given.operands.length > operandOptions.length)
    throw new FabulaError("E_USAGE", withOperands ?? `${caller.name} takes flags only. ${caller.advice}`);
  const input: Record<string, unknown> = {};
  // Not spread, because reading the invocation's signal would change how Ctrl-C ends the process.
  for (const option of options) {
    const value = givenValue(option, {
      flags: given.flags,
      isGiven: given.isGiven,
      operands: operandsOf(option, options, given.operands),
    });
    if (value !== undefined) put(input, option.name, value);
    else if (option.operand !== undefined && option.isRequired && usage !== undefined)
      throw new FabulaError("E_USAGE", usage);
  }
  return checkInput(task, input, caller, (name) => {
    const option = options.find((other) => other.name === name)!;
    if (operandsOf(option, options, given.operands).length > 0) return true;
    return hasFlag(option) && given.isGiven(flagName(option));
  });
}

/**
 * The arguments that belong to this option: all of them, or one for each option that takes arguments, and the rest
 * for a list at the end.
 */
function operandsOf(option: Option, all: readonly Option[], words: readonly string[]): readonly string[] {
  if (option.operand === undefined) return [];
  const operandOptions = all.filter(({ operand }) => operand !== undefined);
  const at = operandOptions.indexOf(option);
  return isKind(option.schema, "array") ? words.slice(at) : words.slice(at, at + 1);
}

/** Refuses a flag of another variant, which would do nothing in this one. */
function refuseFlagsOfOthers(ways: readonly OtherWay[], way: OtherWay, { isGiven }: GivenWords): void {
  const own = flagsOf(way);
  for (const other of ways) {
    const idle = Object.keys(flagsOf(other)).find((flag) => isGiven(flag) && !(flag in own));
    if (idle === undefined) continue;
    const reason = other.flag === "" ? `has no effect with ${way.flag}: leave it out` : `goes with ${other.flag}`;
    throw new FabulaError("E_USAGE", `--${idle} ${reason}.`);
  }
}

function givenValue(option: Option, { operands, flags, isGiven }: GivenWords): unknown {
  const { schema, operand } = option;
  const isList = isKind(schema, "array");
  const flag = hasFlag(option) ? flagName(option) : undefined;
  const word: FlagWord = flag === undefined ? undefined : flags[flag];
  if (typeof word === "boolean") return isGiven(flag!) ? option.default !== true : undefined;
  if (operand !== undefined) {
    const words = [...(Array.isArray(word) ? word : []), ...operands];
    if (words.length > 0) return isList ? words : words[0];
  }
  if (Array.isArray(word)) return word.length > 0 ? word : undefined;
  if (typeof word === "string" && option.fromText) return option.fromText(word);
  if (typeof word !== "string" || !(isList || isKind(schema, "tuple"))) return word;
  return listIn(word, `--${flag}`).map((item) => (isOfNumbers(schema) ? Number(item) : item));
}

function listIn(words: string, flag: string): string[] {
  const items = words.split(",").map((item) => item.trim());
  if (items.includes("")) throw new FabulaError("E_USAGE", `${flag} "${words}" has an empty item between its commas.`);
  return items;
}

function isOfNumbers(schema: z.ZodType): boolean {
  const { element, items } = schema.def as unknown as { readonly element?: z.ZodType; readonly items?: z.ZodType[] };
  return isKind(element ?? items![0]!, "number");
}

function put(input: Record<string, unknown>, name: string, value: unknown): void {
  const [first = "", ...rest] = name.split(".");
  if (rest.length === 0) input[first] = value;
  else {
    const within = (input[first] ?? {}) as Record<string, unknown>;
    put(within, rest.join("."), value);
    input[first] = within;
  }
}

/**
 * The services of a task on the command line. Each is created when it is first needed, since most tasks need few of
 * them.
 */
function commandServices(invocation: Invocation, shares: boolean, changed: Partial<TaskServices> = {}): TaskServices {
  const { terminal } = invocation;
  const { local, detach, priority, store }: Readonly<Record<string, FlagWord>> = invocation.flags;
  let questions: QuestionCount | null = null;
  return {
    get signal() {
      return invocation.signal;
    },
    onProgress: terminal.progress,
    onEvent: runEvents(terminal),
    onNote: terminal.note,
    // Without a terminal the command ends at each question, and planning would take just as long again each time.
    ...(process.stdin.isTTY && {
      onQuestions: (planned: QuestionCount) => {
        questions = planned;
      },
    }),
    async byHand(id) {
      const { pasteModel, QUESTIONS_FOLDER } = await import("./paste-judge.ts");
      terminal.muteProgress();
      const { stdin, stderr } = process;
      return pasteModel({
        id,
        folder: QUESTIONS_FOLDER,
        stdin,
        terminal: { note: terminal.note, echo: (text) => stderr.write(text) },
        count: () => questions,
        interrupt: () => process.kill(process.pid, "SIGINT"),
      });
    },
    ...(shares && local !== true && { workers: workersFor({ detach, priority }, terminal) }),
    host: commandHost(typeof store === "string" ? store : undefined),
    ...changed,
  };
}

function commandHost(store: string | undefined): Host {
  const prices = process.env.FABULA_PRICES;
  return {
    get connections() {
      return { ...connectionsFromEnvironment(process.env), ...userJudges() };
    },
    get store() {
      return storeLocation(undefined, process.env);
    },
    ...(prices && { prices }),
    get library() {
      return pathBesideStore("library", store, process.env);
    },
    get profiles() {
      return profileFolder(undefined, process.env);
    },
    async evaluationsOf(run, named) {
      const { evaluationsOfRun } = await import("./run-again.ts");
      return evaluationsOfRun(run, storeLocation(named, process.env));
    },
    get stdin() {
      return process.stdin;
    },
    get command() {
      return process.argv.slice(2).map(withoutPassword);
    },
    get folder() {
      return process.cwd();
    },
  };
}

/** Describes the events of a run in the terminal: what the user is waiting for, and what it has cost so far. */
export function runEvents(terminal: Terminal): RunnerListener {
  let unpricedCalls = 0;
  let coveredCalls = 0;
  return (event) => {
    if (isNotice(event)) terminal.note(noticeInWords(event));
    if (event.kind === "resumed") ({ unpricedCalls, coveredCalls = 0 } = event);
    if (event.kind === "answered" && event.cost === null) {
      if (isCovered(event.model)) coveredCalls += 1;
      else unpricedCalls += 1;
    }
    const isFree = event.kind === "answered" && event.spent === 0 && runsHere(event.model);
    if ((event.kind === "answered" && !isFree) || event.kind === "resumed")
      terminal.cost(costOfCalls(event.spent, unpricedCalls, coveredCalls));
  };
}

/** Flags that only the command line has for work that workers may do. */
const SHARING_FLAGS = {
  local: { type: "boolean", help: "with a shared store (postgres://…): work in this process instead of queueing" },
  detach: {
    type: "boolean",
    help: "with a shared store: queue the work and exit; `fabula runs resume` fetches the results",
  },
  priority: {
    type: "number",
    value: "N",
    minimum: -1000,
    maximum: 1000,
    integer: true,
    help: "with a shared store: your runs of a higher priority go first [0]; between owners, workers take turns",
  },
} as const satisfies Flags;

function workersFor(
  { detach, priority }: { readonly detach: FlagWord; readonly priority: FlagWord },
  terminal: Pick<Terminal, "note">,
): WorkersForTask {
  return {
    detach: detach === true,
    priority: typeof priority === "number" ? priority : 0,
    owner: process.env.FABULA_OWNER || userName(),
    onNote: terminal.note,
  };
}

/** In a container, the user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "";
  }
}
