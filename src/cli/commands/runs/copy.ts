import { type CopiedStore, copyStore } from "../../../workflows/runs/copy-store.ts";
import { defineCommand } from "../../command.ts";
import { requireFlag } from "../../flags/flag.ts";
import { jsonDocument } from "../../output/json-document.ts";
import { textTable } from "../../output/table.ts";

export default defineCommand({
  summary: "Copy a whole store into another, of either kind, and compare the two. Nothing newer is overwritten.",
  operands: "",
  flags: {
    from: { type: "string", value: "STORE", help: "the store to copy: a file, or postgres://…" },
    to: { type: "string", value: "STORE", help: "the target store; a missing file is created" },
    "skip-comparison": { type: "boolean", help: "do not compare the two stores afterwards" },
  },
  examples: [
    "fabula runs copy --from ~/.local/share/fabula/fabula.db --to postgres://fabula@db.example/fabula",
    "fabula runs copy --from postgres://fabula@db.example/fabula --to backup.db",
  ],
  async run({ flags, terminal, signal }) {
    const copied = await copyStore(
      {
        from: requireFlag("runs copy", "from", flags.from),
        to: requireFlag("runs copy", "to", flags.to),
        compare: !flags["skip-comparison"],
      },
      { signal, onProgress: terminal.progress },
    );
    terminal.endProgress();
    terminal.print(flags.json ? jsonDocument("copied-store", copied) : describe(copied));
    return 0;
  },
});

function describe({ from, to, copied, comparison }: CopiedStore): string {
  const number = (count: number) => count.toLocaleString("en-GB");
  const rows = Object.entries(copied).map(([name, { rows, added }]) => [name, number(rows), number(added)]);
  return [
    `${from} → ${to}`,
    "",
    textTable(["", "there were", "added"], rows),
    "",
    ...(comparison
      ? [
          `Compared: ${number(comparison.rows)} rows are the same in both` +
            `${comparison.later > 0 ? `, except ${number(comparison.later)} that are newer in the second` : ""}.`,
          `SHA-256 ${comparison.digests[0]}`,
        ]
      : ["Not compared."]),
    "",
  ].join("\n");
}
