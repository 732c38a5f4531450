/**
 * The patterns of LiteraryQA's second cleaning algorithm (appendix B), as data. Each is tested against one line of a plain
 * text, or one block of a marked-up one. A rule names what it takes, and `fabula read --show-removed` prints that name.
 */
export interface LineRule {
  readonly rule: string;
  readonly pattern: RegExp;
  /** Not where the line goes on from the one above it: a wrapped sentence may have the same words there. */
  readonly isOwnLine?: true;
  /** What must stand somewhere above the line: the words alone prove nothing. */
  readonly above?: RegExp;
  /** What a paragraph from so many words on must say: novels have credits and notes of their own. */
  readonly proof?: { readonly words: RegExp; readonly from: number };
}

/** What transcribers write about. A novel may have a transcriber of its own, who goes on about something else. */
const TRANSCRIBING = {
  from: 6,
  words:
    /typograph|spelling|spelt|punctuat|hyphen|error|correct|obvious|printe[dr]|original|edition|footnote|illustration|italic|underscore|e-?text|e-?book|gutenberg|scan|page|cover|public domain|https?:/i,
};

/** What stands before is not the book: the buffer starts again after the line. */
export const START_RULES: readonly LineRule[] = [
  { rule: "Project Gutenberg header", pattern: /^\W*START OF (?:THE|THIS) PROJECT GUTENBERG/i },
  { rule: "Project Gutenberg header", pattern: /\*END\*?\s*THE SMALL PRINT|^\s*\*END THE SMALL PRINT/i },
  { rule: "Project Gutenberg header", pattern: /\*END\*\s*$/i, above: /SMALL PRINT|PROJECT GUTENBERG/i },
  { rule: "site header", pattern: /^[\s　]*[-—=*]+章节内容开始[-—=*]+/u },
];

