import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join, normalize, relative } from "node:path";
import { decodeText } from "../../core/encoding.ts";
import { FabulaError } from "../../core/errors.ts";
import { isOutsideStory, recogniseHeading } from "../chapters/recognise.ts";
import { decodeXml, localName, parseXml, type XmlHandlers } from "../formats/xml.ts";
import type { Metadata, SectionRole } from "../manuscript.ts";
import { kindOfPath, readLimited } from "./read-file.ts";

/** A file of a writing project, or a part that has only a name, in its place in the book. */
export interface ProjectEntry {
  /** Null for a part that has only a name. */
  readonly file: string | null;
  readonly title: string | null;
  /** The title is only the file's name. */
  readonly isFileName?: boolean;
  /** `scene`: it continues the previous chapter after a scene break. */
  readonly role: SectionRole | "scene";
}

/** A book in the project folder of a writing program: the program's own list says which files are in it, and in what order. */
export interface Project {
  readonly program: "Scrivener" | "Leanpub" | "mdBook" | "novelWriter" | "Longform";
  readonly metadata: Metadata;
  readonly entries: readonly ProjectEntry[];
  /** Written, but left out of the book by the writer. */
  readonly leftOut: readonly string[];
}

/** The project in a folder; null if it is just a folder. */
export async function projectIn(folder: string): Promise<Project | null> {
  const names = await namesIn(folder);
  const scrivx = names.find((name) => /\.scrivx$/i.test(name));
  if (scrivx) return scrivener(join(folder, scrivx));
  if (/\.scriv$/i.test(folder)) {
    throw new FabulaError(
      "E_SCRIVENER",
      `${folder} is a Scrivener project without its index (.scrivx): copy the whole project folder again.`,
    );
  }
  if (names.includes("nwProject.nwx")) return novelWriter(folder);
  for (const place of [folder, join(folder, "manuscript"), join(folder, "src")]) {
    for (const [expected, read] of [
      ["book.txt", leanpub],
      ["summary.md", mdBook],
    ] as const) {
      const name = (await namesIn(place)).find((name) => name.toLowerCase() === expected);
      const project = name === undefined ? null : await read(join(place, name), folder);
      if (project) return project;
    }
  }
  return longform(folder, names);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function readXml(path: string, handlers: XmlHandlers): Promise<void> {
  parseXml(decodeXml(await readLimited(path)), handlers);
}

async function textOf(path: string): Promise<string> {
  return decodeText(await readLimited(path), path).text;
}

/** The role of an entry by its title alone: a dedication or a list of characters is not part of the story. */
function roleOf(title: string): "chapter" | "paratext" {
  return isOutsideStory(recogniseHeading(title)) ? "paratext" : "chapter";
}

interface BinderItem {
  id: string;
  isFolder: boolean;
  isDraft: boolean;
  isIncluded: boolean;
  title: string;
  readonly children: BinderItem[];
}

const DEEPEST_BINDER = 100;

/** The binder of a Scrivener project: its draft folder in order, without what is not included in the compiled book. */
async function scrivener(index: string): Promise<Project> {
  const folder = dirname(index);
  const root: BinderItem = { ...{ id: "", isFolder: true, isDraft: false, isIncluded: true }, title: "", children: [] };
  const open: BinderItem[] = [root];
  const path: string[] = [];
  let hasMarks = false;
  await readXml(index, {
    open(tag, attributes) {
      const name = localName(tag);
      path.push(name);
      if (name !== "BinderItem") return;
      if (open.length > DEEPEST_BINDER) throw new FabulaError("E_SCRIVENER", `${index} nests its folders too deeply.`);
      const { UUID, ID, Type = "" } = attributes;
      const isDraft = Type === "DraftFolder";
      const item = {
        ...{ id: UUID ?? ID ?? "", isFolder: isDraft || Type === "Folder", isDraft },
        ...{ isIncluded: false, title: "", children: [] },
      };
      open.at(-1)!.children.push(item);
      open.push(item);
    },
    text(text) {
      const [parent, name] = path.slice(-2);
      if (name === "Title" && parent === "BinderItem") open.at(-1)!.title += text.trim();
      if (name === "IncludeInCompile" && text.trim() === "Yes") {
        open.at(-1)!.isIncluded = true;
        hasMarks = true;
      }
    },
    close(tag) {
      path.pop();
      if (localName(tag) === "BinderItem") open.pop();
    },
  });
  const draft = root.children.find(({ isDraft }) => isDraft);
  if (!draft) throw new FabulaError("E_SCRIVENER", `${index} has no draft folder: open and save the project again.`);
  const leftOut: string[] = [];
  const files = new Map<BinderItem, string>();
  const keep = async (items: readonly BinderItem[]): Promise<BinderItem[]> => {
    const kept: BinderItem[] = [];
    for (const item of items) {
      const children = await keep(item.children);
      const file = await contentOf(folder, item.id);
      const isIncluded = item.isIncluded || !hasMarks;
      if (isIncluded && file !== null) files.set(item, file);
      else if (file !== null) leftOut.push(item.title || item.id);
      if (children.length > 0 || files.has(item)) kept.push({ ...item, children });
      if (files.has(item)) files.set(kept.at(-1)!, files.get(item)!);
    }
    return kept;
  };
  const items = await keep(draft.children);
  const entries = binderEntries(items, files);
  if (entries.every(({ file }) => file === null)) {
    throw new FabulaError(
      "E_SCRIVENER",
      `${folder} has no text in its draft folder that is included in the compiled book.`,
    );
  }
  return { program: "Scrivener", metadata: { title: basename(folder, ".scriv") }, entries, leftOut };
}

/** Scrivener 3 keeps each text in a folder of its own, versions 1 and 2 in a file named by its number. */
async function contentOf(folder: string, id: string): Promise<string | null> {
  if (!/^[\w-]+$/.test(id)) return null;
  for (const file of [join("Files", "Data", id, "content.rtf"), join("Files", "Docs", `${id}.rtf`)]) {
    if ((await kindOfPath(join(folder, file))) === "file") return join(folder, file);
  }
  return null;
}

/**
 * Folders and texts as parts, chapters and scenes. A folder of folders is a part. A folder of texts is a chapter in scenes, unless it
 * is called a part or its texts are called chapters.
 */
function binderEntries(items: readonly BinderItem[], files: ReadonlyMap<BinderItem, string>): ProjectEntry[] {
  const entries: ProjectEntry[] = [];
  const isLeaf = ({ children }: BinderItem) => children.length === 0;
  const only = items.length === 1 && items[0]!.children.length > 2 && items[0]!.children.every(isLeaf);
  const visit = (item: BinderItem) => {
    const file = files.get(item) ?? null;
    const title = item.title || null;
    if (isLeaf(item)) {
      entries.push({ file, title, role: roleOf(item.title) });
      return;
    }
    const named = item.children.filter(({ title: name }) =>
      /chapter|numeral|named/.test(recogniseHeading(name)?.kind ?? ""),
    );
    const holdsChapters =
      only ||
      !item.children.every(isLeaf) ||
      recogniseHeading(item.title)?.kind === "division" ||
      named.length > item.children.length / 2;
    entries.push({ file, title, role: holdsChapters ? "binding" : "chapter" });
    for (const child of item.children) {
      if (holdsChapters) visit(child);
      else entries.push({ file: files.get(child) ?? null, title: child.title || null, role: "scene" });
    }
  };
  for (const item of items) visit(item);
  return entries;
}

/** Leanpub's Book.txt: a file to a line. */
async function leanpub(path: string): Promise<Project | null> {
  const folder = dirname(path);
  const lines = (await textOf(path)).split(/\r\n?|\n/).map((line) => line.trim());
  const entries: ProjectEntry[] = [];
  let matter: "chapter" | "paratext" = "chapter";
  for (const line of lines) {
    const section = /^\{?(front|main|back)matter(?::|\})?$/i.exec(line)?.[1]?.toLowerCase();
    if (section) matter = section === "main" ? "chapter" : "paratext";
    if (section || line === "" || line.startsWith("#")) continue;
    const file = await inside(folder, line);
    // Book.txt is also a common name for a whole book.
    if (file === null) return null;
    entries.push({ file, title: null, role: matter });
  }
  return entries.length < 2 ? null : { program: "Leanpub", metadata: {}, entries, leftOut: [] };
}

/** A path from a list, if it stays inside the folder and the file exists. */
async function inside(folder: string, path: string): Promise<string | null> {
  const file = normalize(join(folder, path));
  if (relative(folder, file).startsWith("..") || path.includes("\0")) return null;
  return (await kindOfPath(file)) === "file" ? file : null;
}

const SUMMARY_LINK = /^\s*(?:[-*+]\s+)?\[([^\]]*)\]\(<?([^)>]*)>?\)\s*$/;

