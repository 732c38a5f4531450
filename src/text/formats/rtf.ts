import { FabulaError } from "../../core/errors.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { singleSpaced } from "../words.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";
import {
  addWritten,
  LINE_BREAK,
  levelOfOutline,
  styleNamed,
  type WrittenParagraph,
  withNotes,
  writtenBlocks,
} from "./written-text.ts";

/** Rich Text Format, as Word, TextEdit, Scrivener and LibreOffice write it. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const source = Buffer.from(bytes).toString("latin1");
    if (!/^\s*\{\\rtf/.test(source)) {
      throw new FabulaError("E_RTF", `${name} is named like an RTF document but is not one: save it as RTF again.`);
    }
    const { paragraphs, metadata, encoding } = new RtfReader(source).read();
    const written = writtenBlocks(paragraphs, name);
    return {
      ...{ blocks: written.blocks, removed: written.removed, encoding, warnings: [] },
      metadata: { ...metadata, ...written.metadata },
    };
  },
};

/** The state that a group may change and that its end restores. */
interface State {
  /** Where the text goes: into the story, a note, a style's name, a property of the file, or nowhere. */
  destination: "text" | "note" | "stylesheet" | "fonts" | "title" | "author" | "info" | "skip";
  isBold: boolean;
  isHidden: boolean;
  /** How many fallback characters follow each Unicode character, for programs without Unicode. */
  fallback: number;
  font: number;
}

interface Style {
  name: string;
  outline: number | null;
  parent: number | null;
}

