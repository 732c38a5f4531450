/** Headings over what is no story as a rule. */
const BOILERPLATE =
  /^(?:the )?(?:table of )?(?:contents|list of (?:illustrations|plates|maps)|illustrations|index|cover|half ?title|title ?page|copyright|uncopyright|imprint|colophon|errata|(?:the )?(?:full )?project gutenberg.*|transcriber.*|by the same author|(?:other books|also) by.*|目录|目錄|目次|もくじ|版权|版權|版权页|inhalt|inhaltsverzeichnis|impressum|register|table|table des matières|sommaire|du même auteur|índice|indice|tabla de contenidos?|sommario|содержание|оглавление)$/iu;

/** Headings of what real editors, publishers and authors write around a story. Novels invent editors, so each is reported. */
const EDITORIAL =
  /^(?:promotion|dramatis personae|cast of characters|list of characters|glossary|bibliography|acknowledge?ments|advertisements?|dedication|about the author|biographical .*|a? ?note on the text|(?:publisher|editor|translator)'s .*|maps|remerciements|dédicace|danksagung|widmung|agradecimientos|dedicatoria|ringraziamenti|dedica|посвящение|作者简介|内容简介|內容簡介|内容提要)$/iu;

export function isBoilerplate(series: string): boolean {
  return BOILERPLATE.test(series);
}

/** What stands under these is written in sentences, and still no story. */
export function isLegal(series: string): boolean {
  return /copyright|imprint|impressum|colophon|gutenberg|transcriber|errata|版权|版權/iu.test(series);
}

export function isEditorial(series: string): boolean {
  return EDITORIAL.test(series);
}

/** The series of headings over a publisher's pages: "Also by A. Writer", "Praise for The Lamp", "An excerpt from The Rope". */
export const PROMOTION = "promotion";
/** Their first words. */
export const PROMOTION_WORDS = [
  ...["also", "other", "more", "books", "praise", "newsletter", "reading", "discussion"],
  ...["excerpt", "preview", "sneak"],
];
const PROMOTIONS =
  /^(?:also by|(?:other|more) (?:books|novels|titles|works) (?:by|from)|books by|praise for|(?:an? )?(?:excerpt from|preview of|sneak peek (?:at|of)))\s+\p{Lu}.{0,60}$|^(?:newsletter|(?:a )?reading group (?:guide|questions)|discussion questions)$/iu;

export function isPromotion(line: string): boolean {
  return PROMOTIONS.test(line.trim()) && !/[.,;!?]["”’']?$/.test(line);
}