/** mdBook's SUMMARY.md: links in order, under headings that name parts. */
async function mdBook(path: string, root: string): Promise<Project | null> {
  const folder = dirname(path);
  const entries: ProjectEntry[] = [];
  const seen = new Set<string>();
  for (const line of (await textOf(path)).split(/\r\n?|\n/)) {
    const part = /^#\s+(.+)$/.exec(line)?.[1];
    if (part && !/^summary$/i.test(part.trim())) entries.push({ file: null, title: part.trim(), role: "binding" });
    const link = SUMMARY_LINK.exec(line);
    const file = link ? await inside(folder, decodeURIComponentSafely(link[2]!.split("#")[0]!)) : null;
    if (!link || file === null || seen.has(file) || isNoteName(basename(file))) continue;
    seen.add(file);
    entries.push({ file, title: link[1]!.trim() || null, role: roleOf(link[1]!.trim()) });
  }
  if (seen.size < 2) return null;
  const settings = await textOf(join(root, "book.toml")).catch(() => "");
  const title = /^title\s*=\s*"([^"]+)"/m.exec(settings)?.[1];
  const author = /^authors\s*=\s*\[\s*"([^"]+)"/m.exec(settings)?.[1];
  return { program: "mdBook", metadata: { ...(title && { title }), ...(author && { author }) }, entries, leftOut: [] };
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** novelWriter: the documents of the novel in the order of the project's tree. */
async function novelWriter(folder: string): Promise<Project> {
  interface Item {
    handle: string;
    parent: string;
    order: number;
    isNovel: boolean;
    isActive: boolean;
    name: string;
  }
  const items: Item[] = [];
  let title = "";
  let author = "";
  let element = "";
  let inProject = false;
  await readXml(join(folder, "nwProject.nwx"), {
    open(name, attributes) {
      element = name;
      if (name === "project") inProject = true;
      if (name === "item" && attributes.handle) {
        const { handle, parent = "None", order = "0" } = attributes;
        items.push({
          ...{ handle, parent, order: Number(order), isNovel: attributes.class === "NOVEL" },
          ...{ isActive: true, name: "" },
        });
      }
      const isOff = attributes.active === "no" || attributes.exported === "False";
      if (name === "name" && isOff && items.length > 0) items.at(-1)!.isActive = false;
    },
    text(text) {
      if (element === "name" && items.length > 0) items.at(-1)!.name += text;
      if (!inProject) return;
      if (element === "title" || (element === "name" && items.length === 0)) title ||= text.trim();
      if (element === "author") author ||= text.trim();
    },
    close(name) {
      if (name === "project") inProject = false;
      element = "";
    },
  });
  const children = new Map<string, Item[]>();
  for (const item of items) children.set(item.parent, [...(children.get(item.parent) ?? []), item]);
  const entries: ProjectEntry[] = [];
  const leftOut: string[] = [];
  const visited = new Set<string>();
  const visit = async (parent: string): Promise<void> => {
    if (visited.has(parent)) return;
    visited.add(parent);
    for (const item of (children.get(parent) ?? []).sort((one, other) => one.order - other.order)) {
      const file =
        item.isNovel && /^\w+$/.test(item.handle) ? await inside(folder, join("content", `${item.handle}.nwd`)) : null;
      if (file !== null && item.isActive) entries.push({ file, title: null, role: "unknown" });
      else if (file !== null) leftOut.push(item.name);
      await visit(item.handle);
    }
  };
  await visit("None");
  if (entries.length === 0) {
    throw new FabulaError(
      "E_DIRECTORY",
      `${folder} is a novelWriter project without documents of a novel: give the whole project.`,
    );
  }
  return { program: "novelWriter", metadata: { ...(title && { title }), ...(author && { author }) }, entries, leftOut };
}

