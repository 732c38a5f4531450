import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { benchPrepareTask } from "../../../tasks/bench/benchmark.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchPrepareTask, {
  usage: "Give the novels: `fabula bench prepare corpus/*.epub --out bench/`.",
  examples: [
    "fabula bench prepare corpus/ --out bench/                         (every book in the folder)",
    "fabula bench prepare corpus/*.epub --out bench/",
    "fabula bench prepare corpus/*.txt --out bench/ --minimum-works 2",
  ],
  async present({ novels, excluded, languages, warnings }, { input, flags: { json }, terminal, show }) {
    await show(() =>
      [
        `${countOf(novels, "novel")} with ${countOf(input.chapters, "chapter")} each; ${excluded.length} left out.`,
        ...excluded.slice(0, 20).map(({ file, reason }) => `  ${file}: ${reason}`),
        ...(excluded.length > 20 ? [`  … and ${excluded.length - 20} more in manifest.json`] : []),
      ].join("\n"),
    );
    if (!json) {
      const counts = Object.entries(languages).map(([language, count]) => `${language} ${count}`);
      if (counts.length > 1)
        terminal.note(`Several languages (${counts.join(", ")}): prepare a folder for each before you compare.`);
      if (novels > 0 && !("en" in languages) && !("unknown" in languages))
        terminal.note(
          "The embedded grader reads English only: name a language model when you build, such as `--judge openai:gpt-4o`.",
        );
      for (const { file, warning } of warnings) terminal.note(`${file}: ${warning}`);
    }
    if (novels === 0) throw new FabulaError("E_BENCH_EMPTY", "No novel is left: see the reasons above.");
    return 0;
  },
});
