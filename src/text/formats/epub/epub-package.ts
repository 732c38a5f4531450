import { FabulaError } from "../../../core/errors.ts";
import type { Archive } from "../../files/archive.ts";
import type { Metadata } from "../../manuscript.ts";
import { statedMetadata } from "../format.ts";
import { decodeXml, localName, parseXml } from "../xml.ts";

export interface SpineItem {
  readonly path: string;
  /** What the EPUB 2 `guide` calls this page: cover, toc, text, … */
  readonly guide: string | null;
  /** The spine puts it outside the reading order (`linear="no"`). */
  readonly isAside?: boolean;
}

export interface Package {
  readonly metadata: Metadata;
  readonly spine: readonly SpineItem[];
  /** How often the spine names a page that it has already named. */
  readonly repeatedPages: number;
  readonly navPath: string | null;
  readonly ncxPath: string | null;
}

interface ManifestItem {
  readonly path: string;
  readonly mediaType: string;
  readonly properties: string;
}

/** Reads `META-INF/container.xml` and the package document it names. */
export function readPackage(archive: Archive, file: string): Package {
  const packagePath = packageDocumentPath(archive, file);
  const bytes = archive.bytes(packagePath);
  if (bytes === null)
    throw new FabulaError(
      "E_EPUB",
      `${file} is an incomplete EPUB: its package document is missing. Download it again.`,
      {
        evidence: packagePath,
      },
    );
  const manifest = new Map<string, ManifestItem>();
  const spine: string[] = [];
  const asides = new Set<string>();
  const guide = new Map<string, string>();
  const facts: { name: string; value: string }[] = [];
  let ncxId: string | null = null;
  let element: string | null = null;
  let value = "";
  parseXml(decodeXml(bytes), {
    open(name, attributes) {
      const local = localName(name);
      if (local === "item" && attributes.id && attributes.href) {
        const { href, properties = "" } = attributes;
        const mediaType = attributes["media-type"] ?? "";
        manifest.set(attributes.id, { path: resolveHref(packagePath, href).path, mediaType, properties });
      } else if (local === "spine") ncxId = attributes.toc ?? null;
      else if (local === "itemref" && attributes.idref) {
        spine.push(attributes.idref);
        if (attributes.linear === "no") asides.add(attributes.idref);
      } else if (local === "reference" && attributes.href && attributes.type) {
        const { path, fragment } = resolveHref(packagePath, attributes.href);
        // A place inside a page says nothing about the whole page.
        if (fragment === null) guide.set(path, attributes.type);
      } else if (name.startsWith("dc:")) {
        element = local;
        value = "";
      }
    },
    text(text) {
      if (element !== null) value += text;
    },
    close(name) {
      if (element === null || localName(name) !== element) return;
      facts.push({ name: element, value: value.replace(/\s+/g, " ").trim() });
      element = null;
    },
  });
  // EPUB forbids a page in two places of the spine. A file that lists one page thousands of times would fill the memory.
  const pages = new Map<string, { isAside: boolean }>();
  const isAllAside = asides.size >= spine.length;
  for (const id of spine) {
    const path = manifest.get(id)?.path;
    if (path !== undefined && !pages.has(path)) pages.set(path, { isAside: asides.has(id) && !isAllAside });
  }
  const ncx =
    (ncxId && manifest.get(ncxId)) || [...manifest.values()].find(({ mediaType }) => mediaType.includes("dtbncx"));
  const nav = [...manifest.values()].find(({ properties }) => properties.split(/\s+/).includes("nav"));
  return {
    metadata: readFacts(facts),
    spine: [...pages].map(([path, { isAside }]) => ({ path, guide: guide.get(path) ?? null, isAside })),
    repeatedPages: spine.filter((id) => manifest.has(id)).length - pages.size,
    navPath: nav?.path ?? null,
    ncxPath: ncx?.path ?? null,
  };
}

function packageDocumentPath(archive: Archive, file: string): string {
  const container = archive.bytes("META-INF/container.xml");
  if (container === null) {
    throw new FabulaError(
      "E_EPUB",
      /\.epub$/i.test(file)
        ? `${file} is a broken EPUB: the archive has no META-INF/container.xml. Download or export it again.`
        : `${file} is a zip archive but not an EPUB: it has no META-INF/container.xml. Give the book file itself.`,
    );
  }
  let path: string | null = null;
  parseXml(decodeXml(container), {
    open(name, attributes) {
      if (localName(name) === "rootfile" && attributes["full-path"]) path ??= attributes["full-path"];
    },
  });
  if (path === null)
    throw new FabulaError("E_EPUB", `${file} is an incomplete EPUB: its container names no package document.`);
  return path;
}

function readFacts(facts: readonly { name: string; value: string }[]): Metadata {
  const first = (name: string) => facts.find((fact) => fact.name === name && fact.value !== "")?.value;
  const genres = facts.filter(({ name, value }) => name === "subject" && value !== "").map(({ value }) => value);
  const premise = first("description")
    ?.replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return statedMetadata({
    ...{ title: first("title"), author: first("creator"), language: first("language") },
    ...{ genres, premise },
  });
}

/** A link inside the archive, relative to the document that contains it. A link that leads out of the archive stays at its root. */
export function resolveHref(from: string, href: string): { path: string; fragment: string | null } {
  const [rawPath = "", rawFragment] = href.split("#", 2);
  const fragment = rawFragment === undefined || rawFragment === "" ? null : decode(rawFragment);
  if (rawPath === "") return { path: from, fragment };
  const folders = rawPath.startsWith("/") ? [] : from.split("/").slice(0, -1);
  for (const step of decode(rawPath).split("/")) {
    if (step === "..") folders.pop();
    else if (step !== "." && step !== "") folders.push(step);
  }
  return { path: folders.join("/"), fragment };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
