import { COMMON_FLAGS, type Command, type Flag, type Group, type HelpList } from "./command.ts";
import { ROOT } from "./registry.ts";

/** The commands grouped by what someone wants to do, in the order in which newcomers need them. */
export const TASKS: Readonly<Record<string, readonly string[]>> = {
  "Judge and improve a book": [
    "evaluate",
    "check",
    "read",
    "demo",
    "map",
    "notes",
    "story",
    "ask",
    "compare",
    "forecast",
    "serve",
  ],
  "For one reader, and for all of them": ["reader", "reviews"],
  "Compare writers and collections": ["bench", "score", "population"],
  "Question answering": ["qa"],
  "Check whether a judge can be trusted": [
    "trust",
    "agree",
    "health",
    "stress",
    "probe",
    "reproduce",
    "replies",
    "prompts",
    "rubric",
  ],
  "Runs and machines": ["runs", "worker", "limits", "mcp", "setup", "settings", "models", "doctor", "completions"],
};

const NARROWEST_COLUMN = 32;

/** Help for one command, wrapped between words at the terminal's width. */
export function commandHelp(
  name: string,
  command: Command,
  width: number,
  // For a command with many flags, shows the common ones, or all of them on request.
  { all = false, list }: { readonly all?: boolean; readonly list?: HelpList | undefined } = {},
): string {
  const flags = Object.entries<Flag>(command.flags);
  const common = flags.filter(([, flag]) => flag.common);
  const isShort = !all && common.length > 0;
  const shown = isShort ? common : flags;
  const under = (title: string | undefined) => shown.filter(([, { group }]) => group === title);
  const titles = new Set(shown.flatMap(([, { group }]) => group ?? []));
  const sections = [
    { title: "Options", rows: rowsOf([...under(undefined), ...Object.entries(COMMON_FLAGS)]) },
    ...[...titles].map((title) => ({ title, rows: rowsOf(under(title)) })),
    ...(list ? [list] : []),
  ];
  return [
    ...wrapped(command.summary, width),
    "",
    `Usage: fabula ${name}${command.operands ? ` ${command.operands}` : ""} [options]`,
    ...sections.flatMap(({ title, rows }) => ["", `${title}:`, ...columns(rows, width)]),
    ...(isShort ? ["", `\`fabula ${name} --help all\` shows the other ${flags.length - common.length} options.`] : []),
    "",
    command.examples.length > 1 ? "Examples:" : "Example:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** Help for a group of commands; the top level lists its commands by purpose. */
export function groupHelp(name: string, group: Group, width: number): string {
  const tasks = group === ROOT ? TASKS : { Commands: Object.keys(group.members) };
  const left = Math.max(...Object.keys(group.members).map((member) => member.length));
  return [
    ...wrapped(group.summary, width),
    "",
    `Usage: ${["fabula", name, "COMMAND"].filter(Boolean).join(" ")} [options]`,
    ...Object.entries(tasks).flatMap(([task, members]) => [
      "",
      `${task}:`,
      ...columns(
        members.map((member) => ({ left: member.padEnd(left), right: group.members[member]!.summary })),
        width,
      ),
    ]),
    "",
    `Every command has its own --help with an example.`,
    "",
  ].join("\n");
}

function rowsOf(flags: readonly (readonly [name: string, flag: Flag])[]): HelpList["rows"] {
  return flags.map(([name, flag]) => flagRow(name, flag));
}

/** A flag in help: its name and value, what it does, its choices and its default. */
export function flagRow(name: string, flag: Flag): HelpList["rows"][number] {
  const value = flag.type === "boolean" ? "" : ` ${flag.value ?? "VALUE"}`;
  return { left: `--${name}${value}`, right: flag.help + suffix(flag) };
}

function suffix(flag: Flag): string {
  if (flag.type === "boolean") return "";
  const choices = flag.type === "string" && flag.choices ? ` (${flag.choices.join(" | ")})` : "";
  return choices + (flag.default === undefined ? "" : ` [${flag.default}]`);
}

function columns(rows: readonly { left: string; right: string }[], width: number): string[] {
  const indent = Math.max(...rows.map(({ left }) => left.length)) + 4;
  // On a narrow terminal, the explanation is below its flag.
  const beside = width - indent >= NARROWEST_COLUMN;
  return rows.flatMap(({ left, right }) => {
    if (!beside) return [`  ${left}`, ...wrapped(right, width - 6).map((line) => `      ${line}`)];
    const [first = "", ...rest] = wrapped(right, width - indent);
    return [`  ${left}`.padEnd(indent) + first, ...rest.map((line) => " ".repeat(indent) + line)];
  });
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
