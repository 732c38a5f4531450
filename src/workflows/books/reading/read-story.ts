import { readFile } from "node:fs/promises";
import { FabulaError } from "../../../core/errors.ts";
import { hasContent, type Story, storySchema } from "../../../reader/predictor/story.ts";

/** A story from a JSON file (title, genres, premise, plot_summary, characters), or from plain text, read as its plot. */
export async function readStoryFile(path: string): Promise<Story> {
  let source: string;
  try {
    source = await readFile(path, "utf8");
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${path}" could not be read: check the path.`, { cause });
  }
  const story = storySchema.parse(path.toLowerCase().endsWith(".json") ? parsed(source, path) : plain(source));
  if (hasContent(story)) return story;
  throw new FabulaError(
    "E_STORY_EMPTY",
    `"${path}" describes no story: give JSON with plot_summary, premise, characters or genres, or a text that tells the plot.`,
  );
}

function parsed(source: string, path: string): unknown {
  try {
    const value: unknown = JSON.parse(source);
    return typeof value === "object" && value !== null ? value : {};
  } catch (cause) {
    throw new FabulaError("E_FILE_READ", `"${path}" is not JSON: correct it, or give the plot as plain text.`, {
      cause,
    });
  }
}

/** A first line that is a heading is the title. */
function plain(source: string) {
  const heading = /^#\s+(.+)\n/.exec(source);
  return { title: heading?.[1], plot_summary: heading ? source.slice(heading[0].length) : source };
}
