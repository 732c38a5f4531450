import { terminalBenchmark } from "../../../report/bench/terminal-benchmark.ts";
import { benchSiteTask } from "../../../tasks/bench/frozen.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchSiteTask, {
  usage: "Give a frozen benchmark: `fabula bench site board-v1 --out site/`.",
  examples: ["fabula bench site board-v1 --out site/"],
  async present({ site, folder, data, incomplete }, { show, terminal }) {
    await show(() => terminalBenchmark(data.benchmark, { colours: terminal.colours }));
    for (const { writer, judges } of incomplete)
      terminal.note(
        `${writer} has no scores of ${judges.join(", ")} and is not on the board: run \`fabula bench extend ${folder}\`.`,
      );
    terminal.note(`The site is in ${site}: open ${site}/index.html.`);
    return incomplete.length > 0 || data.benchmark.board.unplaced.length > 0 ? 3 : 0;
  },
});
