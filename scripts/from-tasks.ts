// Writes the JSON Schemas that ship in assets/schemas: one for each JSON document that Fabula prints, one for rubrics, one for the
// config file. `npm run schemas`; a test fails when they differ from the code.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { configSchema } from "../src/cli/config/config-file.ts";
import { flagName, hasFlag } from "../src/cli/task-command.ts";
import { groupBy } from "../src/core/group-by.ts";
import { rubricSchema } from "../src/criteria/rubric.ts";
import { DOCUMENT_SCHEMAS, type DocumentKind, schemaName } from "../src/report/documents.ts";
import { SENT } from "../src/server/tasks/do-task.ts";
import { inWords } from "../src/tasks/define/check.ts";
import { spending } from "../src/tasks/define/shared-fields.ts";
import { isKind, type Option, optionsOf, type Task } from "../src/tasks/define/task.ts";
import { AS_DECLARED, jsonSchemaOf, wireSchema } from "../src/tasks/define/wire.ts";
import { loadTask, TASKS, type TaskName } from "../src/tasks/registry.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const FOLDER = join("assets", "schemas");

/** File name → what it holds. */
export function jsonSchemas(): ReadonlyMap<string, string> {
  const documents = (Object.keys(DOCUMENT_SCHEMAS) as DocumentKind[]).map((kind): [string, object] => {
    const name = schemaName(kind);
    return [`${name}.json`, { $schema: DIALECT, $id: `${name}.json`, title: name, ...documentSchema(kind) }];
  });
  const files: [string, object][] = [
    ...documents,
    ["rubric.json", { $id: "rubric.json", title: "a rubric file for Fabula", ...converted(rubricSchema) }],
    ["config.json", { $id: "config.json", title: "fabula.config.yaml", ...converted(configSchema) }],
  ];
  return new Map(files.map(([name, schema]) => [name, `${JSON.stringify(schema, null, 1)}\n`]));
}

/** The JSON Schema of a document, with what every document carries. */
function documentSchema(kind: DocumentKind): object {
  const { $schema, ...body } = converted(DOCUMENT_SCHEMAS[kind]);
  return {
    type: "object",
    required: ["schema", "fabula"],
    properties: {
      schema: { const: schemaName(kind) },
      fabula: { type: "string", description: "the version of Fabula that wrote the document" },
    },
    allOf: [body],
  };
}

function converted(schema: z.ZodType) {
  return z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  for (const [name, text] of jsonSchemas()) await writeFile(join(FOLDER, name), text);
}

// Writes what follows from the definitions of tasks: the types of the library's options, the description of the HTTP API, and the
// pages of the reference. `npm run tasks`; a test fails when one of them is stale.

const OPTIONS = join("src", "library", "task-options.ts");
const OPENAPI = join("assets", "openapi.json");
const PAGES = join("docs", "api", "tasks");

/** Where the types that definitions name are declared. */
const TYPES: Readonly<Record<string, string>> = {
  BookInput: "../tasks/define/shared-fields.ts",
  ChapterCorrections: "../text/corrections/chapter-corrections.ts",
  ChatModel: "../models/chat-model.ts",
  CharacterCorrections: "../text/corrections/character-and-story.ts",
  ForecastInput: "../forecast/forecast-input.ts",
  Goal: "../judge/pairwise.ts",
  CommonOptions: "./options.ts",
  Judge: "./options.ts",
  ModelOptions: "./options.ts",
  Prediction: "../qa/scoring/prediction.ts",
  ReaderProfile: "../reader/profile/reader-profile.ts",
  Rubric: "../criteria/rubric.ts",
  Story: "../reader/predictor/story.ts",
};

/** File → what it holds. */
export async function filesFromTasks(): Promise<ReadonlyMap<string, string>> {
  const names = Object.keys(TASKS) as TaskName[];
  const tasks = await Promise.all(names.map(async (name) => ({ name, task: await loadTask(name) })));
  return new Map([
    [OPTIONS, optionTypes(tasks)],
    [OPENAPI, `${JSON.stringify(openApi(tasks), null, 1)}\n`],
    [join(PAGES, "README.md"), listPage(tasks)],
    ...tasks.map(({ name, task }): [string, string] => [join(PAGES, `${name}.md`), taskPage(name, task)]),
  ]);
}

interface NamedTask {
  readonly name: TaskName;
  readonly task: Task;
}

