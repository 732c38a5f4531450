/**
 * As much of a document as the plotting library needs to draw, and no more: elements with attributes and children that can be written
 * as text. There is no browser where the file of a report is written, and a whole document takes longer to load than to draw.
 */
abstract class Drawn {
  readonly ownerDocument: DrawnDocument;
  parentNode: DrawnElement | null = null;

  constructor(document: DrawnDocument) {
    this.ownerDocument = document;
  }

  abstract get textContent(): string;
  abstract markup(): string;
}

class DrawnText extends Drawn {
  readonly nodeType = 3;
  readonly textContent: string;

  constructor(document: DrawnDocument, text: string) {
    super(document);
    this.textContent = text;
  }

  markup(): string {
    return escaped(this.textContent);
  }
}

export class DrawnElement extends Drawn {
  readonly nodeType = 1;
  readonly namespaceURI: string;
  readonly tagName: string;
  childNodes: Drawn[] = [];
  readonly #attributes = new Map<string, string>();
  readonly style = {
    setProperty: (name: string, value: string) => {
      this.#attributes.set("style", `${this.#attributes.get("style") ?? ""}${name}:${value};`);
    },
    removeProperty: () => {},
  };

  constructor(document: DrawnDocument, namespace: string, name: string) {
    super(document);
    this.namespaceURI = namespace;
    this.tagName = name;
  }

  get textContent(): string {
    return this.childNodes.map((child) => child.textContent).join("");
  }

  set textContent(text: string | null) {
    this.childNodes = [];
    if (text !== null && text !== "") this.appendChild(this.ownerDocument.createTextNode(text));
  }

  get firstChild(): Drawn | null {
    return this.childNodes[0] ?? null;
  }

  append(...children: (Drawn | string)[]): void {
    for (const child of children)
      this.appendChild(typeof child === "string" ? this.ownerDocument.createTextNode(child) : child);
  }

  appendChild(child: Drawn): Drawn {
    return this.insertBefore(child, null);
  }

  insertBefore(child: Drawn, next: Drawn | null): Drawn {
    child.parentNode?.removeChild(child);
    child.parentNode = this;
    this.childNodes.splice(next ? this.childNodes.indexOf(next) : this.childNodes.length, 0, child);
    return child;
  }

  removeChild(child: Drawn): Drawn {
    this.childNodes = this.childNodes.filter((other) => other !== child);
    child.parentNode = null;
    return child;
  }

  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }

  setAttributeNS(_namespace: string, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  querySelectorAll(): readonly never[] {
    return [];
  }

  /** As `drawing.tsx` leaves it in a browser: without a style of its own, and with no label but that of the whole. */
  markup(): string {
    if (this.tagName === "style") return "";
    const attributes = [...this.#attributes].map(([name, value]) => {
      const own = this.tagName === "g" && name === "aria-label" ? "data-part" : name;
      return ` ${own}="${escaped(shortened(value))}"`;
    });
    const children = this.childNodes.map((child) => child.markup()).join("");
    return `<${this.tagName}${attributes.join("")}>${children}</${this.tagName}>`;
  }
}

export class DrawnDocument {
  readonly documentElement = this.createElementNS("http://www.w3.org/1999/xhtml", "html");

  createElementNS(namespace: string, name: string): DrawnElement {
    return new DrawnElement(this, namespace, name);
  }

  createTextNode(text: unknown): DrawnText {
    return new DrawnText(this, String(text));
  }
}

/** A hundredth of a pixel is finer than any screen. */
function shortened(value: string): string {
  return value.replace(/\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))));
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);
}
