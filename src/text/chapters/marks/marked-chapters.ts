import type { RawChapter, RawPartPage } from "../raw-chapter.ts";

/**
 * The chapters of a file that declares its pages, as its own list counts them: what has no number (a prologue, an epilogue)
 * is counted with its numbered neighbour, text and heading kept. Where nothing has a number, such pieces are the chapters.
 */
export class MarkedChapters {
  readonly #chapters: RawChapter[] = [];
  readonly #parts: RawPartPage[] = [];
  /** Openings that wait for the chapter they belong to. */
  #waiting: RawChapter[] = [];
  addPart(title: string, part: string | null): void {
    this.#parts.push({ title, part, chaptersBefore: this.#chapters.length });
  }

  /** What stands under the title of a part opens the chapter that follows. */
  addMotto(text: string): void {
    if (text !== "") this.#waiting.push({ title: MOTTO, part: null, text });
  }

  addOpening(piece: RawChapter): void {
    this.#waiting.push(piece);
  }

  addClosing(piece: RawChapter): void {
    const last = this.#chapters.pop();
    if (last) this.#chapters.push(joined([last, piece], last));
    else this.#waiting.push(piece);
  }

  addChapter(chapter: RawChapter): void {
    this.#chapters.push(this.#waiting.length > 0 ? joined([...this.#waiting, chapter], chapter) : chapter);
    this.#waiting = [];
  }

  finish(): { chapters: readonly RawChapter[]; parts: readonly RawPartPage[] } {
    if (this.#chapters.length === 0) this.#chapters.push(...this.#waiting.filter(({ title }) => title !== MOTTO));
    else for (const piece of this.#waiting) this.addClosing(piece);
    return { chapters: this.#chapters, parts: this.#parts };
  }
}

/** A motto has no title, and is no piece that anybody would list. */
const MOTTO = "";

/** The chapter with the others' text around its own, in reading order; each of the others keeps its heading. */
function joined(pieces: readonly RawChapter[], chapter: RawChapter): RawChapter {
  const others = pieces.filter((piece) => piece !== chapter);
  const text = pieces.flatMap((piece) =>
    piece === chapter || piece.title === null || piece.title === MOTTO ? [piece.text] : [piece.title, piece.text],
  );
  const pieceTitles = others.flatMap(({ title }) => (title === MOTTO ? [] : [title ?? "(no title)"]));
  const includes = [...(chapter.includes ?? []), ...pieceTitles];
  return { ...chapter, text: text.join("\n\n"), ...(includes.length > 0 && { includes }) };
}
