import { exportRun } from "../../../workflows/runs/export-run.ts";
import { defineCommand } from "../../command.ts";
import { STORE_FLAG } from "../../model-flags.ts";
import { storeLocation } from "../../store-location.ts";
import { onlyOperand } from "../../wording.ts";

export default defineCommand({
  summary: "Exports every call of a run, one line each: reply, usage, cost, or why there is none.",
  operands: "RUN",
  flags: {
    out: { type: "string", value: "FILE", default: "-", help: "where to; - is standard output" },
    format: { type: "string", value: "FORMAT", choices: ["jsonl", "csv"], help: "by the file's name when not given" },
    requests: { type: "boolean", help: "with what was asked, which may be whole chapters" },
    store: STORE_FLAG,
  },
  examples: ["fabula runs export 20260115-093012-k3fw --out calls.csv", "fabula runs export RUN --requests | jq .text"],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs export RUN");
    const format = (flags.format ?? (/\.csv$/i.test(flags.out) ? "csv" : "jsonl")) === "csv" ? "csv" : "jsonl";
    const { out, requests } = flags;
    const calls = await exportRun(storeLocation(flags.store, process.env), id, { format, out, requests });
    if (out !== "-") {
      if (flags.json) terminal.print(JSON.stringify({ run: id, out, format, calls }, null, 2));
      else terminal.note(`${calls} calls written to ${out}.`);
    }
    return 0;
  },
});
