import { countOf } from "../../../core/wording.ts";
import { plainLine } from "../../../report/markup.ts";
import { checkTask, checkTextsTask } from "../../../tasks/books/check.ts";
import { runInWords } from "../../output/run-wording.ts";
import { showPlan } from "../../output/show-plan.ts";
import { jsonOnly, otherWay, taskCommand } from "../../task-command.ts";

export const checkCommand = taskCommand(checkTask, {
  flags: {
    out: { type: "string", value: "FILE", help: "write the findings as JSON; with --in, one line per text" },
  },
  rules: [jsonOnly("findings", "`fabula evaluate FILE --out letter.html` writes them as a letter")],
  usage: "Give at least one book: `fabula check novel.epub`. For many texts use --in.",
  examples: [
    "fabula check novel.epub",
    "fabula check draft.docx --out findings.json",
    "fabula check novel.epub --judge openai:gpt-4.1 --max-cost 5",
    "fabula check --in texts.jsonl --out findings.jsonl",
  ],
  async present({ result: { books, failed }, plan, run }, { flags: { out, json }, terminal, document, show }) {
    if (plan) return showPlan(plan, json, terminal);
    if (out !== undefined) {
      const { writeWholeFile } = await import("../../../core/files.ts");
      await writeWholeFile(out, `${document()}\n`);
    }
    await show(async () => {
      const { default: pc } = await import("picocolors");
      const { describeChecks } = await import("../../output/check-wording.ts");
      return books.map((book) => describeChecks(book, pc.createColors(terminal.colours)).join("\n")).join("\n\n");
    });
    if (out !== undefined) terminal.note(`All findings: ${out}`);
    for (const { reason } of failed) terminal.note(`fabula: ${reason}`);
    const missing = books.flatMap(({ title, unanswered = [] }) => unanswered.map((one) => ({ title, ...one })));
    for (const { title, question, reason } of missing)
      terminal.note(`Not covered in ${plainLine(title)}: ${question}, because ${reason}.`);
    if (run) terminal.note(runInWords(run));
    return failed.length > 0 ? 1 : missing.length > 0 ? 3 : 0;
  },
  others: [
    otherWay(checkTextsTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give either FILEs or --in, not both.",
      async present({ result, plan, run }, { flags, terminal, document }) {
        const { texts, findings, out, unanswered = 0 } = result;
        if (plan) return showPlan(plan, flags.json, terminal);
        if (flags.json && out !== "-") terminal.print(document());
        else terminal.note(`${countOf(texts, "text")} checked, ${countOf(findings, "finding")}.`);
        if (run) terminal.note(runInWords(run));
        return unanswered > 0 ? 3 : 0;
      },
    }),
  ],
});
