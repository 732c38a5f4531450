import { createReadStream } from "node:fs";
import { benchFiles } from "../../../bench/bench-folder.ts";
import { folderLanguage, rubricFor } from "../../../bench/folder-language.ts";

/** A population's rubric stands before its novels. */
const HEAD = 64 * 1024;

/** The rubric that is used when none is named: the one in the language of the folder's novels. */
export async function defaultRubric(folder: string): Promise<string> {
  return rubricFor(await folderLanguage(folder));
}

/**
 * What a rubric adds to the names of a judge's files: nothing for the first rubric the judge built a population with, its id for
 * every other, so that no population overwrites one of another rubric.
 */
export async function rubricInNames(folder: string, judge: string, rubric: string): Promise<string | null> {
  const first = await rubricOfPopulation(benchFiles(folder).population(judge));
  return first === null || first === rubric ? null : rubric;
}

async function rubricOfPopulation(file: string): Promise<string | null> {
  let head = "";
  try {
    for await (const chunk of createReadStream(file, { encoding: "utf8", end: HEAD })) head += chunk;
  } catch {
    return null;
  }
  return /"rubric":\{"id":"([^"]+)"/.exec(head)?.[1] ?? null;
}
