import { readFile, writeFile } from "node:fs/promises";
import { seededRandom } from "../../src/core/random.ts";

const WIDTH = 64;
const HIDDEN = 128;
const HEADS = 4;
const CONTEXT = 32_768;
const ALIGNMENT = 32;
const TYPE = { uint32: 4, float32: 6, string: 8, array: 9 };
/** Bytes of each type of GGUF; those of strings and arrays are written with them. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
/** The first number of every token is the same, so that what the output makes of it is how likely a token is in general. */
const CONSTANT = 4;
const NEVER = -60;

/**
 * A model that llama.cpp loads, tokenises for, samples from and holds to a grammar like any other, and that answers in seconds
 * what takes a real one an hour: the vocabulary of a real model, and random weights that prefer short words and the end of a
 * string. What it says means nothing. It is for trying everything around a model, not for trying a model.
 */
export async function writeSmallModel(vocabularyOf: string, path: string): Promise<void> {
  const source = await readFile(vocabularyOf);
  const { entries, tokens } = readVocabulary(source);
  const random = seededRandom(41);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const matrix = (rows: number, columns: number, spread: number) =>
    Float32Array.from({ length: rows * columns }, () => spread * normal());
  const ones = () => new Float32Array(WIDTH).fill(1);

  const embedding = matrix(tokens.length, WIDTH, 1);
  const output = matrix(tokens.length, WIDTH, 1 / Math.sqrt(WIDTH));
  tokens.forEach((token, at) => {
    embedding[at * WIDTH] = CONSTANT;
    output[at * WIDTH] = likelihood(token) / CONSTANT;
  });
  const inner = 0.3 / Math.sqrt(WIDTH);
  const square: [number[], Float32Array] = [[WIDTH, WIDTH], matrix(WIDTH, WIDTH, inner)];
  const tensors: [string, [number[], Float32Array]][] = [
    ["token_embd.weight", [[WIDTH, tokens.length], embedding]],
    ["output.weight", [[WIDTH, tokens.length], output]],
    ["output_norm.weight", [[WIDTH], ones()]],
    ["blk.0.attn_norm.weight", [[WIDTH], ones()]],
    ...["q", "k", "v", "output"].map((name): [string, [number[], Float32Array]] => [
      `blk.0.attn_${name}.weight`,
      square,
    ]),
    ["blk.0.ffn_norm.weight", [[WIDTH], ones()]],
    ["blk.0.ffn_gate.weight", [[WIDTH, HIDDEN], matrix(WIDTH, HIDDEN, inner)]],
    ["blk.0.ffn_up.weight", [[WIDTH, HIDDEN], matrix(WIDTH, HIDDEN, inner)]],
    ["blk.0.ffn_down.weight", [[HIDDEN, WIDTH], matrix(HIDDEN, WIDTH, inner)]],
  ];
  const numbers: Record<string, number> = {
    "llama.context_length": CONTEXT,
    "llama.embedding_length": WIDTH,
    "llama.block_count": 1,
    "llama.feed_forward_length": HIDDEN,
    "llama.rope.dimension_count": WIDTH / HEADS,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": HEADS,
  };
  const keys = [
    Buffer.concat([text("general.architecture"), uint32(TYPE.string), text("llama")]),
    ...Object.entries(numbers).map(([key, value]) => Buffer.concat([text(key), uint32(TYPE.uint32), uint32(value)])),
    Buffer.concat([text("llama.attention.layer_norm_rms_epsilon"), uint32(TYPE.float32), float32(1e-5)]),
    ...entries,
  ];
  let offset = 0;
  const infos = tensors.map(([name, [sizes, values]]) => {
    const info = [text(name), uint32(sizes.length), ...sizes.map(uint64), uint32(0), uint64(offset)];
    offset += padded(values.byteLength);
    return Buffer.concat(info);
  });
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(tensors.length),
    uint64(keys.length),
    ...keys,
    ...infos,
  ]);
  const body = tensors.map(([, [, values]]) => pad(Buffer.from(values.buffer, values.byteOffset, values.byteLength)));
  await writeFile(path, Buffer.concat([pad(head), ...body]));
}

/** Greedy sampling takes the likeliest token: what ends a string or a number has to win often, or a reply never ends. */
function likelihood(token: string): number {
  if (token === "</s>") return 4;
  if (token === '"') return 3.6;
  if (/^[0-9]$/.test(token)) return 2;
  return /^(▁[a-z]+|[}\]:,{[]|▁)$/.test(token) ? 0 : NEVER;
}

/** The entries of a GGUF file about its vocabulary, as they stand there, and the tokens themselves. */
function readVocabulary(bytes: Buffer): { entries: Buffer[]; tokens: string[] } {
  let at = 24;
  const after = (length: number) => {
    at += length;
    return at - length;
  };
  const number = () => Number(bytes.readBigUInt64LE(after(8)));
  const code = () => bytes.readUInt32LE(after(4));
  const string = () => {
    const length = number();
    const start = after(length);
    return bytes.toString("utf8", start, start + length);
  };
  const entries: Buffer[] = [];
  let tokens: string[] = [];
  for (let left = Number(bytes.readBigUInt64LE(16)); left > 0; left--) {
    const start = at;
    const key = string();
    const type = code();
    if (type === TYPE.string) string();
    else if (type === TYPE.array) {
      const of = code();
      const count = number();
      if (of !== TYPE.string) at += count * SIZES[of]!;
      else {
        const strings = Array.from({ length: count }, string);
        if (key === "tokenizer.ggml.tokens") tokens = strings;
      }
    } else at += SIZES[type]!;
    if (key.startsWith("tokenizer.")) entries.push(bytes.subarray(start, at));
  }
  return { entries, tokens };
}

const padded = (length: number) => Math.ceil(length / ALIGNMENT) * ALIGNMENT;
const pad = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(padded(bytes.length) - bytes.length)]);

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([uint64(bytes.length), bytes]);
}
