import { basename, extname } from "node:path";
import { recogniseHeading } from "../../chapters/recognise.ts";
import type { Metadata } from "../../manuscript.ts";
import { authorInByline, isBelowTitle } from "../../title-page.ts";

/** "Title: …", "Author: …" of a Project Gutenberg header, or 《三国演义》罗贯中 on the first line of a Chinese text. */
export function headerMetadata(lines: readonly string[], storyFrom: number, file: string): Metadata {
  const header = lines.slice(0, Math.max(storyFrom, 0));
  const field = (name: string) => {
    const at = header.findIndex((line) => line.toLowerCase().startsWith(`${name}:`));
    if (at < 0) return undefined;
    const following = header.slice(at + 1, at + 4);
    const end = following.findIndex((line) => !/^\s+\S/.test(line));
    const value = [header[at]!.slice(name.length + 1), ...following.slice(0, Math.max(end, 0))].map((line) =>
      line.trim(),
    );
    return value.join(" ").trim() || undefined;
  };
  const title = field("title");
  const author = field("author");
  if (title || author) return { ...(title && { title }), ...(author && { author }) };
  const top = lines.slice(0, 12);
  return {
    ...latinTitlePage(top),
    ...fromFileName(file),
    ...eastAsianByline(top),
    ...eastAsianTitle(top),
    ...eastAsianFields(lines.slice(0, 30)),
  };
}

/** A title, perhaps the kind of book, and "by Jane Doe", each on a line of its own at the top. */
function latinTitlePage(lines: readonly string[]): Metadata {
  const [title = "", ...below] = lines.map((line) => line.trim()).filter(Boolean);
  const author = authorInByline((isBelowTitle(below[0] ?? "") ? below[1] : below[0]) ?? "");
  const isTitle = /\p{L}/u.test(title) && title.length <= LONGEST_LATIN_TITLE && recogniseHeading(title) === null;
  return author !== undefined && isTitle ? { title, author } : {};
}

const LONGEST_LATIN_TITLE = 100;

const BYLINE =
  /^(?:文[/／][\s　]*([^\s　，。]{1,20})|作者[\s　]+([^\s　，。]{1,20})|([^\s　，。：:]{1,12})[\s　]+[著着])$/u;

/** 文/王某, 作者 王某 or 王某 著 under the title, which is on the first line. */
function eastAsianByline(lines: readonly string[]): Metadata {
  const [title = "", byline = ""] = lines.map((line) => line.trim()).filter(Boolean);
  const author = BYLINE.exec(byline)?.slice(1).find(Boolean);
  if (author === undefined) return {};
  return { author, ...(title.length <= LONGEST_TITLE && !/[，。！？]/u.test(title) && { title }) };
}

const LONGEST_TITLE = 20;

/** 书名：…, 作者：… on lines of their own. */
function eastAsianFields(lines: readonly string[]): Metadata {
  const field = (names: string) => {
    const pattern = new RegExp(
      `^[\\s　]*(?:[【[［](?:${names})[】\\]］][\\s　]*[:：]?|(?:${names})[\\s　]*[:：])[\\s　]*《?([^》\\n]{1,40}?)》?[\\s　]*$`,
      "u",
    );
    for (const line of lines) {
      const value = line.length < 80 ? pattern.exec(line)?.[1]?.trim() : undefined;
      if (value) return value;
    }
    return undefined;
  };
  const title = field("书名|書名|小说名|作品名");
  const author = field("作者|著者|作\\s+者");
  return { ...(title && { title }), ...(author && { author }) };
}

/** 《书名》作者：某某.txt */
function fromFileName(file: string): Metadata {
  const name = basename(file, extname(file));
  const match =
    /《([^》]{1,40})》(?:(?:[（(【[][^）)】\]]{0,20}[）)】\]])?[\s_-]*(?:作者|著)[:：_\s-]*([^\s（(【[]{1,20}))?/u.exec(
      name,
    );
  if (!match) {
    // 书名 作者：某某.txt
    const plain = /^([^：:_-]{1,40}?)[\s_（(【-]*(?:作者|著)[:：][\s]*([^\s）)】]{1,20})[）)】]?$/u.exec(name);
    return plain ? { title: plain[1]!.trim(), author: plain[2]! } : {};
  }
  return { title: match[1]!, ...(match[2] && { author: match[2] }) };
}

function eastAsianTitle(lines: readonly string[]): Metadata {
  for (const line of lines) {
    const match =
      /^[\s　]*《([^》]{1,40})》[\s　]*(?:作者[:：])?[\s　]*(?!目[\s　]*[录錄次])([^\s　，。（(]{1,12})?/u.exec(line);
    if (match) return { title: match[1]!, ...(match[2] && { author: match[2] }) };
    const bracketed = /^[\s　]*\[([^\]/]{1,40})\/[\s　]*([^\]]{1,20}?)[\s　]*著?[\s　]*\]/u.exec(line);
    if (bracketed) return { title: bracketed[1]!.trim(), author: bracketed[2]!.trim() };
  }
  return {};
}