/** What stands after is not the book, wherever the line is: no story says these words. */
export const CERTAIN_END_RULES: readonly LineRule[] = [
  { rule: "Project Gutenberg footer", pattern: /^\W*END OF (?:THE |THIS )?PROJECT GUTENBERG/i },
  { rule: "Project Gutenberg footer", pattern: /^\W*End of (?:the |this )?Project Gutenberg['’]?s?\b/i },
  { rule: "Project Gutenberg licence", pattern: /^\W*(?:THE FULL PROJECT GUTENBERG LICEN[SC]E|START:? FULL LICENSE)/i },
];

/**
 * What stands after is taken for the end only in the last tenth of the text, and only when no chapter follows; otherwise the
 * line is kept. A character may say "The end." in the middle of a sentence's life, so only a title's capitals count.
 */
export const LIKELY_END_RULES: readonly LineRule[] = [
  {
    rule: "end matter",
    pattern: /^\W*(?:THE END|The End|FINIS|Finis|FIN|Fin|ENDE|Ende|КОНЕЦ|Конец|全书完|（?全文完）?|本书完|完結)\W*$/u,
  },
  { rule: "transcriber's note", pattern: /^\W*Transcriber['’]?s['’]? notes?\b/i, proof: TRANSCRIBING },
];
/** The share of the text after which a likely end is believed. */
export const END_SHARE = 0.9;

/** Lines that are no narrative anywhere. */
export const SKIP_RULES: readonly LineRule[] = [
  {
    rule: "illustration",
    pattern: /^\s*\[\s*(?:Illustration|Frontispiece|Decoration|Blank page)\b[^\]]{0,400}\]?\s*$/i,
  },
  { rule: "illustration", pattern: /^\s*(?:\[?(?:left|right) side image\]?\s*)+$/i },
  {
    rule: "page number",
    pattern:
      /^\s*(?:\[?\s*(?:page|pg\.?|p\.)\s*\d+(?:\s*(?:of|\/)\s*\d+)?\s*\]?|[-–—]+\s*\d+\s*[-–—]+|\{\d+\}|\[\d+\])\s*$/i,
  },
  {
    rule: "credits",
    pattern:
      /^\s*(?:P(?:roduced|RODUCED) (?:by|BY) (?:an? |the )?\p{Lu}|E-?[Tt]ext (?:prepared|produced|scanned)|This (?:[Ee]-?[Tt]ext|[Ee][Bb]ook) was (?:prepared|produced|created|typed|scanned)|This file was (?:prepared|produced|created|typed|scanned) (?:by \p{Lu}|from (?:images|scans|page))|Scanned (?:and (?:proof|OCR|correct|format|convert|edit)|by \p{Lu})|Transcribed (?:by \p{Lu}|from the .{0,60}(?:\d{4}|edition))|HTML version by|This book has been put on-?line|Updated editions? will replace|Note: Project Gutenberg also has)/u,
    isOwnLine: true,
    proof: { from: 40, words: /gutenberg|proof|e-?text|e-?book|https?:|www\.|@|archive|images|scan|edition|html/i },
  },
  { rule: "Project Gutenberg notice", pattern: /^\W*(?:The )?Project Gutenberg(?:['’]s)? (?:e-?text|ebook|editor)/i },
  {
    rule: "Project Gutenberg notice",
    // A note that only says "Editor's" may be by an editor whom the novel invents.
    pattern: /^\s*\[(?:Project Gutenberg|Transcriber)['’]?s? (?:Editor['’]?s )?note/i,
  },
  {
    rule: "transcriber's note",
    pattern: /^\s*[[({]?\s*Transcriber['’]?s['’]? notes?\b/i,
    proof: TRANSCRIBING,
  },
  {
    rule: "site notice",
    pattern: /^.{0,40}(?:更新时间|更新時間|更新日期|本章字数|本章字數|字数|字數)[\s　]*[:：]\D{0,6}\d.{0,60}$/u,
  },
  { rule: "site notice", pattern: /^[\s　]*[（(【]?本章(?:未完.{0,20}|完)[）)】]?[\s　]*$/u },
  {
    rule: "site notice",
    pattern: /^(?=.*\p{Script=Han}).{0,60}(?:https?:\/\/|www\.)[\w.-]+\.(?:com|net|org|cn|cc|info|la)\b.{0,60}$/iu,
  },
  {
    // An address alone, or after the words of a notice: in a story somebody may read one out.
    rule: "site notice",
    pattern:
      /^[^\p{L}\p{N}"“”‘'«]*(?:(?:read|visit|download(?:ed)?|source|find|more|posted|from|for|see|free|e-?books?|chapters?|updates?|updated|support|follow|translat(?:ed|ion|or)|published)\b.{0,80})?(?:https?:\/\/|www\.)[\w.-]+\.[a-z]{2,6}\b\S*.{0,25}$/iu,
    isOwnLine: true,
  },
  {
    rule: "site notice",
    pattern:
      /^[\s　]*(?:作品仅供读者预览|(?=.*(?:[网站吧组【[]|论坛|书屋|TXT|电子书|预览))本书由.{0,40}(?:制作|整理|下载|提供|扫描).{0,40}$|.{0,20}(?:请购买正版|支持正版|手机用户请|最新章节请|全集下载|TXT下载|电子书下载|求收藏(?!家)|求推荐票|求月票).{0,40}$)/iu,
  },
  {
    rule: "site notice",
    pattern:
      /^[\s　]*(?:声明|聲明|版权声明)[:：].{0,120}(?:转载|轉載|版权|版權|互联网|来自网络|侵权|仅供.{0,8}(?:学习|交流|预览)|僅供.{0,8}(?:學習|交流))/u,
  },
  {
    rule: "site notice",
    pattern:
      /^\s*(?:(?:.{0,160}\n)?Posted originally on the .{0,40}Archive|Please drop by the Archive and comment|See the end of the (?:chapter|work) for (?:more )?(?:notes|other works))\b.{0,200}$/i,
  },
  { rule: "rule", pattern: /^[\s　]*[-—=_~]{6,}[\s　]*$/u },
];
