import { benchmark } from "./chinese/benchmark.ts";
import { book } from "./chinese/book.ts";
import { chapterCorrections } from "./chinese/chapters.ts";
import { compare } from "./chinese/compare.ts";
import { desk } from "./chinese/desk.ts";
import { disagreements } from "./chinese/disagreements.ts";
import { drafts } from "./chinese/drafts.ts";
import { evaluate } from "./chinese/evaluate.ts";
import { figures } from "./chinese/figures.ts";
import { grid } from "./chinese/grid.ts";
import { job } from "./chinese/job.ts";
import { library } from "./chinese/library.ts";
import { map } from "./chinese/map.ts";
import { notes } from "./chinese/notes.ts";
import { questions } from "./chinese/questions.ts";
import { reader } from "./chinese/reader.ts";
import { readers } from "./chinese/readers.ts";
import { report } from "./chinese/report.ts";
import { runs } from "./chinese/runs.ts";
import { settings } from "./chinese/settings.ts";
import { shell } from "./chinese/shell.ts";
import { trust } from "./chinese/trust.ts";
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
