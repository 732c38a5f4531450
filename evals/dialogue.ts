/**
 * How well the manuscript map finds speech, speakers and characters, against novels that people annotated.
 *
 *   npx tsx evals/dialogue.ts novels.jsonl.gz
 *
 * Each line: title, text, person ("1.0" or "3.0"), characters [{name, aliases, category}], quotes [{spans, speaker, type}]:
 * the layout of the Project Dialogism Novel Corpus. A quotation counts by its first span. A character of ours is the
 * annotated one that most of its mentions go by the aliases of; a narrator is the one with the alias "_narr".
 */
import { z } from "zod";
import { readJsonLines } from "../src/core/json-lines.ts";
import { mapText, type TextMap } from "../src/prose/map/text-map.ts";
import { countWords } from "../src/text/words.ts";

const novelSchema = z.object({
  title: z.string(),
  person: z.string(),
  text: z.string(),
  characters: z.array(z.object({ name: z.string(), aliases: z.array(z.string()), category: z.string() })),
  quotes: z.array(
    z.object({ spans: z.array(z.tuple([z.number(), z.number()])), speaker: z.string(), type: z.string() }),
  ),
});
type Novel = z.infer<typeof novelSchema>;

const [path] = process.argv.slice(2);
if (!path) throw new Error("Usage: npx tsx evals/dialogue.ts novels.jsonl.gz");

const plain = (name: string) =>
  name
    .toLowerCase()
    .replaceAll(".", "")
    .replace(/^the /, "")
    .replace(/ - .*$/, "");

/** F1 over characters of quoted text, and how far the share of dialogue is off, in points. */
function quotedText({ text, quotes }: Novel, { dialogue }: TextMap) {
  const gold = new Uint8Array(text.length);
  const found = new Uint8Array(text.length);
  for (const { spans } of quotes) for (const [start, end] of spans) gold.fill(1, start, end);
  for (const { start, end } of dialogue.quotes) found.fill(1, start, end);
  let words = 0;
  for (const { spans } of quotes) for (const [start, end] of spans) words += countWords(text, start, end);
  let both = 0;
  let inGold = 0;
  let inFound = 0;
  for (let at = 0; at < text.length; at++) {
    both += gold[at]! & found[at]!;
    inGold += gold[at]!;
    inFound += found[at]!;
  }
  return { f1: (2 * both) / (inGold + inFound), points: 100 * (dialogue.share - words / countWords(text)) };
}

function matchCharacters(novel: Novel, map: TextMap): (number | null)[] {
  const byAlias = new Map<string, number>();
  for (const [index, { name, aliases }] of novel.characters.entries()) {
    for (const alias of [name, ...aliases]) if (!byAlias.has(plain(alias))) byAlias.set(plain(alias), index);
  }
  return map.characters.map(({ name, aliases }) => {
    if (aliases.includes("I")) return byAlias.get("_narr") ?? null;
    const votes = new Map<number, number>();
    for (const [place, alias] of aliases.entries()) {
      const match = byAlias.get(plain(alias));
      if (match !== undefined) votes.set(match, (votes.get(match) ?? 0) + 1 / (place + 1));
    }
    const [best] = [...votes].sort((left, right) => right[1] - left[1]);
    return best?.[0] ?? byAlias.get(plain(name)) ?? null;
  });
}

function majorCharacters(novel: Novel, map: TextMap) {
  const wanted = novel.characters.filter(({ category, name }) => category !== "minor" && !name.startsWith("_"));
  const forms = map.characters.map(({ name, aliases }) => new Set([name, ...aliases].map(plain)));
  const isAmong = (form: ReadonlySet<string>, { name, aliases }: Novel["characters"][number]) =>
    [name, ...aliases].some((alias) => form.has(plain(alias)));
  const missing = wanted.filter((character) => !forms.some((form) => isAmong(form, character)));
  return { wanted: wanted.length, missing: missing.map(({ name }) => name) };
}

/** Entries of the annotation that are another form of a person who has an entry already. */
const DOUBLE_ENTRIES: Readonly<Record<string, readonly string[]>> = {
  "Hard Times": ["Bounderby"],
  "Mansfield Park": ["Mr. Crawford", "Norris"],
  "The Age of Innocence": ["Mr. Archer"],
};

/**
 * Characters of ours that go by the names of two annotated people, minor ones among them: "Emma + Mrs. Weston". A name that
 * the annotation itself gives to several people joins nobody.
 */
