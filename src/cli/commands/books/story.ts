import { storyTask } from "../../../tasks/books/story.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { checkedEnding } from "../../output/write-report.ts";
import { taskCommand } from "../../task-command.ts";

const OUT = ["md", "json"] as const;

export const storyCommand = taskCommand(storyTask, {
  flags: {
    out: { type: "string", value: "FILE", help: "write the story bible: .md to read, .json for programs" },
  },
  usage:
    "Give one book and a language model: `fabula story novel.epub --judge openai:gpt-4.1`. `fabula setup` finds the models that work here.",
  examples: [
    "fabula story novel.epub --judge openai:gpt-4.1 --out story.md",
    "fabula story novel.epub --judge openai:gpt-4.1 --out story.json --max-cost 5",
    "fabula story novel.epub --judge openai:gpt-4.1 --depth quick --dry-run",
  ],
  prepare(input, { out }) {
    if (out !== undefined) checkedEnding(out, OUT);
    return input;
  },
  async present(result, { flags: { out, json }, terminal, document, show }) {
    const { plan, story, book, run, unanswered } = result;
    if (plan || story === null) return showPlan(plan!, json, terminal);
    const { storyMarkdown } = await import("../../../report/story-markdown.ts");
    if (out !== undefined) {
      const { writeWholeFile } = await import("../../../core/files.ts");
      const isMarkdown = checkedEnding(out, OUT) === "md";
      await writeWholeFile(out, isMarkdown ? storyMarkdown(book.title, story) : `${document()}\n`);
      if (json) await show(() => "");
      terminal.note(`The story bible: ${out}`);
    } else await show(() => storyMarkdown(book.title, story).trimEnd());
    for (const { question, reason } of unanswered)
      terminal.note(`Not covered: ${questionInWords(question)}, because ${reason}.`);
    terminal.note(runInWords(run));
    return unanswered.length > 0 ? 3 : 0;
  },
});

function questionInWords(question: string): string {
  return question === "close-story" ? "people, threads and what the book is about" : question;
}
