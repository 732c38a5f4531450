import { benchmark } from "./english/benchmark.ts";
import { book } from "./english/book.ts";
import { chapterCorrections } from "./english/chapters.ts";
import { compare } from "./english/compare.ts";
import { desk } from "./english/desk.ts";
import { disagreements } from "./english/disagreements.ts";
import { drafts } from "./english/drafts.ts";
import { evaluate } from "./english/evaluate.ts";
import { figures } from "./english/figures.ts";
import { grid } from "./english/grid.ts";
import { job } from "./english/job.ts";
import { library } from "./english/library.ts";
import { map } from "./english/map.ts";
import { notes } from "./english/notes.ts";
import { questions } from "./english/questions.ts";
import { reader } from "./english/reader.ts";
import { readers } from "./english/readers.ts";
import { report } from "./english/report.ts";
import { runs } from "./english/runs.ts";
import { settings } from "./english/settings.ts";
import { shell } from "./english/shell.ts";
import { trust } from "./english/trust.ts";

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
