const SENTENCE_MARK = /[。，！？；：“”「」…,.!?;:]/u;
const LONGEST_TITLE_PART = 20;

/** Where a title inside a long line ends: one or two short runs without a sentence's marks; a wide gap ends it at once. */
export function titleEnd(line: string, start: number): number {
  let end = start;
  for (let part = 0; part < 2; part++) {
    const match = /^([\s　]*)([^\s　]+)/u.exec(line.slice(end, end + 60));
    if (!match) break;
    const [whole, gap = "", run = ""] = match;
    if (part > 0 && gap.length > 1) break;
    if (run.length > LONGEST_TITLE_PART || SENTENCE_MARK.test(run)) break;
    end += whole.length;
  }
  return end;
}
