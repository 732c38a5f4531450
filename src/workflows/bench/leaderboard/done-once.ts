import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeWholeFile } from "../../../core/files/write-whole-file.ts";

/** What the steps of a leaderboard were last done with, in the benchmark's folder: a step is done again when that changed. */
export class DoneOnce {
  readonly #path: string;
  #keys: Readonly<Record<string, string>>;

  private constructor(path: string, keys: Readonly<Record<string, string>>) {
    this.#path = path;
    this.#keys = keys;
  }

  static async in(folder: string): Promise<DoneOnce> {
    const path = join(folder, "steps.json");
    try {
      return new DoneOnce(path, JSON.parse(await readFile(path, "utf8")) as Record<string, string>);
    } catch {
      return new DoneOnce(path, {});
    }
  }

  isDone(step: string, key: string): boolean {
    return this.#keys[step] === key;
  }

  async note(step: string, key: string): Promise<void> {
    this.#keys = { ...this.#keys, [step]: key };
    await writeWholeFile(this.#path, `${JSON.stringify(this.#keys, null, 2)}\n`);
  }
}
