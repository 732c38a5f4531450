import { Lexer, Marked, type Token, Tokenizer } from "marked";

/** Signs at which Markdown looks for a link, a picture, code or emphasis: at each of them marked reads on to the paragraph's end. */
const SIGNS = /[\\<![`*_~]/g;
/** Signs times letters that a paragraph may cost. A page all in italics with a hundred exclamation marks is far below it. */
const MOST_WORK = 400_000;
const PIECE = 250;
/** The share of signs above which such a piece is noise. */
const MOST_SIGNS = 0.2;

/** No sign of Markdown in it, and an angle bracket only where no other closes it. */
const PLAIN = /^(?:[^\\<![\]`*_~&@:]*|[^\\>![\]`*_~&@:]*)$/;
const LINE_BREAK = / {2}\n|www\./;

/** Marked's own lexer, but a paragraph that would take it quadratic time is read in pieces, cut at spaces. */
class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (PLAIN.test(source) && !LINE_BREAK.test(source)) {
      tokens.push(plainToken(source));
      return tokens;
    }
    const signs = source.length > PIECE ? (source.match(SIGNS)?.length ?? 0) : 0;
    if (signs * source.length <= MOST_WORK) return super.inlineTokens(source, tokens);
    for (let start = 0; start < source.length; ) {
      const piece = source.slice(start, start + PIECE);
      const end = piece.lastIndexOf(" ") + 1 || piece.length;
      const text = piece.slice(0, end);
      if ((text.match(SIGNS)?.length ?? 0) > text.length * MOST_SIGNS) tokens.push(plainToken(text));
      else super.inlineTokens(text, tokens);
      start += end;
    }
    return tokens;
  }
}

function plainToken(text: string): Token {
  return { type: "text", raw: text, text, escaped: false };
}

/** A novel may show a few tables; a file of tens of thousands is none, and each costs far more than its letters. */
const MOST_TABLES = 2000;

class BoundedTokenizer extends Tokenizer {
  #tables = 0;

  override table(source: string) {
    if (this.#tables >= MOST_TABLES) return undefined;
    const table = super.table(source);
    if (table) this.#tables++;
    return table;
  }
}

/** A reader for one document, in time that grows with its length alone. */
export function boundedMarkdown(): Marked {
  const options = { gfm: true, tokenizer: new BoundedTokenizer() };
  return new Marked({ gfm: true, hooks: { provideLexer: () => (source) => new BoundedLexer(options).lex(source) } });
}

/** Quotations and lists deeper than this are noise, and marked reads the text again for each level. */
const DEEPEST = 3;
const MARK = /[ \t]*(?:[>*+-]|\d{1,9}[.)])/y;

const RULE = /^[ \t]*(?:(?:-[ \t]*)+|(?:\*[ \t]*)+)$/;

/** Takes away the marks of the inner levels of absurdly nested quotations and lists; a rule of dashes or asterisks stays. */
export function withoutDeepNesting(source: string): string {
  return source.split("\n").map(shallow).join("\n");
}

function shallow(line: string): string {
  let depth = 0;
  let kept = 0;
  let end = 0;
  MARK.lastIndex = 0;
  while (MARK.test(line)) {
    end = MARK.lastIndex;
    if (++depth === DEEPEST) kept = end;
  }
  return depth <= DEEPEST || RULE.test(line) ? line : line.slice(0, kept) + line.slice(end);
}
