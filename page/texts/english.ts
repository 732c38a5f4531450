import { book, chapterCorrections, desk, drafts, library, map, notes, reader } from "./english/desk.ts";
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
} from "./english/lab.ts";
import { figures, job, settings, shell } from "./english/shell.ts";

/** Every text of the web app in English, view by view. What judges, readers and manuscripts say is shown as they said it. */
export const english = {
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

export type Texts = typeof english;
