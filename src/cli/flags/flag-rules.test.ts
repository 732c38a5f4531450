import { describe, expect, it } from "vitest";
import { FabulaError } from "../../core/errors.ts";
import { parseInvocation, refuseOperands } from "../command.ts";
import { findCommand } from "../find-command.ts";

/** The sentence that these words are answered with, before the command does anything. */
async function sentenceFor(...words: string[]): Promise<string> {
  try {
    const found = findCommand(words);
    if (found.kind !== "command") return "";
    const { default: command } = await found.load();
    const { operands } = parseInvocation(found.name, command.flags, found.rest);
    refuseOperands(found.name, command, operands);
    return "";
  } catch (error) {
    if (error instanceof FabulaError && error.code === "E_USAGE") return error.message;
    throw error;
  }
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
    [["evaluate", "novel.md", "--judge", "openai:gpt-4.1", "--seed", "3"], "--seed is no longer used"],
    [["evaluate", "novel.md", "--judge", "openai:a", "--panel", "openai:b,openai:c"], "leave --judge out"],
    [["evaluate", "novel.md", "other.md", "--title", "Both"], "--title names one book"],
    [["read", "novel.md", "other.md", "--title", "Both"], "--title names one book"],
    [["read", "novel.md", "--language", "english"], "--language takes a two-letter code"],
    [["evaluate", "novel.md", "--profiles", "readers"], "--profiles goes with --as"],
    [["compare", "novel.md", "other.md", "--max-cost", "5"], "--max-cost is for language models"],
    [["compare", "novel.md", "other.md", "--judge", "openai:a", "--detach"], "leave --detach out"],
    [["bench", "build", "bench", "--rubric", "novel-bench-zh"], "--rubric is for language models"],
    [["qa", "score", "--in", "a.jsonl", "--max-cost", "1"], "--max-cost goes with --judge"],
    [["evaluate", "novel.md", "--judge", "openai:a", "--judge", "openai:b"], "--judge is given 2 times"],
    [["qa", "clean", "--in", "a.jsonl", "b.jsonl"], 'leave "b.jsonl" out'],
    [["reviews", "export", "--test-books", "a.txt", "--test-share", "0.2"], "leave --test-share out"],
    [["bench", "build", "one", "two"], 'leave "two" out'],
  ])("%j", async (words, sentence) => {
    expect(await sentenceFor(...words)).toContain(sentence);
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
