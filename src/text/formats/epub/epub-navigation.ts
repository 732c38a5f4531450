import type { Archive } from "../../files/archive.ts";
import { decodeXml, localName, parseXml } from "../xml.ts";
import { type Package, resolveHref } from "./epub-package.ts";

export interface Place {
  readonly fragment: string | null;
  readonly title: string;
}

export interface Navigation {
  /** The nav document itself, which some makers also put into the spine. */
  readonly path: string | null;
  /** For each page of the book the places that the table of contents names, in order. */
  readonly places: ReadonlyMap<string, readonly Place[]>;
}

/** The table of contents: EPUB 3's nav document where there is one, else EPUB 2's NCX, else nothing. */
export function readNavigation(archive: Archive, bookPackage: Package): Navigation {
  const places = new Map<string, Place[]>();
  const known = new Set<string>();
  const add = (from: string, href: string, title: string) => {
    const { path, fragment } = resolveHref(from, href);
    const list = places.get(path) ?? [];
    const key = `${path}#${fragment ?? ""}`;
    if (title !== "" && !known.has(key)) {
      list.push({ fragment, title });
      known.add(key);
    }
    places.set(path, list);
  };
  const { navPath, ncxPath } = bookPackage;
  const nav = navPath === null ? null : archive.bytes(navPath);
  if (navPath !== null && nav !== null) readNav(decodeXml(nav), (href, title) => add(navPath, href, title));
  const ncx = places.size > 0 || ncxPath === null ? null : archive.bytes(ncxPath);
  if (ncxPath !== null && ncx !== null) readNcx(decodeXml(ncx), (href, title) => add(ncxPath, href, title));
  return { path: navPath, places };
}

type AddPlace = (href: string, title: string) => void;

function readNav(xml: string, add: AddPlace): void {
  let depth = 0;
  let tocDepth = 0;
  let href: string | null = null;
  let title = "";
  parseXml(xml, {
    open(name, attributes) {
      depth++;
      const isToc = /\btoc\b/.test(`${attributes["epub:type"] ?? ""} ${attributes.role ?? ""}`);
      if (localName(name) === "nav" && isToc) tocDepth = depth;
      if (tocDepth > 0 && localName(name) === "a") {
        href = attributes.href ?? null;
        title = "";
      }
    },
    text(text) {
      if (href !== null) title += text;
    },
    close(name) {
      if (localName(name) === "a" && href !== null) {
        add(href, tidy(title));
        href = null;
      }
      if (depth === tocDepth) tocDepth = 0;
      depth--;
    },
  });
}

function readNcx(xml: string, add: AddPlace): void {
  let title = "";
  let inLabel = false;
  let inMap = false;
  parseXml(xml, {
    open(name, attributes) {
      const local = localName(name);
      if (local === "navMap") inMap = true;
      else if (local === "navLabel") {
        inLabel = true;
        title = "";
      } else if (local === "content" && inMap && attributes.src) add(attributes.src, tidy(title));
    },
    text(text) {
      if (inLabel) title += text;
    },
    close(name) {
      const local = localName(name);
      if (local === "navLabel") inLabel = false;
      else if (local === "navMap") inMap = false;
    },
  });
}

/** A title stands over its chapters once, but with every one of them as the name of their part. */
const LONGEST_TITLE = 1000;

function tidy(title: string): string {
  const even = title.replace(/\s+/g, " ").trim();
  return even.length > LONGEST_TITLE ? `${even.slice(0, LONGEST_TITLE)}…` : even;
}
