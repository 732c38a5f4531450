import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { benchVerifyTask } from "../../../tasks/bench/frozen.ts";
import { taskCommand } from "../../task-command.ts";

export default taskCommand(benchVerifyTask, {
  usage: "Give a site's folder: `fabula bench verify site/`.",
  examples: ["fabula bench verify site/"],
  async present({ site, version, files, different }, { show }) {
    await show(() =>
      different.length === 0
        ? `${site}, version ${version}: ${countOf(files, "file")} made again from the published data, all equal to the byte.`
        : `${site}, version ${version}: ${different.length} of ${countOf(files, "file")} came out different:\n${different.map((file) => `  ${file}`).join("\n")}`,
    );
    if (different.length > 0)
      throw new FabulaError("E_SITE_DIFFERS", `${site} does not follow from the data that it publishes.`);
    return 0;
  },
});
