import { cancelRun } from "../../../workflows/queue/pause-run.ts";
import { defineCommand } from "../../command.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { onlyOperand } from "../../output/wording.ts";
import { storeLocation } from "../../store-location.ts";

export default defineCommand({
  summary: "Cancel a shared run: its workers finish the calls they have sent and leave the rest.",
  operands: "RUN",
  flags: { store: STORE_FLAG },
  examples: ["fabula runs cancel 20260115-093012-k3fw --store postgres://fabula@db.example/fabula"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs cancel RUN");
    await cancelRun(storeLocation(flags.store, process.env), id);
    terminal.print(
      flags.json
        ? jsonDocument("cancelled-run", { run: id })
        : `Run ${id} is cancelled. What was answered stays in the store; \`fabula runs resume ${id}\` queues the rest again.`,
    );
    return 0;
  },
});