function optionTypes(tasks: readonly NamedTask[]): string {
  const shared = sharedOptions(tasks);
  const body = [
    ...shared.map(({ name, about, lines }) => `/** ${about} */\nexport interface ${name} {\n${lines.join("\n")}\n}\n`),
    ...tasks.map((task) => interfaceOf(task, shared)),
    taskInputs(tasks),
  ].join("\n");
  const used = Object.entries(TYPES).filter(([name]) => new RegExp(`\\b${name}\\b`).test(body));
  const imports = [...groupBy(used, ([, file]) => file)].map(
    ([file, types]) => `import type { ${types.map(([name]) => name).join(", ")} } from "${file}";\n`,
  );
  return `// Written by \`npm run tasks\` from the definitions of the tasks.\n${imports.join("")}\n${body}`;
}

/** Options that many tasks have in the same words. */
interface SharedOptions {
  readonly name: string;
  readonly about: string;
  readonly lines: readonly string[];
}

const RUN = Object.keys(spending);

/** The options of a run, in the forms that most tasks have: of tasks that ask models, and of those that may ask one. */
function sharedOptions(tasks: readonly NamedTask[]): SharedOptions[] {
  const forms = groupBy(
    tasks.map(({ task }) => membersNamed(RUN, optionsOf(task.input)).join("\n")).filter((form) => form !== ""),
    (form) => form,
  );
  const [most, next] = [...forms.values()].sort((one, other) => other.length - one.length);
  return [
    { name: "RunOptions", about: "What a run that asks models takes.", lines: most![0]!.split("\n") },
    { name: "OptionalRunOptions", about: "The same, where a model may be asked.", lines: next![0]!.split("\n") },
  ];
}

/** The lines of these options; none where one of them is missing. */
function membersNamed(names: readonly string[], all: readonly Option[]): string[] {
  const own = all.filter((option) => names.includes(option.name));
  return own.length < names.length ? [] : members(own, all, "");
}

