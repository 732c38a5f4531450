import { COMMON_FLAGS, type Command, type Group, type HelpList } from "./command.ts";
import type { Flag, Flags } from "./flags/flag.ts";
import { ROOT } from "./registry.ts";
import { TASKS } from "./tasks.ts";

const NARROWEST_COLUMN = 32;

/** Help for one command, wrapped between words at the terminal's width. */
export function commandHelp(name: string, command: Command, width: number, list?: HelpList): string {
  const flags: Flags = { ...command.flags, ...COMMON_FLAGS };
  const rows = Object.entries(flags).map(([flag, definition]) => ({
    left: `--${flag}${definition.type === "boolean" ? "" : ` ${definition.value ?? "VALUE"}`}`,
    right: definition.help + suffix(definition),
  }));
  return [
    ...wrapped(command.summary, width),
    "",
    `Usage: fabula ${name}${command.operands ? ` ${command.operands}` : ""} [options]`,
    "",
    "Options:",
    ...columns(rows, width),
    ...(list ? ["", `${list.title}:`, ...columns(list.rows, width)] : []),
    "",
    command.examples.length > 1 ? "Examples:" : "Example:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

/** Help for a group of commands; those of the command line itself stand under what they are for. */
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

function suffix(flag: Flag): string {
  if (flag.type === "boolean") return "";
  const choices = flag.type === "string" && flag.choices ? ` (${flag.choices.join(" | ")})` : "";
  return choices + (flag.default === undefined ? "" : ` [${flag.default}]`);
}

function columns(rows: readonly { left: string; right: string }[], width: number): string[] {
  const indent = Math.max(...rows.map(({ left }) => left.length)) + 4;
  // On a narrow terminal the explanation stands under its flag.
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
