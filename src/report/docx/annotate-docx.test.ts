import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import mammoth from "mammoth";
import { describe, expect, it } from "vitest";
import { annotateDocx, wantedSentence } from "./annotate-docx.ts";
import { manuscriptDocx } from "./notes-docx.ts";

/** What another program sees: the text before each comment's reference, and the comment's own text. */
async function readBack(bytes: Uint8Array): Promise<{ before: string; comment: string }[]> {
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes) },
    { styleMap: ["comment-reference => sup"] },
  );
  const plain = (html: string) =>
    html
      .replace(/<[^>]*>/g, "")
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, "&");
  return [...value.matchAll(/<sup><a href="#comment-(\d+)"[^>]*>[^<]*<\/a><\/sup>/g)].map((reference) => {
    const comment = new RegExp(`<dd><p>([\\s\\S]*?) ?<a href="#comment-ref-${reference[1]}"`).exec(
      value.slice(value.indexOf(`<dt id="comment-${reference[1]}"`)),
    );
    const paragraph = value.slice(value.lastIndexOf("<p>", reference.index), reference.index);
    return { before: plain(paragraph.replace(/<sup>.*?<\/sup>/g, "")), comment: plain(comment?.[1] ?? "") };
  });
}

const TEXT = `It rained. She said & meant it: "Go home." It rained.

The road was long. It rained. Nobody came, and it rained again.`;

function noteOn(sentence: string, occurrence = 1) {
  let start = -1;
  for (let time = 0; time < occurrence; time++) start = TEXT.indexOf(sentence, start + 1);
  return { wanted: wantedSentence(TEXT, start, start + sentence.length), paragraphs: [`on ${start}: ${sentence}`] };
}

const document = (body: string, extra: Record<string, string> = {}) =>
  zipSync({
    ...Object.fromEntries(
      Object.entries(unzipSync(manuscriptDocx({ title: "Rain", author: null, chapters: [] }))).map(([name, bytes]) => [
        name,
        bytes,
      ]),
    ),
    "word/document.xml": strToU8(
      `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
    ...Object.fromEntries(Object.entries(extra).map(([name, text]) => [name, strToU8(text)])),
  });

/**
 * As Word writes it: a sentence over several runs with different formats, preserved spaces, and deleted words still
 * in the file.
 */
const OWN = document(
  `<w:p w:rsidR="00AB"><w:r><w:t>It rained. </w:t></w:r><w:r w:rsidRPr="00CD"><w:rPr><w:i/></w:rPr><w:t xml:space="preserve">She </w:t></w:r><w:r><w:t xml:space="preserve">said &amp; </w:t></w:r><w:del w:id="7" w:author="A"><w:r><w:delText>never </w:delText></w:r></w:del><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">meant it: </w:t></w:r><w:r><w:t>“Go home.” It rained.</w:t></w:r></w:p><w:p><w:pPr><w:jc w:val="both"/></w:pPr><w:r><w:t>The road was long. It rained. Nobody came, and it rained again.</w:t></w:r></w:p>`,
);

describe("a manuscript with comments", () => {
  it("has each comment at its sentence in the writer's own file, whatever runs it is split into", async () => {
    const notes = [
      noteOn('She said & meant it: "Go home."'),
      noteOn("The road was long."),
      noteOn("It rained.", 3),
      noteOn("Nobody came, and it rained again."),
    ];
    const { bytes, placed } = annotateDocx(OWN, notes);
    expect(placed).toBe(4);
    const seen = await readBack(bytes);
    expect(seen.map(({ comment }) => comment)).toEqual(notes.map(({ paragraphs }) => paragraphs[0]));
    expect(seen[0]!.before).toMatch(/It rained\. She said & meant it: “Go home\.”$/);
    expect(seen[1]!.before).toMatch(/^The road was long\.$/);
    expect(seen[2]!.before).toMatch(/^The road was long\. It rained\.$/);
    expect(seen[3]!.before).toMatch(/Nobody came, and it rained again\.$/);
  });

  it("keeps the look of every run and every other part of the file", () => {
    const { bytes } = annotateDocx(OWN, [noteOn('She said & meant it: "Go home."'), noteOn("It rained.", 3)]);
    const [before, after] = [unzipSync(OWN), unzipSync(bytes)];
    const looks = (entries: Record<string, Uint8Array>) =>
      [
        ...strFromU8(entries["word/document.xml"]!).matchAll(
          /<w:r(?: [^>]*)?>(<w:rPr>.*?<\/w:rPr>)?<w:(?:t|delText)[^>]*>([^<]*)</g,
        ),
      ].flatMap(([, look = "", text]) => [...text!].map((character) => `${character}${look}`));
    expect(looks(after)).toEqual(looks(before));
    expect(looks(before).length).toBeGreaterThan(100);
    expect(after["word/styles.xml"]).toEqual(before["word/styles.xml"]);
  });

  it("keeps the comments that the file has already", async () => {
    const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml";
    const base = unzipSync(OWN);
    const withOne = zipSync({
      ...base,
      "word/comments.xml": strToU8(
        `<w:comments ${namespace}><w:comment w:id="4" w:author="Ada"><w:p><w:r><w:t>Mine.</w:t></w:r></w:p></w:comment></w:comments>`,
      ),
      "[Content_Types].xml": strToU8(
        strFromU8(base["[Content_Types].xml"]!).replace(
          "</Types>",
          `<Override PartName="/word/comments.xml" ContentType="${type}"/></Types>`,
        ),
      ),
    });
    const comments = strFromU8(
      unzipSync(annotateDocx(withOne, [noteOn("The road was long.")]).bytes)["word/comments.xml"]!,
    );
    expect(comments).toContain("Mine.");
    expect(comments).toMatch(/w:id="5" w:author="Fabula"/);
  });

  it("says how many sentences it could not find, and places the others", () => {
    const foreign = { wanted: wantedSentence("Something else entirely.", 0, 24), paragraphs: ["never"] };
    expect(annotateDocx(OWN, [foreign, noteOn("The road was long.")]).placed).toBe(1);
  });

  it("is a clean document for a book that is no Word file", async () => {
    const chapters = [{ index: 1, title: "One", text: TEXT, words: 22 }];
    const { bytes, placed } = annotateDocx(manuscriptDocx({ title: "Rain", author: "A. B.", chapters }), [
      noteOn("The road was long."),
    ]);
    expect(placed).toBe(1);
    expect((await readBack(bytes))[0]!.before).toBe("The road was long.");
  });
});
