import { loadJudgedChapters } from "../../pocket/judged-chapters.ts";
import type { Lesson } from "../lesson.ts";

/** Chapters with the grader's overall grade; families are stories, so that a split can leave out both. */
export async function loadGradedChapters(path: string): Promise<Lesson[]> {
  const chapters = await loadJudgedChapters(path);
  return chapters.map(
    ({ text, targets, story, writer }): Lesson => ({
      text,
      source: "graded-chapters",
      target: targets[0]!,
      family: story,
      writer,
    }),
  );
}
