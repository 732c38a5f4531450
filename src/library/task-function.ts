import type { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import type { ModelConnections } from "../models/connection.ts";
import { connectionsFromEnvironment } from "../models/connection.ts";
import { parseJudgeName } from "../models/judge-name.ts";
import { resolveShortName } from "../models/own-judge.ts";
import { asDocument } from "../report/documents.ts";
import { checkInput } from "../tasks/define/check.ts";
import { isKind, optionsOf, type Task, type TaskServices } from "../tasks/define/task.ts";
import { AS_DECLARED } from "../tasks/define/wire.ts";
import { loadTask, TASKS, type TaskName } from "../tasks/registry.ts";
import { type CommonOptions, IN_MEMORY, interruptible, progressOf, signalOf } from "./options.ts";
import type { TaskInputs } from "./task-options.ts";

/**
 * Keys and addresses of providers from the environment, overridden by what the caller gives. This is the only place
 * outside the command line that reads the environment (docs/decisions/004-library-and-documents.md), because a
 * program that uses the library is itself the edge.
 */
export function connectionsOf(given: ModelConnections = {}, named: readonly unknown[] = []): ModelConnections {
  const commands = named.flatMap((judge) => (typeof judge === "string" ? commandOf(judge, given) : []));
  return {
    ...connectionsFromEnvironment(process.env),
    ...given,
    ...(commands.length > 0 && { commands: [...(given.commands ?? []), ...commands] }),
  };
}

/** A program may be started as a judge if the caller names it, directly or by a short name, but not if a file does. */
function commandOf(judge: string, { judges }: ModelConnections): string[] {
  const name = resolveShortName(judge, judges);
  if (!name.startsWith("command:")) return [];
  const parsed = parseJudgeName(name);
  return parsed.provider === "command" ? [parsed.command] : [];
}

/** What a function passes to a task besides its input. */
interface ServiceOptions extends CommonOptions {
  readonly connections?: ModelConnections;
}

type Work<Input extends z.ZodObject, Result, Answer> = (
  run: () => Promise<Result>,
  input: z.output<Input>,
  services: TaskServices,
) => Promise<Answer>;

/**
 * Makes the library function of a task: its first argument is the input, the second the options. Anything unknown or
 * invalid is refused with a sentence, in JavaScript too. `work` is for a function that returns something else than
 * the task.
 */
export function taskFunction<
  Input extends z.ZodObject,
  Result,
  Source,
  Options extends ServiceOptions,
  Answer = Result,
>(
  task: Task<Input, Result>,
  work: Work<Input, Result, Answer> = (run) => run() as Promise<never>,
): (source: Source, options?: Options) => Promise<Answer> {
  return (source, options) => {
    const { signal, onEvent, connections, ...given }: ServiceOptions = options ?? {};
    const common: CommonOptions = { ...(signal && { signal }), ...(onEvent && { onEvent }) };
    return interruptible(common, async () => {
      const input = checkInput(
        task,
        { ...given, ...firstOption(task, source) },
        {
          name: task.library?.function ?? task.name,
          spell: AS_DECLARED,
        },
      );
      const services: TaskServices = {
        signal: signalOf(common),
        onProgress: progressOf(common),
        onEvent: (event) => onEvent?.(event),
        host: {
          store: IN_MEMORY,
          get connections() {
            return connectionsOf(connections, Object.values(given).flat());
          },
        },
      };
      const run = await task.load();
      return work(() => run(input, services), input, services);
    });
  };
}

/**
 * Does any task by its name, with what its command takes, and gives the document that the command prints with `--json`. Functions
 * of their own are there for what programs do most.
 */
export async function runTask<Name extends TaskName>(name: Name, options: TaskInputs[Name]): Promise<object> {
  if (!Object.hasOwn(TASKS, name))
    throw new FabulaError("E_USAGE", `There is no task "${name}": there are ${Object.keys(TASKS).join(", ")}.`);
  const { library: _first, ...task } = await loadTask(name);
  return taskFunction<z.ZodObject, unknown, null, ServiceOptions, object>(task, async (run, { dryRun }) => {
    if (dryRun === true)
      throw new FabulaError(
        "E_USAGE",
        `runTask("${name}") gives results: plan with \`--dry-run\` on the command line.`,
      );
    const result = await run();
    return asDocument(task.output.kind, task.output.body(result));
  })(null, options as ServiceOptions);
}

/** A function that works on a single item passes a list of one to its task. */
function firstOption({ library, input }: Task, source: unknown): Record<string, unknown> {
  const option = optionsOf(input).find(({ name }) => name === library?.first);
  if (!option) return {};
  const isOneOfMany = isKind(option.schema, "array") && !Array.isArray(source);
  return { [option.name]: isOneOfMany ? [source] : source };
}