function joinedPeople({ title, characters }: Novel, map: TextMap): string[] {
  const bearers = new Map<string, Set<string>>();
  for (const { name, aliases } of characters.filter((each) => !DOUBLE_ENTRIES[title]?.includes(each.name))) {
    for (const alias of new Set([name, ...aliases].map(plain)))
      bearers.set(alias, (bearers.get(alias) ?? new Set()).add(name));
  }
  return map.characters.flatMap(({ name, aliases }) => {
    const forms = [...new Set([name, ...aliases].map(plain))].filter((form) => bearers.get(form)?.size === 1);
    const people = new Map(forms.map((form) => [[...bearers.get(form)!][0]!, form]));
    return people.size > 1 ? [`${name} (${[...people].map(([who, form]) => `${form}: ${who}`).join("; ")})`] : [];
  });
}

function speakers(novel: Novel, map: TextMap) {
  const matches = matchCharacters(novel, map);
  const byName = new Map(map.characters.map(({ name }, index) => [name, matches[index] ?? null]));
  const count = { all: novel.quotes.length, given: 0, right: 0, named: 0, namedRight: 0 };
  for (const { spans, speaker, type } of novel.quotes) {
    const [start, end] = spans[0]!;
    const own = map.dialogue.quotes.find((quote) => quote.start < end && quote.end > start)?.speaker ?? null;
    if (own === null) continue;
    const match = byName.get(own) ?? null;
    const character = match === null ? null : novel.characters[match]!;
    const isRight = character !== null && [character.name, ...character.aliases].map(plain).includes(plain(speaker));
    count.given++;
    if (isRight) count.right++;
    if (type !== "Explicit") continue;
    count.named++;
    if (isRight) count.namedRight++;
  }
  return count;
}

/** How often the text says "I" outside quotations: what there is to tell a narrator by. */
function narratorSaysI({ text }: Novel, { dialogue }: TextMap): number {
  let at = 0;
  let count = 0;
  for (const { start, end } of [...dialogue.quotes, { start: text.length, end: text.length }]) {
    count += text.slice(at, start).match(/\bI(?=['’]|\s+\p{Ll})/gu)?.length ?? 0;
    at = end;
  }
  return count;
}

const novels = await readJsonLines(path, novelSchema);
const sums = { f1: 0, off: 0, found: 0, wanted: 0, right: 0, given: 0, named: 0, person: 0, joined: 0 };
console.log("novel                             F1     share off  found        joined  right  given  named  person  ms");
for (const novel of novels) {
  const began = performance.now();
  const map = mapText(novel.text);
  const time = performance.now() - began;
  const { f1, points } = quotedText(novel, map);
  const { wanted, missing } = majorCharacters(novel, map);
  const joined = joinedPeople(novel, map);
  sums.joined += joined.length;
  const { all, given, right, named, namedRight } = speakers(novel, map);
  const person = map.person === (novel.person.startsWith("1") ? "first" : "third");
  sums.f1 += f1;
  sums.off += Math.abs(points);
  sums.found += wanted - missing.length;
  sums.wanted += wanted;
  sums.right += right / given;
  sums.given += given / all;
  sums.named += namedRight / named;
  sums.person += person ? 1 : 0;
  console.log(
    novel.title.padEnd(32),
    f1.toFixed(4),
    points.toFixed(1).padStart(6),
    `${wanted - missing.length} of ${wanted}`.padStart(15),
    String(joined.length).padStart(8),
    (right / given).toFixed(3).padStart(8),
    (given / all).toFixed(3).padStart(6),
    (namedRight / named).toFixed(3).padStart(6),
    `${map.person}${person ? "" : ` (annotated otherwise; "I" ${narratorSaysI(novel, map)} times outside quotations)`}`,
    time.toFixed(0).padStart(5),
    missing.length > 0 ? `not found: ${missing.join(", ")}` : "",
    joined.map((people) => `\n    joined: ${people}`).join(""),
  );
}
const mean = (sum: number) => (sum / novels.length).toFixed(3);
console.log(
  `mean: quoted text F1 ${mean(sums.f1)}, share off by ${mean(sums.off)} points, characters found ${(sums.found / sums.wanted).toFixed(3)}, ` +
    `people joined wrongly ${sums.joined}, ` +
    `speakers right ${mean(sums.right)} where given (${mean(sums.given)} of all), tagged with a name ${mean(sums.named)}, person right ${sums.person} of ${novels.length}`,
);
