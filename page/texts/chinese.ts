import { book, chapterCorrections, desk, drafts, library, map, notes, reader } from "./chinese/desk.ts";
import {
  benchmark,
  compare,
  disagreements,
  evaluate,
  grid,
  questions,
  readers,
  report,
  runs,
  trust,
} from "./chinese/lab.ts";
import { figures, job, settings, shell } from "./chinese/shell.ts";
import type { Texts } from "./english.ts";

/** Every text of the web app in Chinese, view by view. */
export const chinese: Texts = {
  ...shell,
  ...figures,
  ...desk,
  ...library,
  ...book,
  ...drafts,
  ...chapterCorrections,
  ...evaluate,
  ...job,
  ...report,
  ...trust,
  ...map,
  ...reader,
  ...notes,
  ...compare,
  ...disagreements,
  ...grid,
  ...readers,
  ...benchmark,
  ...questions,
  ...runs,
  ...settings,
};
