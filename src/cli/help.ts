import { COMMON_FLAGS, type Command } from "./command.ts";
import type { Flag, Flags } from "./flags/flag.ts";
import type { Group } from "./registry.ts";

export function commandHelp(name: string, command: Command): string {
  const flags: Flags = { ...command.flags, ...COMMON_FLAGS };
  const rows = Object.entries(flags).map(([flag, definition]) => ({
    left: `--${flag}${definition.type === "boolean" ? "" : ` ${definition.value ?? "VALUE"}`}`,
    right: definition.help + suffix(definition),
  }));
  return [
    command.summary,
    "",
    `Usage: fabula ${name}${command.operands ? ` ${command.operands}` : ""} [options]`,
    "",
    "Options:",
    ...columns(rows),
    "",
    command.examples.length > 1 ? "Examples:" : "Example:",
    ...command.examples.map((example) => `  ${example}`),
    "",
  ].join("\n");
}

export async function groupHelp(name: string, group: Group): Promise<string> {
  const rows = Object.entries(group.members).map(([member, { summary }]) => ({ left: member, right: summary }));
  return [
    group.summary,
    "",
    `Usage: ${["fabula", name, "COMMAND"].filter(Boolean).join(" ")} [options]`,
    "",
    "Commands:",
    ...columns(rows),
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

function columns(rows: readonly { left: string; right: string }[]): string[] {
  const width = Math.max(...rows.map(({ left }) => left.length));
  return rows.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`);
}
