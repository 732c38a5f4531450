import type { ReadVerdict } from "../../../judge/replies/on-scale.ts";
import { repliesTask } from "../../../tasks/books/replies.ts";
import { taskCommand } from "../../task-command.ts";

export const repliesCommand = taskCommand(repliesTask, {
  usage: "Name the files that hold the replies, or - for standard input.",
  examples: ["fabula replies gpt-4o/*.md --rubric long-story", "fabula replies saved.jsonl --scale 1-5 --json"],
  async present(replies, { terminal, show }) {
    await show(() => replies.flatMap((reply) => linesOf(reply)).join("\n"));
    const verdicts = replies.flatMap(({ aspects, overall }) => [overall, ...Object.values(aspects)]);
    const unscored = verdicts.filter(({ kind }) => kind === "unscored").length;
    if (unscored === 0) return 0;
    terminal.note(`Exit code 3: ${unscored} of ${verdicts.length} verdicts are unscored, each with its reason.`);
    return 3;
  },
});

interface Reply {
  readonly file: string;
  readonly id?: string;
  readonly aspects: Readonly<Record<string, ReadVerdict>>;
  readonly overall: ReadVerdict;
}

function linesOf({ file, id, aspects, overall }: Reply): string[] {
  return [
    [file, id].filter(Boolean).join(" · "),
    ...Object.entries({ ...aspects, overall }).map(([name, verdict]) => `  ${name.padEnd(14)} ${inWords(verdict)}`),
  ];
}

function inWords(verdict: ReadVerdict): string {
  if (verdict.kind === "unscored") return `unscored: ${verdict.reason}`;
  const { score, written } = verdict;
  return written ? `${score} (written as ${written.value}/${written.outOf})` : String(score);
}
