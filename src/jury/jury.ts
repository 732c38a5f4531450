import { graderJuror } from "./grader-juror.ts";
import { type GroundModel, loadGround } from "./ground.ts";
import type { Juror, JurorId, Opinion } from "./juror.ts";
import { loadLinearJuror } from "./linear-juror.ts";
import { type LineNotes, loadLineNotes } from "./notes/line-notes.ts";
import { loadPocketJudge } from "./pocket-judge.ts";
import { type PreparedText, prepareText } from "./prepare-text.ts";

/** The embedded judges. They are never averaged: where they disagree, that is what a report shows. */
export interface Jury {
  readonly jurors: Readonly<Record<JurorId, Juror>>;
  readonly notes: LineNotes;
  readonly ground: GroundModel;
  /** Reads a text once for everything below. */
  prepare(text: string): PreparedText;
  /** What all three say of a text, or of a book as the texts of its chapters. */
  judge(chapters: readonly PreparedText[]): Readonly<Record<JurorId, Opinion>>;
}

let shipped: Promise<Jury> | undefined;

/** The jury that ships with the package, loaded once. */
export function loadJury(): Promise<Jury> {
  shipped ??= load();
  return shipped;
}

async function load(): Promise<Jury> {
  const ground = loadGround();
  const jurors = {
    crowd: loadLinearJuror("crowd", ground),
    editor: loadLinearJuror("editor", ground),
    grader: graderJuror(await loadPocketJudge(), ground),
  };
  return {
    jurors,
    notes: loadLineNotes(),
    ground,
    prepare: prepareText,
    judge: (chapters) => ({
      crowd: jurors.crowd.judge(chapters),
      editor: jurors.editor.judge(chapters),
      grader: jurors.grader.judge(chapters),
    }),
  };
}
