import { join } from "node:path";
import { parseArgs } from "node:util";
import { isStrength } from "../src/core/finding.ts";
import { measureReading, readKey, readVerdicts } from "./parts/close-reading.ts";

/**
 * What a close reading finds of the faults planted in a manuscript, from recorded replies:
 * `npx tsx evals/close-reading.ts --planted FOLDER [--name cargo-unknown] [--book FILE] [--key FILE] [--context TOKENS] [--all]`.
 * `--all` prints every finding, to be read against the text.
 */
const { values } = parseArgs({
  options: {
    planted: { type: "string", default: "." },
    name: { type: "string", default: "cargo-unknown" },
    book: { type: "string" },
    key: { type: "string" },
    context: { type: "string" },
    all: { type: "boolean", default: false },
  },
});
const { planted, name, all } = values;
const book = values.book ?? join(planted, `${name}.md`);
const key = name.includes(".original") ? [] : await readKey(values.key ?? join(planted, `${name}.key.json`));
const measured = await measureReading(book, key, name, values.context === undefined ? null : Number(values.context));
const { reading, findings, faults, sent, sentCached, calls, unanswered, steps } = measured;
for (const { fault, found } of faults)
  console.log(`${found.length > 0 ? "found " : "MISSED"}  ${fault.id}: ${found.map(({ title }) => title).join(" | ")}`);
const hit = faults.filter(({ found }) => found.length > 0).length;
const { counts } = reading;
for (const { step, claims, found } of steps) {
  const missed = key.filter(({ id }) => !found.includes(id)).map(({ id }) => id);
  console.log(
    `${step}: ${found.length} of ${key.length} in ${claims} claims; not ${missed.join(", ") || "one is missed"}`,
  );
}
console.log(`\n${hit} of ${faults.length} planted faults, with their passages.`);
console.log(
  `${findings.filter(isStrength).length} strengths and ${findings.filter((finding) => !isStrength(finding)).length} other findings of ${counts.made} claims: ${counts.merged} merged, ${counts.refuted} refuted, ${counts.explained} explained, ${counts.unsupported} without a passage, ${counts.unchecked} unchecked.`,
);
console.log(`${counts.quotations - counts.quotationsMissing} of ${counts.quotations} quotations stand in the book.`);
console.log(
  `${calls} calls; sent ${sent.toFixed(2)} times the book, ${sentCached.toFixed(2)} with a cached prefix counted once.`,
);
const judged = await readVerdicts(name, findings);
if (judged)
  console.log(
    `Read against the text by an editor: ${judged.true} true, ${judged.arguable} arguable, ${judged.false} with something false, ${judged.unread} not read. ${judged.covered} of ${judged.letter} faults of an editor's own letter are covered, ${judged.agreedCovered} of the ${judged.agreed} that are faults in this editor's eyes.`,
  );
if (unanswered > 0) console.log(`${unanswered} requests have no recorded reply.`);
if (all)
  for (const { severity, certainty, kind, title, claim, passages } of findings)
    console.log(
      `\n${severity} ${certainty} ${kind}: ${title}\n  ${claim}\n${passages.map(({ chapter, quote }) => `    [${chapter}] ${quote}`).join("\n")}`,
    );
