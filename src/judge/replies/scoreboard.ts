import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import type { ParsedScore, WrittenScores } from "../../models/written-score.ts";
import { isSetOff, type ReplyLine } from "./reply-lines.ts";

/** How clearly a number was marked as a score. Of different kinds, the clearest counts; all of one kind must agree. */
const KINDS = ["named", "line", "inline", "trailing", "said"] as const;
export type MarkKind = (typeof KINDS)[number];

interface Mark {
  readonly kind: MarkKind;
  readonly parsed: ParsedScore;
}

type Section = { readonly kind: "none" | "overall" | "unknown" } | { readonly kind: "aspect"; readonly id: string };

/**
 * Collects, while a reply is read line by line, the current section and the scores written in it. Nothing is decided
 * until `marksOf` is called, so that two different scores for one aspect are recognised as a contradiction.
 */
export class Scoreboard implements WrittenScores {
  readonly #rubric: Rubric;
  readonly #marks = new Map<string, Mark[]>();
  readonly #critiques = new Map<string, string[]>();
  readonly #overall: Mark[] = [];
  readonly #assessment: string[] = [];
  #section: Section = { kind: "none" };
  #sectionDepth = 0;
  #sectionMarkup: string | null = null;
  #lastLocal: { id: string; mark: Mark } | null = null;
  #lastAspect: string | null = null;

  constructor(rubric: Rubric) {
    this.#rubric = rubric;
  }

  /** Whether no section has begun yet, so that a score must say itself what it is for. */
  get isOpen(): boolean {
    return this.#section.kind === "none";
  }

  get isInAspect(): boolean {
    return this.#section.kind === "aspect";
  }

