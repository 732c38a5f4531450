import { describe, expect, it } from "vitest";
import { type Command, type FlagWord, type Group, isGroup } from "./command.ts";
import { ROOT } from "./registry.ts";
import { findCommand, shutdownBehaviour } from "./run.ts";

async function commandsOf(group: Group, before = ""): Promise<[name: string, Command][]> {
  const members = Object.entries(group.members).map(async ([name, entry]): Promise<[string, Command][]> => {
    if (isGroup(entry)) return commandsOf(entry, `${before}${name} `);
    return [[`${before}${name}`, await entry.load()]];
  });
  return (await Promise.all(members)).flat();
}

/** Every way in which a user can name a model, or a file of models, for a command that may cost money. */
async function waysToNameModels(): Promise<[command: string, flag: string][]> {
  const paying = (await commandsOf(ROOT)).filter(([, { flags }]) => "max-cost" in flags);
  return paying.flatMap(([name, { flags }]) =>
    Object.entries(flags)
      .filter(([flag, { value }]) => /model|judge|panel|writer|summariser/.test(flag) || value === "MODEL")
      // BERTScore is computed on this machine.
      .filter(([flag, { type }]) => type === "string" && flag !== "bert-score")
      .map(([flag]): [string, string] => [name, flag]),
  );
}

async function mustFinish(name: string, given: Readonly<Record<string, FlagWord>>): Promise<boolean> {
  const found = findCommand(name.split(" "));
  if (found.kind !== "command") throw new Error(`${name} is no command`);
  const command = await found.load();
  const usual = (flag: string) => {
    const definition = command.flags[flag];
    return definition && "default" in definition ? definition.default : undefined;
  };
  return shutdownBehaviour(command, (flag) => given[flag] ?? usual(flag)).mustFinish;
}

const ways = await waysToNameModels();

describe("`| head` and a second SIGTERM lose no call that is paid for", () => {
  it.each(ways)("fabula %s --%s", async (name, flag) => {
    expect(await mustFinish(name, { [flag]: "openai:gpt-4.1" })).toBe(true);
  });

  it("covers the most expensive command", () => {
    const flags = ways.filter(([name]) => name === "bench leaderboard").map(([, flag]) => flag);
    expect(flags.sort()).toEqual(["judges", "synopses", "writers"]);
  });
});

describe("a command that pays for nothing ends at once", () => {
  it.each([
    ["read", {}],
    ["evaluate", { judge: "editor" }],
    ["evaluate", { judge: "openai:gpt-4.1", "dry-run": true }],
    ["qa score", {}],
    ["reader dataset", {}],
    ["bench build", { panel: "grader" }],
  ])("fabula %s %j", async (name, given) => {
    expect(await mustFinish(name, given)).toBe(false);
  });
});
