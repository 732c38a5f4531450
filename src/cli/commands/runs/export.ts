import { extname } from "node:path";
import { FabulaError } from "../../../core/errors.ts";
import { countOf } from "../../../core/wording.ts";
import { EXPORT_FORMATS, type ExportFormat, exportRun } from "../../../workflows/runs/export-run.ts";
import { defineCommand } from "../../command.ts";
import { STORE_FLAG } from "../../flags/flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { onlyOperand } from "../../output/wording.ts";
import { storeLocation } from "../../store-location.ts";

export default defineCommand({
  summary: "Export every call of a run, one line each: reply, usage, cost, or why there is none.",
  operands: "RUN",
  flags: {
    out: { type: "string", value: "FILE", default: "-", help: "the file to write; - is standard output" },
    format: { type: "string", value: "FORMAT", choices: EXPORT_FORMATS, help: "by the file's name when not given" },
    requests: { type: "boolean", help: "include the requests, which may hold whole chapters" },
    store: STORE_FLAG,
  },
  examples: [
    "fabula runs export 20260115-093012-k3fw --out calls.csv",
    "fabula runs export RUN --out calls.parquet",
    "fabula runs export RUN --requests > calls.jsonl",
  ],
  async run({ operands, flags, terminal }) {
    const id = onlyOperand(operands, "fabula runs export RUN");
    const { out, requests } = flags;
    const format = formatOf(out, flags.format);
    const calls = await exportRun(storeLocation(flags.store, process.env), id, { format, out, requests });
    if (out !== "-") {
      if (flags.json) terminal.print(jsonDocument("exported-run", { run: id, out, format, calls }));
      else terminal.note(`${countOf(calls, "call")} written to ${out}.`);
    }
    return 0;
  },
});

/** The format that is asked for, or else the one that the file's name ends with. */
function formatOf(out: string, asked: string | undefined): ExportFormat {
  const named = EXPORT_FORMATS.find((format) => format === asked);
  if (out === "-") {
    if (named === "parquet")
      throw new FabulaError("E_USAGE", "Parquet is written to a file: give --out calls.parquet.");
    return named ?? "jsonl";
  }
  const ending = extname(out).slice(1).toLowerCase();
  const known = EXPORT_FORMATS.find((format) => format === ending);
  if (named !== undefined && known !== undefined && named !== known)
    throw new FabulaError("E_USAGE", `--format ${named} and --out ${out} do not agree: leave --format out.`);
  const format = named ?? known;
  if (format) return format;
  const endings = EXPORT_FORMATS.map((one) => `.${one}`).join(", ");
  throw new FabulaError("E_USAGE", `--out ${out}: end the file's name with ${endings}, or give --format.`);
}
