import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, type Flag, type Group, isGroup } from "../../src/cli/command.ts";
import { flagRow } from "../../src/cli/help.ts";
import { ROOT } from "../../src/cli/registry.ts";

/** Command or interface of options → option → what is known about it. */
export type Surface = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Every flag of every command: its value, its help with choices and default as `--help` shows it, and its limits. */
export async function commandSurface(group: Group = ROOT, before = ""): Promise<Surface> {
  const surface: Record<string, Readonly<Record<string, string>>> = {};
  for (const [name, entry] of Object.entries(group.members)) {
    if (isGroup(entry)) Object.assign(surface, await commandSurface(entry, `${before}${name} `));
    else {
      const { flags, operands }: Command = await entry.load();
      const rows = Object.entries(flags).map(([flag, definition]) => [`--${flag}`, described(flag, definition)]);
      surface[before + name] = { operands, ...Object.fromEntries(rows) };
    }
  }
  return surface;
}

function described(name: string, flag: Flag): string {
  const { left, right } = flagRow(name, flag);
  const limits = flag.type === "number" ? [flag.integer ? "whole" : "any", flag.minimum, flag.maximum].join(" ") : "";
  const repeats = flag.type === "string" && flag.repeats ? "repeats" : "";
  return [left, right, limits, repeats].filter(Boolean).join(" | ");
}

/** Every option of the library's functions, by the interface that declares it, and whether it must be given. */
export function librarySurface(): Surface {
  const index = readFileSync("src/index.ts", "utf8");
  const exported = [...index.matchAll(/^export (?:type )?\{([^}]*)\} from "\.\/([^"]+)";/gm)].flatMap(
    ([, names, file]) => names!.split(",").map((name) => ({ name: name.trim().replace(/^type /, ""), file: file! })),
  );
  // What is known about a book is given as an object in an option of many functions.
  const nested = { name: "Metadata", file: "text/manuscript.ts" };
  return Object.fromEntries(
    [nested, ...exported]
      .filter(({ name }) => name === nested.name || /(?:Options|Settings|Services)$/.test(name))
      .sort((one, other) => one.name.localeCompare(other.name))
      .map(({ name, file }) => [name, optionsOf(name, join("src", file))]),
  );
}

function optionsOf(name: string, file: string): Record<string, string> {
  const source = readFileSync(file, "utf8");
  const declaration = new RegExp(`^export interface ${name} (?:extends ([^{]+) )?\\{(?:\\}|\\n([\\s\\S]*?)^\\})`, "m");
  const [, parents = "", body = ""] = declaration.exec(source) ?? [];
  if (body + parents === "") {
    const from = new RegExp(`^(?:im|ex)port [^;]*\\b${name}\\b[^;]* from "([^"]+)";`, "m").exec(source)?.[1];
    if (from === undefined) throw new Error(`${name} is not declared in ${file}`);
    return optionsOf(name, join(file, "..", from));
  }
  const inherited = parents.split(",").flatMap((parent) => (parent.trim() === "" ? [] : [parent.trim()]));
  const own = [...body.matchAll(/^ {2}(?:readonly )?(\w+)(\??)(?=[:(])/gm)];
  return {
    ...Object.assign({}, ...inherited.map((parent) => optionsOf(parent, file))),
    ...Object.fromEntries(own.map(([, option, mark]) => [option, mark === "?" ? "may be given" : "must be given"])),
  };
}

/** What differs between two surfaces: `evaluate --seed` → what was and what is. */
export function differences(before: Surface, now: Surface): Record<string, string> {
  const found: Record<string, string> = {};
  for (const owner of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const [old, own] = [before[owner], now[owner]];
    if (old === undefined || own === undefined) found[owner] = old === undefined ? "is new" : "is gone";
    else {
      for (const option of new Set([...Object.keys(old), ...Object.keys(own)]))
        if (old[option] !== own[option])
          found[`${owner} ${option}`] = `${old[option] ?? "nothing"} → ${own[option] ?? "nothing"}`;
    }
  }
  return found;
}
