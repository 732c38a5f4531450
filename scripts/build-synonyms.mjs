// Writes assets/wordnet/synonyms.txt, the part of WordNet that METEOR needs, from the folder of a WordNet 3.0
// installation (`dict/`, or where a system package puts index.noun and its companions):
//
//   node scripts/build-synonyms.mjs /usr/share/wordnet
//
// Two blocks, divided by a line of `~`, each sorted by the first word of its lines:
//   a line per word that WordNet knows, and in it for each part of speech (=n =v =a =r) the lower-case single words that
//   share a meaning with it, and `^` when WordNet writes the word itself with a capital only;
//   a line per irregular form, and in it for each part of speech its base forms.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = process.argv[2];
if (!folder) {
  console.error("usage: node scripts/build-synonyms.mjs WORDNET_FOLDER");
  process.exit(1);
}

const records = (name) =>
  readFileSync(join(folder, name), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith(" "));
const isSingle = (name) => !name.includes("_");
const byCodeUnit = (left, right) => (left < right ? -1 : left > right ? 1 : 0);

const words = new Map();
const irregular = new Map();
for (const [part, mark] of Object.entries({ noun: "=n", verb: "=v", adj: "=a", adv: "=r" })) {
  const meanings = new Map(records(`data.${part}`).map((line) => [line.slice(0, 8), lowerCaseNames(line.split(" "))]));
  for (const line of records(`index.${part}`).filter((record) => isSingle(record.split(" ")[0]))) {
    const [word, , senses, ...rest] = line.trimEnd().split(" ");
    const shared = new Set(rest.slice(-Number(senses)).flatMap((offset) => meanings.get(offset)));
    if (!shared.delete(word)) shared.add("^");
    append(words, word, [mark, ...[...shared].sort(byCodeUnit)]);
  }
  for (const [form, ...bases] of records(`${part}.exc`)
    .filter(isSingle)
    .map((line) => line.split(" "))) {
    append(irregular, form, [mark, ...bases]);
  }
}

const target = join(dirname(fileURLToPath(import.meta.url)), "..", "assets", "wordnet", "synonyms.txt");
writeFileSync(target, `${sortedLines(words)}\n~\n${sortedLines(irregular)}\n`);

function append(map, word, fields) {
  map.set(word, [...(map.get(word) ?? [word]), ...fields]);
}

function sortedLines(map) {
  return [...map.values()]
    .map((fields) => fields.join(" "))
    .sort(byCodeUnit)
    .join("\n");
}

/** A name with a capital never meets a text in lower case, and a phrase never meets a word. */
function lowerCaseNames(fields) {
  const count = Number.parseInt(fields[3], 16);
  return Array.from({ length: count }, (_, index) => fields[4 + 2 * index].replace(/\(.*\)$/, "")).filter(
    (name) => isSingle(name) && name === name.toLowerCase(),
  );
}
