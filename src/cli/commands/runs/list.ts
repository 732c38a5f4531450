import { costInWords } from "../../../core/cost.ts";
import { withoutPassword } from "../../../store/postgres/address.ts";
import { listRuns, type PastRun } from "../../../workflows/runs/past-runs.ts";
import { defineCommand } from "../../command.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";
import { storeLocation } from "../../store-location.ts";

export default defineCommand({
  summary: "List the latest runs: what they did, what they cost, and which can be resumed.",
  operands: "",
  flags: {
    limit: { type: "number", value: "N", default: 20, minimum: 1, integer: true, help: "how many runs to list" },
    store: STORE_FLAG,
  },
  examples: ["fabula runs list", "fabula runs list --limit 100 --json"],
  async run({ flags, terminal }) {
    const location = storeLocation(flags.store, process.env);
    const runs = await listRuns(location, flags.limit);
    if (flags.json) terminal.print(jsonDocument("runs", { runs }));
    else if (runs.length === 0)
      terminal.print(`No runs yet in ${withoutPassword(location)}: commands that ask models leave one each.`);
    else terminal.print(textTable(["run", "status", "calls", "failed", "cost", "command"], runs.map(row)));
    return 0;
  },
});

function row({ id, status, summary, command }: PastRun): string[] {
  const typed = command.join(" ");
  return [
    id,
    status,
    String(summary.calls),
    String(summary.failed),
    costInWords(summary),
    typed.length > 60 ? `${typed.slice(0, 59)}…` : typed,
  ];
}
