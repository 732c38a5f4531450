import { glob } from "tinyglobby";
import { FabulaError } from "../../core/errors.ts";
import { listed } from "./embedded-judge.ts";

/** The files that a flag names: given again, joined by commas, or as a quoted glob. */
export async function filesNamed(values: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const value of values.flatMap((words) => listed(words))) {
    if (!/[*?[{]/.test(value)) {
      files.push(value);
      continue;
    }
    const found = await glob(value, { onlyFiles: true, expandDirectories: false, absolute: false });
    if (found.length === 0) throw new FabulaError("E_FILE_READ", `No file matches ${value}: check the pattern.`);
    for (const file of found.sort()) files.push(file);
  }
  return files;
}
