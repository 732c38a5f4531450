import { pauseRun } from "../../../workflows/queue/pause-run.ts";
import { defineCommand } from "../../command.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { onlyOperand } from "../../output/wording.ts";
import { storeLocation } from "../../store-location.ts";

export default defineCommand({
  summary: "Pause the workers of a shared run: calls already sent are completed, the rest wait.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs pause 20260115-093012-k3fw --store postgres://fabula@db.example/fabula"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs pause RUN");
    await pauseRun(storeLocation(flags.store, process.env), id);
    terminal.print(
      flags.json
        ? jsonDocument("paused-run", { run: id, paused: true })
        : `Run ${id} is paused: \`fabula runs unpause ${id}\` continues it.`,
    );
    return 0;
  },
});
