import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { sha256 } from "../core/hash.ts";
import { type ModelHead, modelHeadSchema, type PocketModel } from "./model.ts";

const MAGIC = "FABULA-POCKET\n";
export const WEIGHTS_FILE = "weights.bin";
const CHECKSUM_FILE = "weights.bin.sha256";

/** The file: a magic line, the head as one line of JSON, zero bytes up to a multiple of eight, then the arrays in order. */
export function encodeModel(model: PocketModel): Uint8Array {
  const prefix = new TextEncoder().encode(`${MAGIC}${JSON.stringify(model.head)}\n`);
  const blocks = blocksOf(model).map(({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength));
  const size = blocks.reduce((sum, block) => aligned(sum) + block.length, prefix.length);
  const bytes = new Uint8Array(size);
  bytes.set(prefix);
  let cursor = prefix.length;
  for (const block of blocks) {
    cursor = aligned(cursor);
    bytes.set(block, cursor);
    cursor += block.length;
  }
  return bytes;
}

export function decodeModel(bytes: Uint8Array, file: string): PocketModel {
  const head = decodeHead(bytes, file);
  const { outputs, sizes } = head;
  let cursor = endOfHead(bytes);
  const take = <A>(Type: new (buffer: ArrayBuffer) => A, byteLength: number): A => {
    cursor = aligned(cursor);
    const slice = bytes.slice(cursor, cursor + byteLength);
    if (slice.length !== byteLength) throw damaged(file, "it ends too early");
    cursor += byteLength;
    return new Type(slice.buffer);
  };
  const model: PocketModel = {
    head,
    rarityHashes: take(Uint32Array, sizes.rarity * 4),
    rarityBands: take(Uint8Array, sizes.rarity),
    styleScales: take(Float32Array, sizes.style * 4),
    styleWeights: take(Float32Array, sizes.style * outputs.length * 4),
    ngramHashes: take(Uint32Array, sizes.ngrams * 4),
    inverseFrequency: take(Float32Array, sizes.ngrams * 4),
    ngramWeights: take(Int8Array, sizes.ngrams * outputs.length),
    ngramScales: take(Float32Array, sizes.ngrams * 4),
  };
  if (cursor !== bytes.length) throw damaged(file, "it is longer than its head says");
  return model;
}

export async function writeModel(folder: string, model: PocketModel): Promise<{ checksum: string; bytes: number }> {
  const bytes = encodeModel(model);
  const checksum = sha256(bytes);
  await writeFile(join(folder, WEIGHTS_FILE), bytes);
  await writeFile(join(folder, CHECKSUM_FILE), `${checksum}  ${WEIGHTS_FILE}\n`);
  return { checksum, bytes: bytes.length };
}

/** Reads weights and holds them against their checksum: a truncated or altered file is an error, never a number. */
export async function readModel(folder: string): Promise<{ model: PocketModel; checksum: string }> {
  const path = join(folder, WEIGHTS_FILE);
  const [bytes, recorded] = await Promise.all([readPart(path), readPart(join(folder, CHECKSUM_FILE))]);
  const checksum = sha256(bytes);
  const expected = new TextDecoder().decode(recorded).split(/\s/)[0];
  if (checksum !== expected) throw damaged(path, "its checksum is not the one recorded beside it");
  return { model: decodeModel(bytes, path), checksum };
}

async function readPart(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new FabulaError(
      "E_WEIGHTS_MISSING",
      `The pocket judge's file "${path}" cannot be read: reinstall fabula, or train the judge again with \`fabula train pocket\`.`,
      { cause },
    );
  }
}

function decodeHead(bytes: Uint8Array, file: string): ModelHead {
  const text = new TextDecoder().decode(bytes.subarray(0, endOfHead(bytes)));
  if (!text.startsWith(MAGIC)) throw damaged(file, "it is not a weights file");
  let value: unknown;
  try {
    value = JSON.parse(text.slice(MAGIC.length));
  } catch {
    throw damaged(file, "its head cannot be read");
  }
  const result = modelHeadSchema.safeParse(value);
  if (!result.success) throw damaged(file, `its head is wrong at ${result.error.issues[0]!.path.join(".")}`);
  return result.data;
}

function endOfHead(bytes: Uint8Array): number {
  return bytes.indexOf(10, MAGIC.length) + 1;
}

function blocksOf(model: PocketModel) {
  return [
    model.rarityHashes,
    model.rarityBands,
    model.styleScales,
    model.styleWeights,
    model.ngramHashes,
    model.inverseFrequency,
    model.ngramWeights,
    model.ngramScales,
  ];
}

function aligned(position: number): number {
  return Math.ceil(position / 8) * 8;
}

function damaged(file: string, what: string): FabulaError {
  return new FabulaError(
    "E_WEIGHTS_DAMAGED",
    `The pocket judge's weights "${basename(file)}" are damaged (${what}): reinstall fabula, or train the judge again with \`fabula train pocket\`.`,
    { evidence: file },
  );
}
