import type { Page } from "playwright-core";

/** Four Latin words in a row read as a sentence; names of models, files and commands are shorter or marked as code. */
const SENTENCE = /[A-Za-z][A-Za-z’'-]*(?:,? [A-Za-z][A-Za-z’'-]*){3,}/g;

/** Every text in sight that is not marked as English, as code or as somebody's exact words. */
const TEXTS_IN_SIGHT = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!parent || parent.closest('[lang="en"], pre, code, script, style, option')) continue;
    if (parent.checkVisibility()) texts.push(node.textContent.replace(/\\s+/g, " ").trim());
  }
  return texts;
})()`;

/** Latin sentences in sight of a page in another language, apart from what a book, a model or a user said. */
export async function latinSentences(page: Page, said: string): Promise<string[]> {
  const texts = (await page.evaluate(TEXTS_IN_SIGHT)) as string[];
  const known = said.replace(/\s+/g, " ");
  return texts.filter((text) => (text.match(SENTENCE) ?? []).some((sentence) => !known.includes(sentence)));
}
