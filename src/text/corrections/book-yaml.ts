import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { parseYaml } from "../../core/parse-yaml.ts";
import type { Metadata } from "../manuscript.ts";
import { type ChapterCorrections, chapterCorrectionsSchema } from "./chapter-corrections.ts";
import {
  type CharacterCorrections,
  characterCorrectionsSchema,
  type StoryCorrections,
  storyCorrectionsSchema,
} from "./character-and-story.ts";

const text = z.union([z.string(), z.number()]).transform(String);
const bookYamlSchema = z.strictObject({
  /** The file that these facts describe, if a folder contains several books. */
  file: text.optional(),
  title: text.optional(),
  author: text.optional(),
  language: text.optional(),
  genres: z.array(text).optional(),
  premise: text.optional(),
  /** Corrections to the chapters that were found. */
  chapters: chapterCorrectionsSchema.optional(),
  /** Corrections to the characters that were found. */
  characters: characterCorrectionsSchema.optional(),
  /** The writer's corrections to close readings. */
  story: storyCorrectionsSchema.optional(),
});

/** What a writer states in the `book.yaml` beside the manuscript. */
export interface BookYaml {
  readonly metadata: Metadata;
  readonly corrections: ChapterCorrections;
  readonly characterCorrections?: CharacterCorrections;
  readonly storyCorrections?: StoryCorrections;
}

/** The file's content for the book of this name; null if it is about another book. */
export function parseBookYaml(source: string, yamlPath: string, book: string): BookYaml | null {
  const parsed = bookYamlSchema.safeParse(contentOf(source, yamlPath));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
    const where = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])].join(".") || "the top";
    throw new FabulaError(
      "E_BOOK_YAML",
      `${yamlPath} is not understood at ${where}: it may contain file, title, author, language, genres, premise, chapters with merge, split, rename or front-matter, characters with merge, split, rename or drop, and story with intended or facts.`,
      {
        cause: parsed.error,
      },
    );
  }
  const { file, chapters = [], characters, story, ...facts } = parsed.data;
  if (file !== undefined && file !== book) return null;
  const metadata = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return {
    metadata,
    corrections: chapters,
    ...(characters && { characterCorrections: characters }),
    ...(story && { storyCorrections: story }),
  };
}

function contentOf(source: string, path: string): unknown {
  try {
    return parseYaml(source) ?? {};
  } catch (cause) {
    throw new FabulaError(
      "E_BOOK_YAML",
      `${path} is not valid YAML: ${cause instanceof Error ? cause.message.split("\n")[0]?.replace(/:$/, ".") : cause}`,
      { cause },
    );
  }
}
