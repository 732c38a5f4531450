/**
 * Prose as the jurors read it: tokens as hashes, and sentences as sequences of tokens with their positions in the
 * text.
 */
export interface ScannedProse {
  /** What each token is: a word, a mark, a number, or "name". */
  readonly tokens: Uint32Array;
  /**
   * The grammatical shape of each token: a function word or mark is itself, any other word only its ending. Style
   * counts use it.
   */
  readonly shapes: Uint32Array;
  /** Other properties of each token: its {@link LETTERS}, {@link FUNCTION_WORD}, {@link CONTRACTED}. */
  readonly traits: Uint8Array;
  /** Where each token begins and ends in the text. */
  readonly tokenStarts: Uint32Array;
  readonly tokenEnds: Uint32Array;
  readonly sentenceCount: number;
  /** Sentence `s` holds the tokens from `firstToken[s]` up to `firstToken[s + 1]`. */
  readonly firstToken: Uint32Array;
  /** Where each sentence begins and ends in the text. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The number of words in each sentence, without punctuation. */
  readonly words: Uint32Array;
  readonly opensParagraph: Uint8Array;
  readonly wordCount: number;
  readonly functionWordCount: number;
  /** Letters of scripts that English does not use. */
  readonly foreignLetters: number;
}

/** Mask for a token's length in letters, 31 for longer ones; 0 for punctuation and numbers. */
export const LETTERS = 31;
export const FUNCTION_WORD = 32;
export const CONTRACTED = 64;

/** A sequence of words without a full stop is cut here, so that no sentence can be longer than a window. */
const LONGEST_SENTENCE = 150;

/** Collects the scanner's tokens and decides where sentences end. */
export class ScanBuffer {
  foreignLetters = 0;
  /**
   * True where a capital letter is not significant: at the start of a sentence or a speech, or after a dash or colon.
   */
  expectsCapital = true;
  lastWord = 0;

  private tokens: Uint32Array;
  private shapes: Uint32Array;
  private traits: Uint8Array;
  private tokenStarts: Uint32Array;
  private tokenEnds: Uint32Array;
  private tokenCount = 0;
  private readonly firstToken: number[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly words: number[] = [];
  private readonly opensParagraph: number[] = [];
  private wordCount = 0;
  private functionWordCount = 0;

  private sentenceFirst = 0;
  private sentenceStart = -1;
  private sentenceEnd = 0;
  private sentenceWords = 0;
  private stopped = false;
  private newParagraph = true;

  constructor(characters: number) {
    const capacity = Math.max(64, Math.ceil(characters / 4));
    this.tokens = new Uint32Array(capacity);
    this.shapes = new Uint32Array(capacity);
    this.traits = new Uint8Array(capacity);
    this.tokenStarts = new Uint32Array(capacity);
    this.tokenEnds = new Uint32Array(capacity);
  }

  /** A capitalised word after a stop begins a new sentence: "Run!" he said continues, "Run!" He ran does not. */
  beforeWord(capital: boolean): void {
    if ((this.stopped && capital) || this.sentenceWords >= LONGEST_SENTENCE) this.endSentence();
    this.stopped = false;
  }

  beforeOpening(): void {
    if (this.stopped) this.endSentence();
  }

  stop(): void {
    this.stopped = true;
  }

  addWord(token: number, shape: number, start: number, end: number, traits: number): void {
    this.push(token, shape, Math.min(end - start, LETTERS) | traits, start, end);
    this.sentenceWords++;
    this.wordCount++;
    if (traits & FUNCTION_WORD) this.functionWordCount++;
    this.lastWord = token;
    this.expectsCapital = false;
  }

  addMark(token: number, start: number, end: number, expectsCapital = this.expectsCapital): void {
    this.push(token, token, 0, start, end);
    this.expectsCapital = expectsCapital;
  }

  endParagraph(): void {
    this.endSentence();
    this.newParagraph = true;
  }

  finish(): ScannedProse {
    return {
      tokens: this.tokens.subarray(0, this.tokenCount),
      shapes: this.shapes.subarray(0, this.tokenCount),
      traits: this.traits.subarray(0, this.tokenCount),
      tokenStarts: this.tokenStarts.subarray(0, this.tokenCount),
      tokenEnds: this.tokenEnds.subarray(0, this.tokenCount),
      sentenceCount: this.starts.length,
      firstToken: Uint32Array.from([...this.firstToken, this.tokenCount]),
      starts: Uint32Array.from(this.starts),
      ends: Uint32Array.from(this.ends),
      words: Uint32Array.from(this.words),
      opensParagraph: Uint8Array.from(this.opensParagraph),
      wordCount: this.wordCount,
      functionWordCount: this.functionWordCount,
      foreignLetters: this.foreignLetters,
    };
  }

  private endSentence(): void {
    this.stopped = false;
    this.expectsCapital = true;
    if (this.sentenceStart === -1) return;
    if (this.sentenceWords > 0) {
      this.firstToken.push(this.sentenceFirst);
      this.starts.push(this.sentenceStart);
      this.ends.push(this.sentenceEnd);
      this.words.push(this.sentenceWords);
      this.opensParagraph.push(this.newParagraph ? 1 : 0);
      this.newParagraph = false;
    } else this.tokenCount = this.sentenceFirst;
    this.sentenceFirst = this.tokenCount;
    this.sentenceStart = -1;
    this.sentenceWords = 0;
  }

  private push(token: number, shape: number, traits: number, start: number, end: number): void {
    if (this.tokenCount === this.tokens.length) this.grow();
    this.tokens[this.tokenCount] = token;
    this.shapes[this.tokenCount] = shape;
    this.traits[this.tokenCount] = traits;
    this.tokenStarts[this.tokenCount] = start;
    this.tokenEnds[this.tokenCount] = end;
    this.tokenCount++;
    if (this.sentenceStart === -1) this.sentenceStart = start;
    this.sentenceEnd = end;
  }

  private grow(): void {
    const enlarged = <A extends Uint32Array | Uint8Array>(from: A, into: A): A => {
      into.set(from);
      return into;
    };
    const capacity = this.tokens.length * 2;
    this.tokens = enlarged(this.tokens, new Uint32Array(capacity));
    this.shapes = enlarged(this.shapes, new Uint32Array(capacity));
    this.traits = enlarged(this.traits, new Uint8Array(capacity));
    this.tokenStarts = enlarged(this.tokenStarts, new Uint32Array(capacity));
    this.tokenEnds = enlarged(this.tokenEnds, new Uint32Array(capacity));
  }
}
