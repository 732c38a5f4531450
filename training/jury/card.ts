import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Writes measured figures between the marks of a section of a model's card; a card without the section gets it at its end. */
export async function updateCard(folder: string, section: string, content: string): Promise<void> {
  const path = join(folder, "CARD.md");
  const card = await readFile(path, "utf8").catch(() => "");
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const block = `${begin}\n${content.trim()}\n${end}`;
  const from = card.indexOf(begin);
  const to = card.indexOf(end);
  const updated =
    from === -1 || to === -1
      ? `${card.trimEnd()}\n\n${block}\n`
      : card.slice(0, from) + block + card.slice(to + end.length);
  await writeFile(path, updated.trimStart());
}
