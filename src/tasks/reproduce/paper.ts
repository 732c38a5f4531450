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
  /** The file's name without .gz, or how it begins where there are several. */
  name: z.string(),
  about: z.string(),
  /** Of the files that our own figures were measured with. */
  sha256: z.array(z.string()),
  optional: z.boolean().default(false),
  /** What is missing from the report when an optional file is. */
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
  /** Method → what the paper says it cost. */
  costs: z.record(z.string(), z.record(z.string(), z.number())).default({}),
  differences: z.array(z.string()),
});

/** What a paper prints and where its data are: facts, kept as a data file. */
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
  /** Whether it is a file that we have measured; null when we have measured none. */
  readonly isKnown: boolean | null;
}

/** The paper's files in the user's folder, by the name the paper's file gives them, with their checksums. */
export interface PaperData {
  readonly checked: readonly CheckedFile[];
  /** Paths by name; several where the name is how they begin. */
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

/** Checksum of the uncompressed content, since the data may be kept compressed or not. */
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
