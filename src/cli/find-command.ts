import { FabulaError } from "../core/errors.ts";
import { type Group, isGroup, type Leaf } from "./command.ts";
import { didYouMean } from "./nearest-name.ts";
import { ROOT } from "./registry.ts";

export type FoundCommand =
  | { readonly kind: "group"; readonly name: string; readonly group: Group }
  | { readonly kind: "command"; readonly name: string; readonly load: Leaf["load"]; readonly rest: readonly string[] };

/** What the first words name: `fabula help evaluate` is `fabula evaluate --help`. */
export function findCommand(given: readonly string[]): FoundCommand {
  const words = given[0] === "help" && given.length > 1 ? [...given.slice(1), "--help"] : given;
  let group = ROOT;
  for (let depth = 0; ; depth++) {
    const path = words.slice(0, depth).join(" ");
    const word = words[depth];
    if (word === undefined || word === "--help" || word === "-h" || word === "help") {
      return { kind: "group", name: path, group };
    }
    const entry = Object.hasOwn(group.members, word) ? group.members[word] : undefined;
    if (!entry) throw unknownCommand(path, word, group);
    const name = words.slice(0, depth + 1).join(" ");
    if (!isGroup(entry)) return { kind: "command", name, load: entry.load, rest: words.slice(depth + 1) };
    group = entry;
  }
}

function unknownCommand(path: string, word: string, group: Group): FabulaError {
  const [command, start] = [
    [path, word],
    ["fabula", path],
  ].map((words) => words.filter(Boolean).join(" "));
  const meant = didYouMean(word, Object.keys(group.members), (name) => `\`${start} ${name}\``);
  return new FabulaError("E_USAGE", `There is no command "${command}".${meant} See \`${start} --help\`.`);
}
