import { type Random, randomInteger } from "../../src/core/random.ts";

/** What parsers look for: damage is worth most where it looks like structure. */
const WORDS = [
  ..."CHAPTER |PART II|CONTENTS|THE END|第一回|目录|\n\n|\r|\t|\0|\u2028|“|”|---\n|# |***|\n> |``` |<p>|</div>|<h2>|<!--|&amp;|&#x110000;".split(
    "|",
  ),
  ...'<section epub:type="chapter">|<![CDATA[|<w:p>|</w:t>|<itemref idref="p0"/>|../|%PDF-1.7|endobj|stream\n|{"|[[[|}|null'.split(
    "|",
  ),
  ..."10/10|Score: |8.5/10|**Plot**|1e999|-1|99999999999|½|٣|\ufeff|\ud83d\ude00|\u0301\u0301".split("|"),
].map((word) => new TextEncoder().encode(word));

type Mutation = (bytes: Uint8Array, random: Random, other: Uint8Array) => Uint8Array;

const MUTATIONS: readonly Mutation[] = [
  function changeBytes(bytes, random) {
    const changed = bytes.slice();
    for (let count = 1 + randomInteger(random, 8); count > 0; count--)
      changed[randomInteger(random, changed.length)] = randomInteger(random, 256);
    return changed;
  },
  function cut(bytes, random) {
    const [from, to] = range(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  function repeat(bytes, random) {
    const [from, to] = range(bytes, random);
    const part = bytes.subarray(from, to);
    const times = Math.min(1 + randomInteger(random, 200), Math.floor(LONGEST / Math.max(1, part.length)));
    return Buffer.concat([bytes.subarray(0, to), ...new Array<Uint8Array>(times).fill(part), bytes.subarray(to)]);
  },
  function insertWord(bytes, random) {
    const at = randomInteger(random, bytes.length + 1);
    const word = WORDS[randomInteger(random, WORDS.length)]!;
    const times = random() < 0.2 ? randomInteger(random, 2000) : 1;
    return Buffer.concat([bytes.subarray(0, at), ...new Array<Uint8Array>(times).fill(word), bytes.subarray(at)]);
  },
  function splice(bytes, random, other) {
    const [from, to] = range(other, random);
    const at = randomInteger(random, bytes.length + 1);
    return Buffer.concat([bytes.subarray(0, at), other.subarray(from, to), bytes.subarray(at)]);
  },
  function end(bytes, random) {
    return bytes.slice(0, randomInteger(random, bytes.length + 1));
  },
];

const LONGEST = 200_000;
/** Most faults need no long input, and a short one is tried ten times as fast. */
const USUALLY_LONGEST = 20_000;

/** An input made from one of the corpus: damaged once or a few times, never longer than 200 KB. */
export function mutate(bytes: Uint8Array, random: Random, other: Uint8Array): Uint8Array {
  const longest = random() < 0.05 ? LONGEST : USUALLY_LONGEST;
  let result = bytes.slice(0, longest);
  for (let count = 1 + randomInteger(random, 4); count > 0 && result.length > 0; count--) {
    result = MUTATIONS[randomInteger(random, MUTATIONS.length)]!(result, random, other).slice(0, longest);
  }
  return result;
}

function range(bytes: Uint8Array, random: Random): [number, number] {
  const from = randomInteger(random, bytes.length + 1);
  return [from, Math.min(bytes.length, from + randomInteger(random, random() < 0.5 ? 40 : bytes.length + 1))];
}