/** Longform, the plug-in of Obsidian for novels: a note whose front matter lists the scenes. */
async function longform(folder: string, names: readonly string[]): Promise<Project | null> {
  for (const name of names.filter((file) => /\.md$/i.test(file)).slice(0, MOST_NOTES)) {
    const text = await textOf(join(folder, name)).catch(() => "");
    const matter = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
    if (!/^longform:/m.test(matter)) continue;
    const { parseYaml } = await import("../../core/parse-yaml.ts");
    const { z } = await import("zod");
    const shape = z.object({
      longform: z.object({
        title: z.string().optional(),
        sceneFolder: z.string().default("/"),
        scenes: z.array(z.unknown()).default([]),
      }),
    });
    const parsed = shape.safeParse(parseYaml(matter));
    if (!parsed.success) continue;
    const { title, sceneFolder, scenes } = parsed.data.longform;
    const listed = scenes.flat(5).filter((scene): scene is string => typeof scene === "string");
    const files = await Promise.all(listed.map((scene) => inside(join(folder, sceneFolder), `${scene}.md`)));
    const entries = files.flatMap((file, at): ProjectEntry[] =>
      file === null ? [] : [{ file, title: listed[at]!, role: roleOf(listed[at]!) }],
    );
    if (entries.length > 0)
      return { program: "Longform", metadata: { title: title ?? basename(name, ".md") }, entries, leftOut: [] };
  }
  return null;
}

const MOST_NOTES = 200;

/** What writers keep beside their chapters: plans, lists, and the usual files of a repository. */
export function isNoteName(name: string): boolean {
  const stem = basename(name, extname(name))
    .replace(/[\s_]+/g, "-")
    .toLowerCase();
  return NOTES.test(stem);
}

const NOTES =
  /^(?:read-?me|licen[cs]e|copying|change-?log|contributing|contributors|authors|code-of-conduct|security|summary|toc|table-of-contents|outlines?|overview|synopsis|plot(?:-outline)?|plan|planning|notes?|ideas|to-?dos?|characters?|character-(?:list|sheets?|notes)|cast|world-?building|setting|locations?|timeline|style-?guide|research|glossary|index|metadata|about|faq|roadmap|news|requirements|robots|credits)(?:$|[-.](?:[a-z]{2}|notes?|old|draft)$)/;
