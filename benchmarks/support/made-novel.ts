import { randomInteger, seededRandom } from "../../src/core/random.ts";

const WORDS =
  "the a of and to in that it was she he for with on at by from as they were his her had not but all one this there when which would said out up into down over like then them back river harbour clerk ledger morning window letter winter stone quiet town light hand door water night brother keeper lamp weight scale island voice table paper island boat rain salt field road horse market bell".split(
    " ",
  );

/** A novel of no merit but of the right size: chapters of so many words, the same for the same seed. */
export function madeNovel(chapters: number, wordsPerChapter: number, seed = 1): string {
  const random = seededRandom(seed);
  const sentence = () => {
    const words = Array.from(
      { length: 8 + randomInteger(random, 14) },
      () => WORDS[randomInteger(random, WORDS.length)]!,
    );
    const text = words.join(" ");
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  };
  const chapter = (index: number) => {
    const paragraphs: string[] = [];
    let count = 0;
    while (count < wordsPerChapter) {
      const paragraph = Array.from({ length: 3 + randomInteger(random, 5) }, sentence).join(" ");
      count += paragraph.split(" ").length;
      paragraphs.push(paragraph);
    }
    return `## Chapter ${index}\n\n${paragraphs.join("\n\n")}`;
  };
  return `# A Made Novel\n\n${Array.from({ length: chapters }, (_, at) => chapter(at + 1)).join("\n\n")}\n`;
}
