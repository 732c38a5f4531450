import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../src/core/hash.ts";
import type { ProgressListener } from "../../src/core/progress.ts";
import { encodePersonalModel } from "../../src/reader/predictor/personal-weights.ts";
import { thinDescriptionTrust } from "./fit-trust.ts";
import { trainPersonalModel } from "./train-personal-model.ts";
import { readTrainingData } from "./training-data.ts";

export interface TrainPersonalRequest {
  readonly books: string;
  readonly reviews: string;
  readonly folder: string;
  readonly seed: number;
  readonly onProgress: ProgressListener;
}

export interface TrainPersonalReport {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly books: number;
  readonly readers: number;
  readonly reviews: number;
}

/** Books and reviews → the weights of the personal predictor. The same data and seed give the same file. */
export async function trainPersonal(request: TrainPersonalRequest): Promise<TrainPersonalReport> {
  const table = await readTrainingData(request.books, request.reviews);
  const everything = { books: () => true, readers: () => true };
  const { model, appeal } = trainPersonalModel(table, everything, request.seed, request.onProgress);
  const trust = thinDescriptionTrust(table.books, model.likeness, model.stories.weights, appeal);
  const bytes = encodePersonalModel({ ...model, trust });
  await mkdir(request.folder, { recursive: true });
  const file = join(request.folder, "weights.bin");
  await writeFile(file, bytes);
  return {
    file,
    sha256: sha256(bytes),
    bytes: bytes.length,
    books: table.books.length,
    readers: table.readers,
    reviews: table.rows,
  };
}
