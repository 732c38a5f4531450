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
  /** What closes the last chapter: put to it once, since a file may have thousands. */
  #closings: RawChapter[] = [];

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
    if (this.#chapters.length > 0) this.#closings.push(piece);
    else this.#waiting.push(piece);
  }

  addChapter(chapter: RawChapter): void {
    this.#close();
    this.#chapters.push(this.#waiting.length > 0 ? joined([...this.#waiting, chapter], chapter) : chapter);
    this.#waiting = [];
  }

  finish(): { chapters: readonly RawChapter[]; parts: readonly RawPartPage[] } {
    const isNumbered = this.#chapters.length > 0;
    for (const piece of this.#waiting) {
      if (isNumbered) this.#closings.push(piece);
      else if (piece.title !== MOTTO) this.#chapters.push(piece);
    }
    this.#close();
    return { chapters: this.#chapters, parts: this.#parts };
  }

  #close(): void {
    const last = this.#closings.length > 0 ? this.#chapters.pop() : undefined;
    if (last) this.#chapters.push(joined([last, ...this.#closings], last));
    this.#closings = [];
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
