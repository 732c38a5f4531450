import { readFile } from "node:fs/promises";
import { isShippedRubric, loadRubric } from "../../../criteria/load-rubric.ts";

/** The text of the user's own rubric, which workers do not have; null for one that ships. */
export async function rubricText(rubric: string): Promise<string | null> {
  if (isShippedRubric(rubric)) return null;
  await loadRubric(rubric);
  return readFile(rubric, "utf8");
}