  /** Whether the current aspect has a score on a line of its own. */
  get hasLineScore(): boolean {
    const section = this.#section;
    return section.kind === "aspect" && (this.#marks.get(section.id) ?? []).some(({ kind }) => kind === "line");
  }

  isIn(aspect: string): boolean {
    return this.#section.kind === "aspect" && this.#section.id === aspect;
  }

  /** Deeper than the heading of the current aspect. */
  isBelow(line: ReplyLine): boolean {
    return this.#section.kind === "aspect" && line.depth > this.#sectionDepth;
  }

  enterAspect(criterion: Criterion, line: ReplyLine, alone: boolean): boolean {
    // In the closing part, an aspect that was already judged is only mentioned again.
    if (this.#section.kind === "overall" && this.#marks.has(criterion.id)) return false;
    if (criterion.parent !== undefined && this.#isRemark(line, alone)) return false;
    this.#section = { kind: "aspect", id: criterion.id };
    this.#lastAspect = criterion.id;
    this.#sectionDepth = line.depth;
    this.#sectionMarkup = `${line.markup}|${alone}`;
    if (!this.#critiques.has(criterion.id)) this.#critiques.set(criterion.id, []);
    return true;
  }

  enterOverall(): void {
    this.#section = { kind: "overall" };
  }

  /** An unknown label ends an aspect only if it has exactly the markup of the aspects' own headings. */
  enterUnknown(line: ReplyLine, alone: boolean, asHeading: boolean): void {
    const alike = isSetOff(line) && `${line.markup}|${alone}` === this.#sectionMarkup;
    if (this.#section.kind === "aspect" && (alike || asHeading)) this.#section = { kind: "unknown" };
  }

  /** Enters an aspect that was not requested, before any that was. */
  enterOther(): void {
    if (this.#section.kind === "none") this.#section = { kind: "unknown" };
  }

  say(text: string): void {
    if (text === "") return;
    if (this.#section.kind === "overall") this.#assessment.push(text);
    else if (this.#section.kind === "aspect") this.#critiques.get(this.#section.id)?.push(text);
  }

  /** Text about an aspect, or about the whole book as "", outside any section. */
  comment(id: string, text: string): void {
    if (id !== "") this.#critiques.set(id, text === "" ? [] : [text]);
    else if (text !== "") this.#assessment.push(text);
  }

  /** Records a score for the current section. */
  score(
    kind: "line" | "inline" | "said" | "overall-inline" | "overall-said",
    parsed: ParsedScore,
    line: ReplyLine | null,
  ): void {
    if (kind === "overall-inline") return void this.#overall.push({ kind: "named", parsed });
    if (kind === "overall-said") return void this.#overall.push({ kind: "said", parsed });
    const section = this.#section;
    const mark: Mark = { kind, parsed };
    switch (section.kind) {
      case "overall":
      case "none":
        this.#overall.push(mark);
        return;
      case "unknown":
        return;
      case "aspect": {
        // `### Score` below plain aspect labels is the reply's own last heading: it closes the aspect above it.
        if (line?.heading && line.depth < this.#sectionDepth) {
          this.enterOverall();
          this.#overall.push(mark);
          return;
        }
        this.#mark(section.id, mark);
        if (kind === "line") this.#lastLocal = { id: section.id, mark };
        return;
      }
      default:
        section satisfies never;
    }
  }

  aspect(id: string, kind: MarkKind, parsed: ParsedScore): void {
    this.#mark(id, { kind, parsed });
  }

  #mark(id: string, mark: Mark): void {
    const marks = this.#marks.get(id);
    if (marks) marks.push(mark);
    else this.#marks.set(id, [mark]);
  }

  overall(kind: MarkKind, parsed: ParsedScore): void {
    this.#overall.push({ kind, parsed });
  }

  /** A number in brackets at the end of a line is the section's score if it is the only one of its kind there. */
  trailing(parsed: ParsedScore): void {
    if (this.#section.kind === "overall") this.#overall.push({ kind: "trailing", parsed });
    else if (this.#section.kind === "aspect") this.#mark(this.#section.id, { kind: "trailing", parsed });
  }

  /** `… one good chase. 4/10`: the text itself marks it as a score, so it needs no section. */
  closing(parsed: ParsedScore): void {
    if (this.#section.kind === "none") this.#overall.push({ kind: "trailing", parsed });
    else this.trailing(parsed);
  }

  /** An aspect's marks of the clearest kind. */
  marksOf(id: string): readonly ParsedScore[] {
    this.#giveLoneScoreToTheWhole();
    return plainest(this.#marks.get(id) ?? []);
  }

  overallMarks(): readonly ParsedScore[] {
    this.#giveLoneScoreToTheWhole();
    return plainest(this.#overall);
  }

  critiqueOf(id: string): string | null {
    return this.#critiques.get(id)?.join("\n") || null;
  }

  assessment(): string | null {
    return this.#assessment.join("\n") || null;
  }

  mentions(id: string): boolean {
    return this.#critiques.has(id) || this.#marks.has(id);
  }

  /** A part of one aspect mentioned in the critique of another, unless it has the markup of a section. */
  #isRemark(line: ReplyLine, alone: boolean): boolean {
    if (this.#section.kind !== "aspect") return false;
    const { id } = this.#section;
    if (this.#rubric.criteria.some((criterion) => criterion.id === id && criterion.parent !== undefined)) return false;
    return line.markup === "0|||" || `${line.markup}|${alone}` !== this.#sectionMarkup;
  }

  /** If there are several critiques and one score after the last of them, it is the overall score. */
  #giveLoneScoreToTheWhole(): void {
    const lone = this.#lastLocal;
    const scoredAspects = [...this.#marks.values()].filter((marks) => marks.length > 0);
    if (!lone || this.#overall.length > 0 || scoredAspects.length !== 1 || scoredAspects[0]!.length !== 1) return;
    // After the first of them it belongs to that one, and the reply was cut off or says no more.
    const mentioned = this.#rubric.criteria.filter(({ id, parent }) => !parent && this.#critiques.has(id));
    if (mentioned.length < 2 || lone.id !== this.#lastAspect) return;
    this.#marks.delete(lone.id);
    this.#overall.push(lone.mark);
  }
}

/** "Score: 85" is as clear within a line as on its own, so these two must agree. */
function plainest(marks: readonly Mark[]): readonly ParsedScore[] {
  for (const kind of KINDS) {
    const asPlain = kind === "line" ? ["line", "inline"] : [kind];
    const ofKind = marks.filter((mark) => asPlain.includes(mark.kind)).map(({ parsed }) => parsed);
    if (ofKind.length > 0) return ofKind;
  }
  return [];
}
