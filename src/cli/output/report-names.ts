import { basename, dirname, extname } from "node:path";

/** A name, without an ending, for the report of each file: readable, and no two alike even where capitals do not count. */
export function reportNames(files: readonly string[]): (file: string) => string {
  const chosen = new Map(files.map((file) => [file, readableName(file, files)]));
  const used = new Set<string>();
  return (file) => {
    const name = chosen.get(file) ?? stem(file);
    const isFree = (candidate: string) => !used.has(candidate.toLowerCase());
    let unique = name;
    for (let times = 2; !isFree(unique); times++) unique = `${name}-${times}`;
    used.add(unique.toLowerCase());
    return unique;
  };
}

/** The file's own name; with its folders, and last with its ending, only as far as another file makes that necessary. */
function readableName(file: string, files: readonly string[]): string {
  const others = files.filter((other) => other !== file);
  const candidates = [stem, ...foldersOf(file).map((_, depth) => withFolders(depth + 1)), wholeName];
  const free = candidates.find((nameOf) => {
    const name = nameOf(file).toLowerCase();
    return others.every((other) => nameOf(other).toLowerCase() !== name);
  });
  return (free ?? wholeName)(file);
}

function stem(file: string): string {
  return basename(file, extname(file));
}

function foldersOf(file: string): string[] {
  return dirname(file)
    .split(/[\\/]+/)
    .filter((folder) => folder !== "" && folder !== "." && folder !== "..");
}

function withFolders(depth: number): (file: string) => string {
  return (file) => [...foldersOf(file).slice(-depth), stem(file)].join("-");
}

function wholeName(file: string): string {
  return [...foldersOf(file), basename(file)].join("-");
}
