import { describe, expect, it } from "vitest";
import { FabulaError } from "../core/errors.ts";
import { type Group, isGroup, parseInvocation, refuseOperands } from "./command.ts";
import { ROOT } from "./registry.ts";
import { findCommand } from "./run.ts";

/** The message for these arguments, before the command does anything. */
async function sentenceFor(...words: string[]): Promise<string> {
  try {
    const found = findCommand(words);
    if (found.kind !== "command") return "";
    const command = await found.load();
    const { operands, values, isGiven } = parseInvocation(found.name, command.flags, found.rest);
    refuseOperands(found.name, command, operands);
    command.check?.({ operands, flags: values as never, isGiven });
    return "";
  } catch (error) {
    if (error instanceof FabulaError && error.code === "E_USAGE") return error.message;
    throw error;
  }
}

async function commandsWith(flag: string, group: Group = ROOT, before = ""): Promise<string[]> {
  const names: string[] = [];
  for (const [name, entry] of Object.entries(group.members)) {
    if (isGroup(entry)) names.push(...(await commandsWith(flag, entry, `${before}${name} `)));
    else if (flag in (await entry.load()).flags) names.push(`${before}${name}`);
  }
  return names;
}

describe("a flag that would do nothing is rejected with a sentence", () => {
  it.each([
    ["--batch"],
    ["--max-cost", "5"],
    ["--temperature", "0"],
    ["--protocol", "novelcritique"],
    ["--segment-words", "900"],
    ["--concurrency", "4"],
    ["--no-definitions"],
  ])("with the embedded judge: %s", async (...words) => {
    expect(await sentenceFor("evaluate", "novel.md", ...words)).toContain(`${words[0]} is for language models`);
  });

  it.each([["--aspects", "plot"], ["--runs", "2"], ["--until-ci", "3"], ["--protocol", "rubric"], ["--outline"]])(
    "with --against RUN: %s",
    async (...words) => {
      const sentence = await sentenceFor(
        ...["evaluate", "novel.md", "--judge", "openai:gpt-4.1", "--against", "20260101-000000-abcd", ...words],
      );
      expect(sentence).toContain(`leave ${words[0]} out`);
    },
  );

  it.each([
    [["evaluate", "novel.md", "--judge", "openai:a", "--panel", "openai:b,openai:c"], "leave --judge out"],
    [["evaluate", "novel.md", "other.md", "--title", "Both"], "--title names one book"],
    [["read", "novel.md", "other.md", "--title", "Both"], "--title names one book"],
    [["read", "novel.md", "--language", "english"], "--language takes a two-letter code"],
    [["evaluate", "novel.md", "--profiles", "readers"], "--profiles goes with --as"],
    [["compare", "novel.md", "other.md", "--max-cost", "5"], "--max-cost is for language models"],
    [["compare", "novel.md", "other.md", "--judge", "openai:a", "--detach"], "Unknown option '--detach'"],
    [["bench", "build", "bench", "--rubric", "novel-bench-zh"], "--rubric is for language models"],
    [["qa", "score", "--in", "a.jsonl", "--max-cost", "1"], "--max-cost goes with --judge"],
    [["evaluate", "novel.md", "--judge", "openai:a", "--judge", "openai:b"], "--judge is given 2 times"],
    [["qa", "clean", "--in", "a.jsonl", "b.jsonl"], 'leave "b.jsonl" out'],
    [
      ["reviews", "export", "--out", "training", "--test-books", "a.txt", "--test-share", "0.2"],
      "leave --test-share out",
    ],
    [["bench", "build", "one", "two"], 'leave "two" out'],
    [
      ["reader", "rank", "--books", "shelf", "--profile", "ada", "--max-cost", "1"],
      "--max-cost is for language models",
    ],
    [["reader", "rank", "--books", "shelf", "--profile", "ada", "--batch"], "--batch is for language models"],
    [
      ["reader", "rank", "--books", "shelf", "--profile", "ada", "--temperature", "2"],
      "--temperature is for language models",
    ],
    [["reader", "rank", "--books", "shelf", "--profile", "ada", "--k", "9"], "--k is for language models"],
    [["reader", "rank", "--books", "shelf", "--profile", "ada", "--orders", "9"], "--orders is for language models"],
    [["reader", "curve", "--in", "pairs.jsonl", "--max-cost", "1"], "--max-cost is for language models"],
    [["reader", "curve", "--in", "pairs.jsonl", "--temperature", "0"], "--temperature is for language models"],
    [
      ["bench", "leaderboard", "novels", "--writers", "w.txt", "--out", "site", "--rubric", "novel-bench-zh"],
      "--rubric is for judges that are language models",
    ],
    [
      ["evaluate", "novel.md", "--judge", "openai:a", "--against", "20260101-000000-abcd", "--detach"],
      "leave --detach out",
    ],
    [
      ["evaluate", "novel.md", "--judge", "openai:a", "--method", "one-pass", "--summariser", "openai:b"],
      "leave --summariser out",
    ],
    [["evaluate", "--in", "books.jsonl", "--judge", "openai:a", "--summariser", "openai:b"], "leave --summariser out"],
    [["serve", "--drain-seconds", "9999999"], "--drain-seconds 9999999 is not a number from 0 to 86400"],
  ])("%j", async (words, sentence) => {
    expect(await sentenceFor(...words)).toContain(sentence);
  });
});

describe("--detach", () => {
  it("leaves work to the workers, or is rejected with a sentence: no command ignores it", async () => {
    const sharing: string[] = [];
    for (const name of await commandsWith("detach")) {
      const sentence = await sentenceFor(...name.split(" "), "--detach");
      if (sentence === "" || / needs --\w+\.|^Give /.test(sentence)) sharing.push(name);
      else expect(sentence, name).toContain("leave --detach out");
    }
    // Each of these calls `runHereOrShared`.
    expect(sharing.sort()).toEqual([
      ...["bench build", "bench run", "evaluate", "qa answer", "qa refine", "reviews structure", "score"],
    ]);
  });
});

describe("a mistyped name", () => {
  it.each([
    [["evalute", "novel.md"], "Did you mean `fabula evaluate`?"],
    [["runs", "exprot"], "Did you mean `fabula runs export`?"],
    [["reader", "profile", "improt"], "Did you mean `fabula reader profile import`?"],
    [["evaluate", "novel.md", "--jduge", "openai:a"], "Did you mean --judge?"],
    [["evaluate", "novel.md", "--maxcost", "5"], "Did you mean --max-cost?"],
  ])("is answered with the nearest one: %j", async (words, offer) => {
    expect(await sentenceFor(...words)).toContain(offer);
  });

  it("is not answered with a name that nobody meant", async () => {
    expect(await sentenceFor("evaluate", "novel.md", "--zzz")).not.toContain("Did you mean");
  });
});

describe("a command that reads lines of JSON", () => {
  it("tells those who give it a book which command judges one", async () => {
    expect(await sentenceFor("score", "novel.epub")).toContain("use `fabula evaluate FILE`");
  });
});
