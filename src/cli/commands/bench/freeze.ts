import { countOf } from "../../../core/wording.ts";
import { benchFreezeTask } from "../../../tasks/bench/frozen.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchFreezeTask, {
  usage: "Give a benchmark's folder: `fabula bench freeze site.bench --out board-v1`.",
  examples: [
    "fabula bench freeze site.bench --out board-v1",
    "fabula bench freeze site.bench --previous board-v1 --out board-v2",
  ],
  async present({ folder, version, novels, chapters, judges, writers, added }, { show }) {
    await show(() => {
      const news =
        version === 1
          ? ""
          : ` New: ${countOf(added.novels.length, "novel")}, ${countOf(added.judges.length, "judge")}.`;
      return `${folder}: version ${version}, ${countOf(novels, "novel")} (${countOf(chapters, "chapter")}), ${countOf(judges.length, "judge")}, ${countOf(writers.length, "writer")}.${news}`;
    });
    return 0;
  },
});
