import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { askTask, mapTask, mapTextsTask, readTask, storyTask } from "../../../tasks/books/explore.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { checkedEnding } from "../../output/write-report.ts";
import { jsonOnly, otherWay, taskCommand } from "../../task-command.ts";

export const readCommand = taskCommand(readTask, {
  flags: {
    "show-removed": { type: "boolean", help: "print what was removed and by which rule" },
    why: { type: "boolean", help: "print how the chapters were found, and what else was considered" },
  },
  usage: "Give at least one book: `fabula read novel.epub`.",
  examples: [
    "fabula read novel.epub",
    "fabula read drafts/            (a folder of chapter files is one book)",
    "fabula read library/           (a folder of EPUBs, or of folders with a book each, is many)",
    "fabula read 1342-0.txt --show-removed",
    "fabula read library/*.epub --json",
    "fabula read - < draft.txt      (standard input)",
  ],
  async present({ books, failed }, { flags, terminal, show }) {
    await show(async () => {
      const { default: pc } = await import("picocolors");
      const { bookListing } = await import("../../../report/book-listing.ts");
      const colours = pc.createColors(terminal.colours);
      return books
        .map((book) => bookListing(book, { showRemoved: flags["show-removed"], why: flags.why }, colours))
        .join("");
    });
    for (const { reason } of failed) terminal.note(`fabula: ${reason}`);
    return failed.length > 0 ? 1 : 0;
  },
});

export const mapCommand = taskCommand(mapTask, {
  flags: {
    out: { type: "string", value: "FILE", help: "write the whole map as JSON; with --in, one line per text" },
  },
  rules: [jsonOnly("map", "`fabula evaluate FILE --out report.html` draws it")],
  usage: "Give one book: `fabula map novel.epub`. For many texts use --in.",
  examples: [
    "fabula map novel.epub",
    "fabula map novel.docx --out map.json",
    "fabula map novel.epub --corrections characters.json",
    "fabula map novel.epub --reference my-novels.json",
    "fabula map --in texts.jsonl --out maps.jsonl",
  ],
  async present(map, { flags: { out }, terminal, document, show }) {
    if (out !== undefined) {
      const { writeWholeFile } = await import("../../../core/files.ts");
      await writeWholeFile(out, `${document()}\n`);
    }
    await show(async () => {
      const { describeMap } = await import("../../output/map-wording.ts");
      return describeMap(map).join("\n");
    });
    if (out !== undefined) terminal.note(`The whole map: ${out}`);
    return 0;
  },
  others: [
    otherWay(mapTextsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give a FILE or --in, not both.",
      async present({ texts, out }, { flags, terminal, document }) {
        if (flags.json && out !== "-") terminal.print(document());
        else terminal.note(`${countOf(texts, "text")} mapped.`);
        return 0;
      },
    }),
  ],
});

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

export const askCommand = taskCommand(askTask, {
  usage:
    'Give one book and a question in quotation marks: `fabula ask novel.epub "Who hid the key?" --judge openai:gpt-4.1`.',
  examples: [
    'fabula ask novel.epub "When does Voss learn of the damper?" --judge openai:gpt-4.1',
    'fabula ask novel.epub "Who knows that the will was forged?" --judge anthropic:claude-sonnet-4-5 --json',
  ],
  async present({ plan, answer, reason, run }, { flags: { json }, terminal, show }) {
    if (plan) return showPlan(plan, json, terminal);
    await show(() => {
      if (!answer) return `No answer: ${reason}.`;
      if (answer.isUnsupported) return "No answer: what the model quotes for it is not in the book.";
      return [
        answer.said ? plainLine(answer.answer) : `The book does not say. ${plainLine(answer.answer)}`.trim(),
        ...answer.passages.map(({ chapter, quote }) => `  Chapter ${chapter}: “${plainLine(quote)}”`),
      ].join("\n");
    });
    if (answer?.shown === "parts")
      terminal.note("The book does not fit the model: it was shown the parts that share the question's words.");
    if (answer && answer.quotationsMissing > 0)
      terminal.note(`Left out: ${countOf(answer.quotationsMissing, "quotation")} not in the book.`);
    terminal.note(runInWords(run));
    return answer && !answer.isUnsupported ? 0 : 3;
  },
});