/** What a function of the library takes as options, or `runTask` where there is no such function. */
function interfaceOf({ name, task: { library, input } }: NamedTask, shared: readonly SharedOptions[]): string {
  const all = optionsOf(input);
  const asksModels = all.some((option) => option.name === "maxCost");
  const form = membersNamed(RUN, all).join("\n");
  const run = shared.find(({ lines }) => lines.join("\n") === form);
  const parents = [asksModels ? "ModelOptions" : "CommonOptions", ...(run ? [run.name] : [])];
  const own = all.filter((option) => option.name !== library?.first && !(run && RUN.includes(option.name)));
  return [
    `/** ${library ? `Options of \`${library.function}\`` : `What \`runTask("${name}", …)\` takes`}. */`,
    `export interface ${inputName(name, library)} extends ${parents.join(", ")} {`,
    ...members(own, all, ""),
    "}\n",
  ].join("\n");
}

function inputName(name: TaskName, library: Task["library"]): string {
  return library?.options ?? `${name.replace(/(?:^|-)(\w)/g, (_whole, letter: string) => letter.toUpperCase())}Input`;
}

function taskInputs(tasks: readonly NamedTask[]): string {
  const rows = tasks.map(({ name, task: { library, input } }) => {
    const first = optionsOf(input).find((option) => option.name === library?.first);
    const more = first ? ` & { readonly ${first.name}: ${typeOf(first)} }` : "";
    return `  readonly "${name}": ${inputName(name, library)}${more};`;
  });
  return ["/** What each task takes, by its name. */", "export interface TaskInputs {", ...rows, "}\n"].join("\n");
}

function members(options: readonly Option[], all: readonly Option[], before: string): string[] {
  const indent = before === "" ? "  " : "    ";
  const done = new Set<string>();
  return options.flatMap((option) => {
    const [name = "", inner] = option.name.slice(before.length).split(".");
    if (done.has(name)) return [];
    done.add(name);
    if (inner === undefined) {
      const mark = option.isRequired ? "" : "?";
      return [`${indent}/** ${sentenceOf(option, all)} */`, `${indent}readonly ${name}${mark}: ${typeOf(option)};`];
    }
    const within = `${before}${name}.`;
    const own = options.filter((other) => other.name.startsWith(within));
    return [`${indent}readonly ${name}?: {`, ...members(own, all, within), `${indent}};`];
  });
}

/** What an option is, with its default and when it applies, as a sentence. */
function sentenceOf({ name, description, default: standard, group }: Option, all: readonly Option[]): string {
  const words = inWords(description, all, { name: "", spell: AS_DECLARED }, name);
  const about =
    standard === undefined ? words : `${words} [${Array.isArray(standard) ? standard.join(",") : standard}]`;
  return `${about[0]!.toUpperCase()}${about.slice(1)}.${group ? ` ${group.title}.` : ""}`;
}

function typeOf({ type, schema }: Pick<Option, "type" | "schema">): string {
  if (type !== undefined) return type;
  if (isKind(schema, "string")) return "string";
  if (isKind(schema, "number")) return "number";
  if (isKind(schema, "boolean")) return "boolean";
  if (isKind(schema, "enum")) return (schema as z.ZodEnum).options.map((option) => JSON.stringify(option)).join(" | ");
  const { element, items } = schema.def as unknown as { readonly element?: z.ZodType; readonly items?: z.ZodType[] };
  if (element) return `readonly ${inBrackets(typeOf({ schema: element }))}[]`;
  if (items) return `readonly [${items.map((item) => typeOf({ schema: item })).join(", ")}]`;
  throw new Error("a schema that is neither text nor a number, a switch nor a list needs a `type` in its notes");
}

function inBrackets(type: string): string {
  return /\W/.test(type) ? `(${type})` : type;
}

/** The description of the HTTP API, for programs that make clients from it. */
function openApi(tasks: readonly NamedTask[]): object {
  const offered = tasks.flatMap(({ name, task }) => {
    const input = wireSchema(task, SENT);
    return input ? [{ name, task, input: jsonSchemaOf(input) }] : [];
  });
  const answer = (description: string, schema: object) => ({
    description,
    content: { "application/json": { schema } },
  });
  const problem = {
    type: "object",
    required: ["code", "message"],
    properties: { code: { type: "string" }, message: { type: "string" } },
  };
  return {
    openapi: "3.1.0",
    info: {
      title: "Fabula",
      version: "1",
      description:
        "Tasks over HTTP, as `fabula serve` offers them. Send a token as a bearer token: the server's own, or one with the scope `run` that `fabula serve --program-tokens` prints; one with the scope `read` cannot have tasks done. With accept: text/event-stream the answer is a stream of `progress` events that ends with a `result` or a `problem`.",
    },
    security: [{ token: [] }],
    paths: Object.fromEntries(
      offered.map(({ name, task, input }) => [
        `/api/v1/tasks/${name}`,
        {
          post: {
            operationId: name,
            summary: task.summary,
            requestBody: { required: true, content: { "application/json": { schema: input } } },
            responses: {
              200: answer("the result", { $ref: `#/components/schemas/${task.output.kind}` }),
              default: answer("what went wrong, in one sentence", { $ref: "#/components/schemas/problem" }),
            },
          },
        },
      ]),
    ),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "the server's token, or a program's with the scope run" },
      },
      schemas: {
        problem,
        ...Object.fromEntries(offered.map(({ task: { output } }) => [output.kind, documentSchema(output.kind)])),
      },
    },
  };
}

const WRITTEN = "Written by `npm run tasks` from the definitions of the tasks.";

function listPage(tasks: readonly NamedTask[]): string {
  const rows = tasks.map(({ name, task }) => `| [${task.name}](${name}.md) | ${task.summary} |`);
  return `# Tasks\n\nWhat Fabula does, each with its options on the command line, in the library and over HTTP. ${WRITTEN}\n\n| task | |\n| --- | --- |\n${rows.join("\n")}\n`;
}

function taskPage(name: TaskName, task: Task): string {
  const options = optionsOf(task.input);
  const isOffered = wireSchema(task, SENT) !== null;
  const ways = [
    `- Document: \`${schemaName(task.output.kind)}\``,
    ...(task.library
      ? [`- Library: [\`${task.library.function}\`](../README.md#${task.library.function.toLowerCase()})`]
      : []),
    ...(isOffered ? [`- HTTP: \`POST /api/v1/tasks/${name}\``] : []),
  ];
  const rows = options.map((option) => {
    const cells = [
      `\`${option.name}\`${option.isRequired ? " (required)" : ""}`,
      hasFlag(option) ? `\`--${flagName(option)}\`` : option.operand ? `\`${option.operand}\`` : "",
      `\`${typeOf(option)}\``,
      isOffered && option.remote ? "yes" : "",
      sentenceOf(option, options),
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return [
    `# ${task.name}`,
    "",
    task.summary,
    "",
    ...ways,
    "",
    "| option | command line | type | over HTTP | |",
    "| --- | --- | --- | --- | --- |",
    ...rows,
    "",
    WRITTEN,
    "",
  ].join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  rmSync(PAGES, { recursive: true, force: true });
  for (const [file, text] of await filesFromTasks()) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
