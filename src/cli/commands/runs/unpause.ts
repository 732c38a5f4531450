import { unpauseRun } from "../../../workflows/queue/pause-run.ts";
import { defineCommand } from "../../command.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { onlyOperand } from "../../output/wording.ts";
import { storeLocation } from "../../store-location.ts";

export default defineCommand({
  summary: "Let the workers continue a paused run.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs unpause 20260115-093012-k3fw --store postgres://fabula@db.example/fabula"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs unpause RUN");
    await unpauseRun(storeLocation(flags.store, process.env), id);
    terminal.print(flags.json ? jsonDocument("paused-run", { run: id, paused: false }) : `Run ${id} continues.`);
    return 0;
  },
});
