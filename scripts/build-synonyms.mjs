// Writes assets/wordnet/synonyms.txt.gz, the part of WordNet that METEOR needs, from the folder of a WordNet 3.0
// installation (`dict/`, or where a system package puts index.noun and its companions):
//
//   node scripts/build-synonyms.mjs /usr/share/wordnet
//
// The text has one section per part of speech, and in it three blocks:
//   ~ a line per set of synonyms with two single words or more;
//   ~ one line with every other single word that WordNet knows;
//   ~ a line per irregular form with its base forms.
// `^` before a word marks one that WordNet writes with a capital: it finds its set, but never stands for a lower-case word.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const folder = process.argv[2];
if (!folder) {
  console.error("usage: node scripts/build-synonyms.mjs WORDNET_FOLDER");
  process.exit(1);
}

const records = (name) =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(" "));
const byName = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

const sections = ["noun", "verb", "adj", "adv"].map((part) => {
  const sets = new Set();
  const linked = new Set();
  const lowerCase = new Set();
  for (const line of records(`data.${part}`)) {
    const fields = line.split(" ");
    const count = Number.parseInt(fields[3], 16);
    const names = Array.from({ length: count }, (_, index) => fields[4 + 2 * index].replace(/\(.*\)$/, ""));
    const singles = names.filter((name) => !name.includes("_"));
    const members = [
      ...new Set(singles.map((name) => (name === name.toLowerCase() ? name : `^${name.toLowerCase()}`))),
    ];
    const plain = members.filter((member) => !member.startsWith("^"));
    for (const member of plain) lowerCase.add(member);
    const useful = members.filter((member) => plain.length > 0 && !plain.includes(member.slice(1)));
    if (useful.length < 2) continue;
    sets.add(useful.sort(byName).join(" "));
    for (const member of useful) linked.add(member);
  }
  const known = records(`index.${part}`).map((line) => line.slice(0, line.indexOf(" ")));
  const lone = known
    .filter((word) => !word.includes("_"))
    .map((word) => (lowerCase.has(word) ? word : `^${word}`))
    .filter((word) => !linked.has(word));
  const irregular = records(`${part}.exc`).filter((line) => !line.includes("_"));
  return [part, [...sets].sort(byName).join("\n"), lone.sort(byName).join(" "), irregular.sort(byName).join("\n")].join(
    "\n~\n",
  );
});

const target = join(dirname(fileURLToPath(import.meta.url)), "..", "assets", "wordnet", "synonyms.txt.gz");
const packed = gzipSync(sections.join("\n~\n"), { level: 9 });
// The tenth byte names the operating system that packed it: fixed, so that every machine writes the same file.
packed[9] = 255;
writeFileSync(target, packed);
console.error(`${target}: ${packed.length} bytes`);
