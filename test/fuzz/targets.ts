import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { FabulaError } from "../../src/core/errors.ts";
import { loadRubric } from "../../src/criteria/load-rubric.ts";
import { QuotationIndex } from "../../src/judge/evidence/quotation-index.ts";
import { readVerdicts } from "../../src/judge/replies/read-verdicts.ts";
import { jsonBody } from "../../src/server/http/typed-route.ts";
import { withUpload } from "../../src/server/http/upload.ts";
import { evaluationRequestSchema } from "../../src/server/jobs/job-record.ts";
import { readBookFromBytes } from "../../src/text/read-book.ts";
import { fb2, mobi, odt, rtf } from "../support/manuscripts.ts";
import { docxOf, epubOf, PROSE, pdfOf } from "../support/small-files.ts";
import { repacked } from "./repack.ts";

export interface Target {
  readonly name: string;
  readonly corpus: readonly Uint8Array[];
  /** Only a `FabulaError` may come out of it. */
  run(bytes: Uint8Array): Promise<void>;
  /** How many inputs are tried at a time, where most of the time is spent waiting. */
  readonly atATime?: number;
  /** How an input is damaged on the inside, where its outside is packed. */
  readonly inside?: typeof repacked;
}

const LAYOUTS = "test/fixtures/layouts";
const REPLIES = "test/fixtures/written-replies";
const encode = (text: string) => new TextEncoder().encode(text);
const files = (folder: string, ending: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => new Uint8Array(readFileSync(join(folder, name))));

const PAGE = `<html><body><section epub:type="chapter"><h2>One</h2><p id="a">${PROSE}</p></section></body></html>`;
const WRITTEN = [{ text: "One", level: 1 }, { text: PROSE }, { text: "Two", level: 2 }, { text: PROSE, isBold: true }];
const NCX =
  '<ncx><navMap><navPoint><navLabel><text>One</text></navLabel><content src="a.xhtml#a"/></navPoint></navMap></ncx>';
const FORM = [
  '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nRain\r\n',
  `--b\r\nContent-Disposition: form-data; name="file"; filename="rain.txt"\r\n\r\n${PROSE}\r\n--b--\r\n`,
].join("");
const REQUEST = { bookId: "b1", judges: ["jury"], method: "aggregate", aspects: [], runs: 1, maximumCost: null };

function format(name: string, corpus: readonly Uint8Array[]): Target {
  return {
    name,
    corpus,
    run: async (bytes) => void (await readBookFromBytes(bytes, `book.${name}`, { format: FORMATS[name] ?? name })),
  };
}

const FORMATS: Readonly<Record<string, string>> = { txt: "text", md: "markdown" };

/** Every parser that meets what a stranger wrote. */
export async function fuzzTargets(): Promise<readonly Target[]> {
  const rubric = await loadRubric("long-story");
  const chapters = [{ index: 1, title: null, text: `${PROSE}\n\n“You are late,” she said… and laughed.`, words: 25 }];
  const app = new Hono()
    .post("/json", async (context) => context.json(await jsonBody(context, evaluationRequestSchema)))
    .post("/form", (context) => withUpload(context, {}, async ({ name }) => context.json({ name })))
    .onError((error) => {
      throw error;
    });
  const post = async (path: string, type: string, body: Uint8Array) => {
    await app.request(path, { method: "POST", headers: { "content-type": type }, body: Buffer.from(body) });
  };
  return [
    format("txt", files(LAYOUTS, ".txt")),
    format("md", [...files(LAYOUTS, ".md"), encode(`---\ntitle: x\n---\n# One\n\n${PROSE}\n\n- a\n\n|a|\n|-|\n|b|\n`)]),
    format("html", files(LAYOUTS, ".html")),
    {
      ...format("epub", [...files(LAYOUTS, ".epub"), epubOf({ "a.xhtml": PAGE }, { "toc.ncx": NCX })]),
      inside: repacked,
    },
    { ...format("docx", [docxOf([{ style: "Heading1", text: "One" }, { text: PROSE }])]), inside: repacked },
    { ...format("odt", [odt(WRITTEN)]), inside: repacked },
    format("rtf", [rtf(WRITTEN)]),
    format("fb2", [fb2(WRITTEN)]),
    format("mobi", [mobi(WRITTEN)]),
    format("pdf", [pdfOf([[{ size: 20, text: "One" }, { text: PROSE }], [{ text: PROSE }]])]),
    format("json", [encode(JSON.stringify({ chaps: [{ title: "One", content: [PROSE] }] }))]),
    {
      name: "replies",
      corpus: files(REPLIES, ".txt").map((bytes) => bytes.slice(0, 4000)),
      run: async (bytes) => void readVerdicts(new TextDecoder().decode(bytes), rubric),
    },
    {
      name: "quotations",
      corpus: [encode(PROSE), encode("“You are late,” … laughed")],
      run: async (bytes) => void new QuotationIndex(chapters).find(new TextDecoder().decode(bytes)),
    },
    {
      name: "json-bodies",
      corpus: [encode(JSON.stringify(REQUEST))],
      run: (bytes) => post("/json", "application/json", bytes),
    },
    {
      name: "form-bodies",
      corpus: [encode(FORM)],
      // A form that does not end is waited for.
      atATime: 500,
      run: (bytes) => post("/form", "multipart/form-data; boundary=b", bytes),
    },
  ];
}

/** A refusal in one sentence is what hostile input should meet. */
export async function outcomeOf(target: Target, bytes: Uint8Array): Promise<unknown> {
  try {
    await target.run(bytes);
    return null;
  } catch (error) {
    const isRefusal = error instanceof FabulaError && error.code !== "E_UNEXPECTED" && !error.message.includes("\n");
    return isRefusal ? null : error;
  }
}
