import { COMMON_FLAGS, type Group, isGroup } from "../command.ts";
import type { Flags } from "../flags/flag.ts";

/** What may follow a command: the names of its members, or its flags, and for some flags the values they take. */
export interface CompletionRow {
  /** `bench run`; empty for `fabula` itself. */
  readonly path: string;
  readonly words: readonly string[];
  readonly choices: Readonly<Record<string, readonly string[]>>;
}

/** One row for each command and group. */
export async function completionTable(group: Group, path = ""): Promise<CompletionRow[]> {
  const rows: CompletionRow[] = [{ path, words: Object.keys(group.members), choices: {} }];
  for (const [name, entry] of Object.entries(group.members)) {
    const inner = path === "" ? name : `${path} ${name}`;
    if (isGroup(entry)) rows.push(...(await completionTable(entry, inner)));
    else rows.push(rowOf(inner, (await entry.load()).default.flags));
  }
  return rows;
}

function rowOf(path: string, own: Flags): CompletionRow {
  const flags: Flags = { ...own, ...COMMON_FLAGS };
  const choices = Object.entries(flags).flatMap(([flag, definition]) =>
    definition.type === "string" && definition.choices ? [[`--${flag}`, definition.choices] as const] : [],
  );
  return { path, words: Object.keys(flags).map((flag) => `--${flag}`), choices: Object.fromEntries(choices) };
}
