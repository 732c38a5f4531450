import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { assetPath } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/parse-yaml.ts";

const fileSchema = z.strictObject({
  /** The file's name without .gz, or the beginning of the names if there are several files. */
  name: z.string(),
  about: z.string(),
  /** Checksums of the files that our own figures were measured with. */
  sha256: z.array(z.string()),
  optional: z.boolean().default(false),
  /** What the report lacks when this optional file is missing. */
  without: z.string().optional(),
});

const rowSchema = z.strictObject({
  table: z.string(),
  judge: z.string(),
  method: z.string(),
  definitions: z.boolean().default(true),
  chapterSummaries: z.boolean().default(false),
  summariser: z.string().optional(),
  values: z.array(z.number()),
});

const paperSchema = z.strictObject({
  title: z.string(),
  get: z.string(),
  files: z.array(fileSchema).min(1),
  printed: z.record(z.string(), z.number()),
  rows: z.array(rowSchema).default([]),
  /** For each method, the cost that the paper reports. */
  costs: z.record(z.string(), z.record(z.string(), z.number())).default({}),
  differences: z.array(z.string()),
});

/** A paper's printed figures and the source of its data: facts, stored as a data file. */
export type Paper = z.infer<typeof paperSchema>;
export type PrintedRow = Paper["rows"][number];

export const PAPERS = ["longstoryeval", "literaryqa", "hanna", "webnovelbench", "perse"] as const;
export type PaperName = (typeof PAPERS)[number];

export async function loadPaper(name: PaperName): Promise<Paper> {
  return paperSchema.parse(parseYaml(await readFile(assetPath("papers", `${name}.yaml`), "utf8")));
}

export interface CheckedFile {
  readonly file: string;
  readonly sha256: string;
  /** Whether we have measured this very file; null when we have measured none. */
  readonly isKnown: boolean | null;
}

/** The paper's files in the user's folder, with their checksums, by the name that the paper's definition gives them. */
export interface PaperData {
  readonly checked: readonly CheckedFile[];
  /** Paths by name; several if the name is only the beginning of file names. */
  paths(name: string): readonly string[];
  path(name: string): string;
}

export async function openData(paper: Paper, folder: string): Promise<PaperData> {
  const present = await readdir(folder).catch((cause: unknown) => {
    throw new FabulaError(
      "E_DATA_MISSING",
      `"${folder}" is not a folder that can be read. Get the data: ${paper.get}.`,
      {
        cause,
      },
    );
  });
  const found = new Map<string, string[]>();
  const checked: CheckedFile[] = [];
  for (const { name, sha256, optional } of paper.files) {
    const files = present.filter((file) => (name.endsWith("-") ? file.startsWith(name) : plain(file) === name)).sort();
    if (files.length === 0 && !optional) {
      const what = name.endsWith("-") ? `no file whose name begins with ${name}` : `no ${name}`;
      throw new FabulaError("E_DATA_MISSING", `"${folder}" has ${what}. Get the data: ${paper.get}.`);
    }
    found.set(
      name,
      files.map((file) => join(folder, file)),
    );
    for (const file of files) {
      const sum = await checksum(join(folder, file));
      checked.push({ file, sha256: sum, isKnown: sha256.length === 0 ? null : sha256.includes(sum) });
    }
  }
  return {
    checked,
    paths: (name) => found.get(name) ?? [],
    path: (name) => found.get(name)![0]!,
  };
}

function plain(file: string): string {
  return file.replace(/\.gz$/, "");
}

/** Checksum of the uncompressed content, so that it does not matter whether the file is compressed. */
async function checksum(path: string): Promise<string> {
  const hash = createHash("sha256");
  const unpacked = path.endsWith(".gz") ? createGunzip() : new PassThrough();
  await pipeline(createReadStream(path), unpacked, async (chunks) => {
    for await (const chunk of chunks) hash.update(chunk as Uint8Array);
  }).catch((cause: unknown) => {
    throw new FabulaError("E_FILE_READ", `"${path}" cannot be read: it may be damaged. Get it again.`, { cause });
  });
  return hash.digest("hex");
}