/** Groups without text of the story. Anything else that begins with \* is skipped too. */
const SKIPPED = new Set(
  "colortbl filetbl pict object header headerl headerr headerf footer footerl footerr footerf fldinst listtable listoverridetable rsidtbl revtbl xmlnstbl themedata colorschememapping datastore latentstyles generator mmathPr wgrffmtfilter panose falt nonshppict shppict sp shpinst bkmkstart bkmkend annotation atnid atnauthor atnref atnicn private comment doccomm company operator category keywords subject manager hlinkbase buptim creatim revtim printim tc xe template pntext pntxta pntxtb background ftnsep ftnsepc aftnsep aftnsepc userprops".split(
    " ",
  ),
);
const SIGNS: Readonly<Record<string, string>> = {
  ...{ emdash: "—", endash: "–", lquote: "‘", rquote: "’", ldblquote: "“", rdblquote: "”", bullet: "•" },
  ...{ tab: " ", emspace: " ", enspace: " ", qmspace: " ", line: LINE_BREAK, cell: " ", nestcell: " " },
};
/** The code pages of Windows' font character sets. */
const CHARSETS: Readonly<Record<number, number>> = {
  ...{ 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256 },
  ...{ 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};
const DECODERS: Readonly<Record<number, string>> = {
  ...{
    932: "shift_jis",
    936: "gbk",
    949: "euc-kr",
    950: "big5",
    874: "windows-874",
    10000: "macintosh",
    65001: "utf-8",
  },
  ...{ 437: "windows-1252", 850: "windows-1252", 10007: "x-mac-cyrillic", 866: "ibm866" },
};
const DEEPEST_GROUP = 5000;

class RtfReader {
  readonly #source: string;
  readonly #paragraphs: WrittenParagraph[] = [];
  readonly #notes: WrittenParagraph[] = [];
  readonly #facts = { title: "", author: "" };
  readonly #styles = new Map<number, Style>();
  readonly #codePages = new Map<number, number>();
  readonly #stack: State[] = [];
  #state: State = { destination: "text", isBold: false, isHidden: false, fallback: 1, font: 0 };
  #codePage = 1252;
  /** Bytes in the file's code page that wait for the rest of their character. */
  #pending: number[] = [];
  /** Fallback characters still to be skipped after a Unicode character. */
  #toSkip = 0;
  #isStarred = false;
  #noteCount = 0;
  #style = { number: 0, name: "", outline: null as number | null, parent: null as number | null };
  #fontNumber = 0;

  #open = openParagraph();
  #note = openParagraph();

  constructor(source: string) {
    this.#source = source;
  }

  read(): { paragraphs: readonly WrittenParagraph[]; metadata: Metadata; encoding: string } {
    const source = this.#source;
    const length = source.length;
    let at = 0;
    while (at < length) {
      const sign = source.charCodeAt(at);
      if (sign === BACKSLASH) at = this.#control(at + 1);
      else if (sign === OPEN) {
        this.#flush();
        if (this.#stack.length >= DEEPEST_GROUP) {
          throw new FabulaError("E_RTF", `The file nests groups ${DEEPEST_GROUP} deep: it is not a book.`);
        }
        this.#stack.push({ ...this.#state });
        this.#isStarred = false;
        at++;
      } else if (sign === CLOSE) {
        this.#close();
        at++;
      } else if (sign === 10 || sign === 13) at++;
      else {
        let end = at + 1;
        while (end < length && !ENDS_TEXT.includes(source[end]!)) end++;
        this.#plain(source.slice(at, end));
        at = end;
      }
    }
    this.#flush();
    this.#endParagraph();
    const { title, author } = this.#facts;
    const metadata = statedMetadata({ title: singleSpaced(title), author: singleSpaced(author) });
    const name = this.#codePage === 65001 ? "UTF-8" : `RTF, code page ${this.#codePage}`;
    return { paragraphs: withNotes(this.#paragraphs, this.#notes), metadata, encoding: name };
  }

  /** Processes one control word or sign after its backslash; returns where the text continues. */
  #control(at: number): number {
    const source = this.#source;
    const sign = source[at] ?? "";
    if (!/[a-zA-Z]/.test(sign)) return this.#controlSign(sign, at);
    CONTROL_WORD.lastIndex = at;
    const match = CONTROL_WORD.exec(source);
    const word = match?.[1] ?? "";
    const number = match?.[2] === undefined ? null : Number(match[2]);
    const end = at + (match?.[0].length ?? 1);
    if (word === "bin") return end + Math.max(0, number ?? 0);
    if (word === "u") {
      this.#flush();
      const code = (number ?? 0) < 0 ? (number ?? 0) + 65_536 : (number ?? 0);
      if (code > 0 && code <= 0x10ffff)
        this.#add(code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code));
      this.#toSkip = this.#state.fallback;
      return end;
    }
    this.#flush();
    this.#toSkip = 0;
    this.#word(word, number);
    return end;
  }

  #controlSign(sign: string, at: number): number {
    if (sign === "'") {
      const code = Number.parseInt(this.#source.slice(at + 1, at + 3), 16);
      if (this.#toSkip > 0) this.#toSkip--;
      else if (!Number.isNaN(code)) this.#pending.push(code);
      return at + 3;
    }
    this.#flush();
    if (sign === "*") this.#isStarred = true;
    else if (sign === "\r" || sign === "\n") this.#endParagraph();
    else if (this.#toSkip > 0) this.#toSkip--;
    else if (sign === "~") this.#add("\u00a0");
    else if (sign === "_") this.#add("-");
    else if (sign === "\\" || sign === "{" || sign === "}") this.#add(sign);
    return at + 1;
  }

  #word(word: string, number: number | null): void {
    const state = this.#state;
    const isStarred = this.#isStarred;
    this.#isStarred = false;
    if (state.destination === "skip") return;
    if (word === "stylesheet" || word === "info") state.destination = word;
    else if (word === "fonttbl") state.destination = "fonts";
    else if (state.destination === "info" && (word === "title" || word === "author")) state.destination = word;
    else if (SKIPPED.has(word)) state.destination = "skip";
    else if (word === "footnote") this.#beginNote();
    else if (isStarred && state.destination !== "stylesheet") state.destination = "skip";
    else if (state.destination === "fonts") this.#fontWord(word, number);
    else if (state.destination === "stylesheet") this.#styleWord(word, number);
    else this.#textWord(word, number);
  }

  #fontWord(word: string, number: number | null): void {
    if (word === "f") this.#fontNumber = number ?? 0;
    else if (word === "fcharset" && CHARSETS[number ?? 0])
      this.#codePages.set(this.#fontNumber, CHARSETS[number ?? 0]!);
    else if (word === "cpg" && number) this.#codePages.set(this.#fontNumber, number);
  }

  #styleWord(word: string, number: number | null): void {
    if (word === "s") this.#style.number = number ?? 0;
    // A character style says nothing about a paragraph.
    else if (word === "cs" || word === "ts" || word === "ds") this.#style.number = -1;
    else if (word === "outlinelevel") this.#style.outline = number;
    else if (word === "sbasedon") this.#style.parent = number;
  }

  #textWord(word: string, number: number | null): void {
    const state = this.#state;
    const open = this.#paragraph;
    switch (word) {
      case "par":
      case "row":
      case "nestrow":
        this.#endParagraph();
        break;
      case "pard":
        // The contents of a table's cells stay in one paragraph.
        Object.assign(open, { level: 0, role: null, isCentred: false });
        break;
      case "page":
      case "sect":
        if (open.text.trim() !== "") this.#endParagraph();
        this.#paragraph.startsPage = true;
        break;
      case "pagebb":
        open.startsPage = true;
        break;
      case "s":
        Object.assign(open, this.#styleOf(number ?? 0));
        break;
      case "outlinelevel":
        open.level = levelOfOutline(number) ?? open.level;
        break;
      case "qc":
      case "ql":
      case "qr":
      case "qj":
        open.isCentred = word === "qc";
        break;
      case "b":
        state.isBold = number !== 0;
        break;
      case "plain":
        Object.assign(state, { isBold: false, isHidden: false });
        break;
      case "v":
      case "deleted":
        state.isHidden = number !== 0;
        break;
      case "uc":
        state.fallback = Math.max(0, Math.min(8, number ?? 1));
        break;
      case "f":
        state.font = number ?? 0;
        break;
      case "ansicpg":
        if (number) this.#codePage = number;
        break;
      case "mac":
        this.#codePage = 10000;
        break;
      case "chftn":
        this.#add(`[${this.#noteCount + (state.destination === "note" ? 0 : 1)}]`);
        break;
      default: {
        const sign = SIGNS[word];
        if (sign !== undefined) this.#add(sign);
      }
    }
  }

  #beginNote(): void {
    this.#state.destination = "note";
    this.#noteCount++;
    this.#note = openParagraph();
  }

  #close(): void {
    this.#flush();
    const closed = this.#state;
    this.#isStarred = false;
    this.#toSkip = 0;
    const outer = this.#stack.pop();
    if (closed.destination === "note" && outer?.destination !== "note") {
      this.#endParagraph();
    } else if (closed.destination === "stylesheet") this.#endStyle();
    if (outer) this.#state = outer;
  }

  #endStyle(): void {
    const { number, name, outline, parent } = this.#style;
    if (number >= 0 && name !== "")
      this.#styles.set(number, { name: singleSpaced(name.replace(/;.*$/s, "")), outline, parent });
    this.#style = { number: 0, name: "", outline: null, parent: null };
  }

  /** A style may be based on others, over a few steps. */
  #styleOf(number: number): Pick<WrittenParagraph, "level" | "role"> {
    let at: number | null = number;
    for (let step = 0; at !== null && step < 10; step++) {
      const style: Style | undefined = this.#styles.get(at);
      if (!style) break;
      const level = levelOfOutline(style.outline);
      const said = styleNamed(style.name) ?? (level === null ? null : { level, role: null });
      if (said) return said;
      at = style.parent === at ? null : style.parent;
    }
    return { level: 0, role: null };
  }

  #plain(text: string): void {
    const from = Math.min(this.#toSkip, text.length);
    this.#toSkip -= from;
    if (from >= text.length) return;
    // Japanese and Chinese files write the second byte of a character unescaped.
    if (this.#pending.length > 0 || HIGH.test(text))
      for (let at = from; at < text.length; at++) this.#pending.push(text.charCodeAt(at));
    else this.#add(text.slice(from));
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Uint8Array.from(this.#pending);
    this.#pending = [];
    const page = this.#codePages.get(this.#state.font) ?? this.#codePage;
    this.#add(decoderOf(page).decode(bytes));
  }

  #add(text: string): void {
    const { destination, isBold, isHidden } = this.#state;
    switch (destination) {
      case "title":
      case "author":
        this.#facts[destination] += text;
        break;
      case "stylesheet":
        this.#style.name += text;
        break;
      case "text":
      case "note": {
        if (isHidden) break;
        const open = this.#paragraph;
        open.text += text;
        if (text.trim() === "") break;
        if (isBold) open.hasBold = true;
        else open.hasPlain = true;
        break;
      }
      case "fonts":
      case "info":
      case "skip":
        break;
      default:
        destination satisfies never;
    }
  }

  get #paragraph(): OpenParagraph {
    return this.#state.destination === "note" ? this.#note : this.#open;
  }

  /** The next paragraph keeps the formatting of this one, until \pard. */
  #endParagraph(): void {
    const isNote = this.#state.destination === "note";
    const { hasBold, hasPlain, ...paragraph } = this.#paragraph;
    const next = { ...paragraph, text: "", startsPage: false, hasBold: false, hasPlain: false };
    addWritten(isNote ? this.#notes : this.#paragraphs, { ...paragraph, isBold: hasBold && !hasPlain });
    if (isNote) this.#note = next;
    else this.#open = next;
  }
}

interface OpenParagraph extends WrittenParagraph {
  hasBold: boolean;
  hasPlain: boolean;
}

function openParagraph(): OpenParagraph {
  return {
    ...{ text: "", level: 0, role: null, isCentred: false, isBold: false, startsPage: false },
    ...{ hasBold: false, hasPlain: false },
  };
}

const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;
const ENDS_TEXT = "\\{}\r\n";
const HIGH = /[\x80-\xff]/;
const CONTROL_WORD = /([a-zA-Z]{1,32})(-?\d{1,10})? ?/y;

const decoders = new Map<number, InstanceType<typeof TextDecoder>>();

function decoderOf(codePage: number): InstanceType<typeof TextDecoder> {
  const known = decoders.get(codePage);
  if (known) return known;
  const name = DECODERS[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : "windows-1252");
  const decoder = new TextDecoder(name);
  decoders.set(codePage, decoder);
  return decoder;
}
