/** How one language names the pieces of a book. All words in lower case; a new language is one file like its neighbours. */
export interface HeadingLanguage {
  /** ISO 639-1. */
  readonly language: string;
  /** Words before or after a number that name a chapter: "chapter", "stave". */
  readonly chapter: readonly string[];
  /** Words that name what holds chapters: "book", "part". */
  readonly division: readonly string[];
  /** Headings without a number that belong to the story. */
  readonly named: readonly string[];
  /** Headings of what stands around the story and is cut. */
  readonly paratext: readonly string[];
  /** Numbers and ordinals written out, 1 to at least 20, and the tens. */
  readonly numbers: Readonly<Record<string, number>>;
}

/** Pairs several spellings with one number: `spelled(["one", "first"], ["two", "second"])`. */
export function spelled(...forms: readonly (readonly string[])[]): Record<string, number> {
  return Object.fromEntries(forms.flatMap((words, index) => words.map((word) => [word, index + 1])));
}

export const english: HeadingLanguage = {
  language: "en",
  chapter: [
    "chapter",
    "chap",
    "ch",
    "stave",
    "canto",
    "letter",
    "episode",
    "adventure",
    "scene",
    "fit",
    "fytte",
    "section",
    "tale",
    "story",
    "day",
  ],
  division: ["book", "part", "volume", "vol", "act", "phase", "narrative", "period"],
  named: [
    ...[
      "prologue",
      "epilogue",
      "preface",
      "introduction",
      "introductory",
      "foreword",
      "afterword",
      "conclusion",
      "interlude",
    ],
    ...[
      "postscript",
      "finale",
      "coda",
      "prelude",
      "preamble",
      "proem",
      "l'envoi",
      "envoi",
      "intermission",
      "entr'acte",
      "appendix",
    ],
    ...["the prologue", "the epilogue", "introductory note", "author's preface", "author's introduction", "sequel"],
  ],
  paratext: [
    ...[
      "contents",
      "table of contents",
      "the contents",
      "illustrations",
      "list of illustrations",
      "footnotes",
      "note",
      "notes",
      "endnotes",
      "author's note",
      "author's notes",
      "author note",
      "a note from the author",
    ],
    ...[
      "index",
      "dramatis personae",
      "cast of characters",
      "list of characters",
      "glossary",
      "transcriber's note",
      "transcriber's notes",
      "transcribers note",
      "transcriber notes",
      "bibliography",
    ],
    ...[
      "errata",
      "copyright",
      "colophon",
      "title page",
      "titlepage",
      "half title",
      "imprint",
      "cover",
      "dedication",
      "acknowledgments",
    ],
    ...[
      "acknowledgements",
      "advertisements",
      "advertisement",
      "by the same author",
      "other books by the author",
      "about the author",
    ],
    ...[
      "biographical notice",
      "biographical note",
      "biographical sketch",
      "biographical notice of the author",
      "a note on the text",
    ],
    ...[
      "note on the text",
      "publisher's note",
      "editor's note",
      "editor's preface",
      "editor's introduction",
      "translator's note",
    ],
    ...[
      "translator's preface",
      "translator's introduction",
      "publisher's preface",
      "project gutenberg",
      "the project gutenberg license",
    ],
    ...["also by the author", "uncopyright", "list of plates", "maps", "the full project gutenberg license"],
  ],
  numbers: {
    ...spelled(
      ["one", "first"],
      ["two", "second"],
      ["three", "third"],
      ["four", "fourth"],
      ["five", "fifth"],
      ["six", "sixth"],
      ["seven", "seventh"],
      ["eight", "eighth"],
      ["nine", "ninth"],
      ["ten", "tenth"],
      ["eleven", "eleventh"],
      ["twelve", "twelfth"],
      ["thirteen", "thirteenth"],
      ["fourteen", "fourteenth"],
      ["fifteen", "fifteenth"],
      ["sixteen", "sixteenth"],
      ["seventeen", "seventeenth"],
      ["eighteen", "eighteenth"],
      ["nineteen", "nineteenth"],
      ["twenty", "twentieth"],
    ),
    ...{ thirty: 30, thirtieth: 30, forty: 40, fortieth: 40, fifty: 50, fiftieth: 50, sixty: 60, sixtieth: 60 },
    ...{
      seventy: 70,
      seventieth: 70,
      eighty: 80,
      eightieth: 80,
      ninety: 90,
      ninetieth: 90,
      hundred: 100,
      hundredth: 100,
    },
    last: 0,
  },
};
