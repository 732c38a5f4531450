import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { FabulaError } from "./errors.ts";

type NumberArray = Float32Array | Float64Array | Uint32Array | Int8Array | Uint8Array;

const ARRAY_KINDS = {
  float32: Float32Array,
  float64: Float64Array,
  uint32: Uint32Array,
  int8: Int8Array,
  uint8: Uint8Array,
} as const;

export interface Weights<Settings> {
  readonly settings: Settings;
  /** The file's SHA-256 in hexadecimal: what the model is, for callers that store something computed with it. */
  readonly digest: string;
  float32(name: string): Float32Array;
  float64(name: string): Float64Array;
  uint32(name: string): Uint32Array;
  int8(name: string): Int8Array;
  uint8(name: string): Uint8Array;
}

const headerSchema = z.object({
  model: z.string(),
  version: z.number().int(),
  settings: z.unknown(),
  arrays: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(["float32", "float64", "uint32", "int8", "uint8"]),
      length: z.number().int(),
    }),
  ),
});

const MAGIC = "FABULA-WEIGHTS\n";
const DIGEST_BYTES = 32;
const ALIGNMENT = 8;

/**
 * One file holds a model: a line that names the format, a line of JSON (settings and the list of arrays), the arrays in
 * little-endian order, and the SHA-256 of all that. The same model gives the same bytes, so a retrained file can be compared.
 */
export function encodeWeights(model: {
  readonly model: string;
  readonly version: number;
  readonly settings: unknown;
  readonly arrays: Readonly<Record<string, NumberArray>>;
}): Uint8Array {
  const entries = Object.entries(model.arrays);
  const header = JSON.stringify({
    model: model.model,
    version: model.version,
    settings: model.settings,
    arrays: entries.map(([name, array]) => ({ name, kind: kindOf(array), length: array.length })),
  });
  const start = Buffer.from(`${MAGIC}${header}\n`, "utf8");
  const parts: Uint8Array[] = [start, new Uint8Array(padding(start.length))];
  for (const [, array] of entries) {
    parts.push(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    parts.push(new Uint8Array(padding(array.byteLength)));
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha256").update(body).digest()]);
}

/** Reads a model back. A file that was altered, cut short or belongs to another model is one clear sentence. */
export function readWeights<Settings>(
  path: string,
  expected: { readonly model: string; readonly version: number; readonly settings: z.ZodType<Settings> },
): Weights<Settings> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new FabulaError(
      "E_WEIGHTS_MISSING",
      `The weights "${path}" could not be read: check the path or reinstall.`,
      {
        cause,
      },
    );
  }
  return decodeWeights(bytes, path, expected);
}

function decodeWeights<Settings>(
  bytes: Buffer,
  path: string,
  expected: { readonly model: string; readonly version: number; readonly settings: z.ZodType<Settings> },
): Weights<Settings> {
  const body = bytes.subarray(0, Math.max(0, bytes.length - DIGEST_BYTES));
  const digest = createHash("sha256").update(body).digest();
  const intact = bytes.length > MAGIC.length + DIGEST_BYTES && digest.equals(bytes.subarray(body.length));
  if (!intact || body.toString("latin1", 0, MAGIC.length) !== MAGIC) {
    throw new FabulaError(
      "E_WEIGHTS_ALTERED",
      `The weights "${path}" do not match their checksum: the file was altered or cut short, so take a fresh copy.`,
    );
  }
  const headerEnd = body.indexOf(10, MAGIC.length);
  const header = headerSchema.parse(JSON.parse(body.toString("utf8", MAGIC.length, headerEnd)));
  if (header.model !== expected.model || header.version !== expected.version) {
    throw new FabulaError(
      "E_WEIGHTS_OTHER",
      `The weights "${path}" are ${header.model} version ${header.version}, not ${expected.model} version ${expected.version}: retrain them or take the ones that ship with Fabula.`,
    );
  }
  const arrays = new Map<string, NumberArray>();
  let offset = headerEnd + 1 + padding(headerEnd + 1);
  for (const { name, kind, length } of header.arrays) {
    const size = length * ARRAY_KINDS[kind].BYTES_PER_ELEMENT;
    // Copied, so that the array starts at an address its kind allows.
    arrays.set(name, new ARRAY_KINDS[kind](new Uint8Array(body.subarray(offset, offset + size)).buffer));
    offset += size + padding(size);
  }
  const get = <A extends NumberArray>(name: string, kind: new (length: number) => A): A => {
    const array = arrays.get(name);
    if (array instanceof kind) return array;
    throw new FabulaError("E_WEIGHTS_OTHER", `The weights "${path}" lack "${name}": retrain them.`);
  };
  return {
    settings: expected.settings.parse(header.settings),
    digest: digest.toString("hex"),
    float32: (name) => get(name, Float32Array),
    float64: (name) => get(name, Float64Array),
    uint32: (name) => get(name, Uint32Array),
    int8: (name) => get(name, Int8Array),
    uint8: (name) => get(name, Uint8Array),
  };
}

function kindOf(array: NumberArray): keyof typeof ARRAY_KINDS {
  if (array instanceof Float32Array) return "float32";
  if (array instanceof Float64Array) return "float64";
  if (array instanceof Uint32Array) return "uint32";
  return array instanceof Int8Array ? "int8" : "uint8";
}

function padding(length: number): number {
  return (ALIGNMENT - (length % ALIGNMENT)) % ALIGNMENT;
}
