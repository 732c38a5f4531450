import { memo, useCallback, useLayoutEffect, useMemo, useState } from "react";
import type { LetterBlock, QuotationView } from "../../../src/api/evaluations.ts";
import type { FindingMark, FindingMarkRequest, LetterFinding, OpenLetter } from "../../../src/api/letters.ts";
import { api, ask } from "../../api/client.ts";
import { recall, remember } from "../../history-memory.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Coded } from "../../parts/coded.tsx";
import { Block } from "../../parts/letter-blocks.tsx";
import { useMedia } from "../../parts/use-media.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import type { Texts } from "../../texts/english.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { kindInWords } from "./finding-kinds.ts";
import { PassagePane } from "./passage-pane.tsx";

const MARKS = {
  accepted: ["markAccepted", "markedAccepted"],
  intended: ["markIntended", "markedIntended"],
  later: ["markLater", "markedLater"],
  done: ["markDone", "markedDone"],
} as const satisfies Readonly<Record<FindingMark, readonly [keyof Texts, keyof Texts]>>;
const MARK_NAMES = Object.keys(MARKS) as FindingMark[];
const SEVERITIES = {
  must: "severityMust",
  should: "severityShould",
  consider: "severityConsider",
} as const satisfies Readonly<Record<LetterFinding["severity"], keyof Texts>>;
const SEVERITY_NAMES = Object.keys(SEVERITIES) as LetterFinding["severity"][];

interface Filter {
  readonly kind: string;
  readonly chapter: string;
  readonly severity: string;
  readonly state: string;
}
const EVERYTHING: Filter = { kind: "", chapter: "", severity: "", state: "" };

/** A filter is there again for whoever comes back to the letter of this book. */
function useKeptFilter(bookId: string): [Filter, (filter: Filter) => void] {
  const [filter, setFilter] = useState<Filter>(() => {
    const kept = recall(bookId, FILTER);
    const known = typeof kept === "object" ? { ...EVERYTHING, ...kept } : EVERYTHING;
    return isEverything(known) ? EVERYTHING : known;
  });
  const choose = useCallback(
    (next: Filter) => {
      const chosen = isEverything(next) ? EVERYTHING : next;
      setFilter(chosen);
      remember(bookId, FILTER, chosen);
    },
    [bookId],
  );
  return [filter, choose];
}

const FILTER = "letter-filter";

function isEverything(filter: Filter): boolean {
  return Object.values(filter).every((value) => value === "");
}

/** The letter at the left, and at the right the passages of the finding that is open. */
export function Findings({
  bookId,
  language,
  letter,
  route,
  offer,
}: {
  readonly bookId: string;
  readonly language: string | null;
  readonly letter: OpenLetter;
  readonly route: ViewProps["route"];
  /** Stands beside the letter where there is room, and above it elsewhere. */
  readonly offer: React.ReactNode;
}) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [marked, setMarked] = useState<ReadonlyMap<string, FindingMarkRequest>>(new Map());
  // A letter that comes from the server says itself what was kept, here or by a Word file that came back.
  const [shownOf, setShownOf] = useState(letter.findings);
  if (shownOf !== letter.findings) {
    setShownOf(letter.findings);
    setMarked(new Map());
  }
  const [problem, setProblem] = useState<Error | null>(null);
  const [filter, setFilter] = useKeptFilter(bookId);
  const findings = useMemo(
    () =>
      letter.findings.map((finding) => {
        const now = marked.get(finding.id);
        return now ? { ...finding, mark: now.mark, why: now.why ?? null, wasDone: false } : finding;
      }),
    [letter.findings, marked],
  );
  const byId = useMemo(() => new Map(findings.map((finding) => [finding.id, finding])), [findings]);
  const numbered = findings.filter(({ number }) => number !== null);
  const shown = numbered.filter((finding) => matches(finding, filter));
  const visible = new Set(shown.map(({ id }) => id));
  const order = letter.view.blocks.flatMap((block) =>
    block.kind === "item" && visible.has(block.id) ? [block.id] : [],
  );
  const open = route.query.get("finding");
  const chosen = open === null ? undefined : byId.get(open);
  const choose = useCallback(
    (id: string | null) =>
      replaceRoute(to(["books", bookId, "letter"], { ...Object.fromEntries(route.query), finding: id })),
    [bookId, route.query],
  );
  useFindingKeys(order, open, choose);
  const numbers = useMemo(
    () =>
      new Map(
        letter.view.blocks.flatMap((block) => (block.kind === "item" ? [[block.number, block.id] as const] : [])),
      ),
    [letter.view.blocks],
  );
  // The numbers at the end of a sentence lead to the findings that they are.
  const refer = useCallback(
    (text: string) => {
      const [, sentence = text, ended = ""] = /^(.*)[(（]([\d, ，、]+)[)）]\.?$/s.exec(text) ?? [];
      const named = ended.split(/[, ，、]+/).map(Number);
      if (ended === "" || !named.every((number) => numbers.has(number))) return <Coded text={text} />;
      return (
        <>
          <Coded text={sentence} />
          {named.map((number) => (
            <button
              key={number}
              type="button"
              className="finding-number"
              aria-label={texts.findingNumber(number)}
              onClick={() => {
                setFilter(EVERYTHING);
                choose(numbers.get(number)!);
                // Once it is shown, whatever was filtered before.
                requestAnimationFrame(() => showFinding(numbers.get(number)!));
              }}
            >
              {number}
            </button>
          ))}
        </>
      );
    },
    [numbers, choose, setFilter, texts],
  );
  const mark = useCallback(
    (id: string, request: FindingMarkRequest) => {
      keepPlaceOf(id);
      let before: FindingMarkRequest | undefined;
      setMarked((known) => {
        before = known.get(id);
        return new Map(known).set(id, request);
      });
      ask(api.books[":id"].findings[":finding"].$patch, { param: { id: bookId, finding: id }, json: request }).then(
        () => {
          setProblem(null);
          announce(texts.markKept);
        },
        (error: unknown) => {
          // What was not kept is not shown as said.
          setMarked((known) => {
            const kept = new Map(known);
            if (before) kept.set(id, before);
            else kept.delete(id);
            return kept;
          });
          setProblem(error instanceof Error ? error : new Error(String(error)));
        },
      );
    },
    [bookId, announce, texts],
  );
  const hasSide = useMedia("(min-width: 64rem)");
  const book = useMemo(
    () => ({
      language,
      address: ({ chapter, start, end }: QuotationView) => to(["books", bookId, "read"], { chapter, start, end }),
    }),
    [language, bookId],
  );
  const isFiltered = filter !== EVERYTHING;
  const beside = offer ? (
    <aside key="offer" className="letter-offer" aria-label={texts.modelTitle} tabIndex={-1}>
      {offer}
    </aside>
  ) : null;
  // The order of reading is that of sight: beside the letter is after it, above it is before. The key keeps what is typed there.
  return (
    <div className="letter-and-text">
      {hasSide ? null : beside}
      <div key="letter" className="letter-column">
        {beside && hasSide ? (
          <button type="button" className="shown-on-focus" onClick={() => focusOn(".letter-offer")}>
            {texts.modelGo}
          </button>
        ) : null}
        <Filters findings={numbered} shown={shown.length} filter={filter} onChange={setFilter} />
        {problem ? <ProblemNotice problem={problem} /> : null}
        {isFiltered && shown.length === 0 ? <p className="muted">{texts.filterNothing}</p> : null}
        <div className="letter" lang={letter.view.language === "zh" ? "zh-CN" : "en"}>
          {sections(letter.view.blocks, isFiltered ? visible : null).map((block, at) =>
            block.kind === "item" ? (
              <Finding
                key={block.id}
                finding={byId.get(block.id)!}
                item={block}
                isOpen={open === block.id}
                hasSide={hasSide}
                onOpen={choose}
                onMark={mark}
              >
                {open === block.id && !hasSide ? (
                  <PassagePane bookId={bookId} language={language} finding={chosen!} />
                ) : null}
              </Finding>
            ) : (
              // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no names, and the letter never changes.
              <Block key={at} block={block} book={book} refer={refer} />
            ),
          )}
        </div>
      </div>
      {hasSide ? beside : null}
      {hasSide && numbered.length > 0 ? (
        <aside className="passage-side" aria-label={texts.passagesOf} tabIndex={-1}>
          {chosen ? (
            <PassagePane key={chosen.id} bookId={bookId} language={language} finding={chosen} />
          ) : (
            <p className="muted">
              {texts.passagesHint} {texts.findingKeys}
            </p>
          )}
        </aside>
      ) : null}
    </div>
  );
}

function matches({ kind, passages, severity, mark }: LetterFinding, filter: Filter): boolean {
  const state = mark ?? "open";
  return (
    (filter.kind === "" || kind === filter.kind) &&
    (filter.severity === "" || severity === filter.severity) &&
    (filter.state === "" || state === filter.state) &&
    (filter.chapter === "" || passages.some(({ chapter }) => String(chapter) === filter.chapter))
  );
}

/** The blocks of the letter; of a filtered one the findings that match, under the headings they stand under. */
function sections(blocks: readonly LetterBlock[], visible: ReadonlySet<string> | null): readonly LetterBlock[] {
  if (visible === null) return blocks;
  return blocks.filter((block, at) => {
    if (block.kind === "item") return visible.has(block.id);
    if (block.kind !== "heading") return false;
    const end = blocks.findIndex((next, place) => place > at && next.kind === "heading");
    return blocks.slice(at + 1, end < 0 ? undefined : end).some((next) => next.kind === "item" && visible.has(next.id));
  });
}

function focusOn(place: string): void {
  document.querySelector<HTMLElement>(place)?.focus();
}

function showFinding(id: string): void {
  const button = document.querySelector<HTMLElement>(`#finding-${id} .finding-title`);
  button?.focus({ preventScroll: true });
  button?.scrollIntoView({ block: "center" });
}

/** A filter may no longer let through what was just said of a finding: the next one is then where it was, and has the focus. */
function keepPlaceOf(id: string): void {
  const at = [...document.querySelectorAll(".finding")].findIndex((each) => each.id === `finding-${id}`);
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    const titles = document.querySelectorAll<HTMLElement>(".finding-title");
    const next =
      titles[Math.min(at, titles.length - 1)] ?? document.querySelector<HTMLElement>(".finding-filters select");
    next?.focus();
  });
}

/** J and K go through the findings as they are shown, wherever the focus is, unless something is being typed; Escape leads back from the passages. */
function useFindingKeys(order: readonly string[], open: string | null, choose: (id: string) => void): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isBesideText = event.target instanceof HTMLElement && event.target.closest(".passage-side");
      if (event.key === "Escape" && isBesideText && open !== null) return showFinding(open);
      const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
      const isTyping = event.target instanceof HTMLElement && event.target.closest("input, textarea, select, dialog");
      if (step === 0 || isTyping || event.altKey || event.ctrlKey || event.metaKey) return;
      const at = open === null ? (step > 0 ? -1 : order.length) : order.indexOf(open);
      const next = order[Math.min(order.length - 1, Math.max(0, at + step))];
      if (next === undefined) return;
      choose(next);
      showFinding(next);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [order, open, choose]);
}

function Filters({
  findings,
  shown,
  filter,
  onChange,
}: {
  readonly findings: readonly LetterFinding[];
  readonly shown: number;
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}) {
  const { texts, language } = usePreferences();
  const kinds = [...new Set(findings.map(({ kind }) => kind))];
  const chapters = [...new Set(findings.flatMap(({ passages }) => passages.map(({ chapter }) => chapter)))].sort(
    (left, right) => left - right,
  );
  const open = findings.filter(({ mark }) => mark === null || mark === "accepted" || mark === "later").length;
  const choice = (name: keyof Filter, label: string, any: string, options: readonly (readonly [string, string])[]) => (
    <select
      aria-label={label}
      value={filter[name]}
      onChange={(event) => {
        onChange({ ...filter, [name]: event.target.value });
      }}
    >
      <option value="">{any}</option>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
  const isWide = useMedia("(min-width: 40rem)");
  if (findings.length === 0) return null;
  const found =
    open === findings.length
      ? texts.findingsCount(findings.length)
      : `${texts.findingsCount(findings.length)} · ${texts.findingsOpen(open)}`;
  const choices = (
    <div className="finding-filters">
      {choice(
        "severity",
        texts.filterSeverity,
        texts.anySeverity,
        SEVERITY_NAMES.map((name) => [name, texts[SEVERITIES[name]]]),
      )}
      {choice(
        "kind",
        texts.filterKind,
        texts.anyKind,
        kinds.map((kind) => [kind, kindInWords(kind, language)]),
      )}
      {choice(
        "chapter",
        texts.filterChapter,
        texts.anyChapter,
        chapters.map((chapter) => [String(chapter), texts.chapterNumber(chapter)]),
      )}
      {choice("state", texts.filterState, texts.anyState, [
        ["open", texts.stateOpen],
        ...MARK_NAMES.map((mark) => [mark, texts[MARKS[mark][1]]] as const),
      ])}
      {filter === EVERYTHING ? null : (
        <>
          <span className="muted" role="status">
            {texts.findingsShown(shown, findings.length)}
          </span>
          <button
            type="button"
            className="quiet"
            onClick={(event) => {
              // It goes with what it cleared, and leaves the focus to the first choice.
              event.currentTarget.parentElement?.querySelector("select")?.focus();
              onChange(EVERYTHING);
            }}
          >
            {texts.filtersClear}
          </button>
        </>
      )}
    </div>
  );
  // On a phone the choices are folded: the letter comes first.
  return isWide ? (
    <>
      <strong>{found}</strong>
      {choices}
    </>
  ) : (
    <details>
      <summary>{found}</summary>
      {choices}
    </details>
  );
}

/** One thing to look at: what it is, where, what writers do, and what this writer says of it. */
const Finding = memo(function Finding({
  finding,
  item,
  isOpen,
  hasSide,
  onOpen,
  onMark,
  children,
}: {
  readonly finding: LetterFinding;
  readonly item: Extract<LetterBlock, { kind: "item" }>;
  readonly isOpen: boolean;
  /** Whether its passages are shown beside the letter, and so after all of it in the order of Tab. */
  readonly hasSide: boolean;
  readonly onOpen: (id: string | null) => void;
  readonly onMark: (id: string, request: FindingMarkRequest) => void;
  readonly children: React.ReactNode;
}) {
  const { texts, language } = usePreferences();
  const { id, kind, severity, mark, why, wasDone } = finding;
  const isSettled = mark === "done" || mark === "intended";
  // What the letter itself is not sure of is not called something that must be fixed.
  const isQuestion = item.minor === true && severity !== "consider";
  const weight = isQuestion ? "consider" : severity;
  return (
    <article
      id={`finding-${id}`}
      className={`finding ${weight}${isOpen ? " open" : ""}${isSettled ? " settled" : ""}`}
      lang={/\p{Script=Han}/u.test(item.text) ? "zh-CN" : "en"}
    >
      <h3>
        <button
          type="button"
          className="finding-title"
          aria-expanded={isOpen}
          onClick={() => onOpen(isOpen ? null : id)}
        >
          {item.number}. {item.title}
        </button>
      </h3>
      <p className="finding-facts" lang={language === "zh" ? "zh-CN" : "en"}>
        <span className={`weight ${weight}`}>{isQuestion ? texts.severityQuestion : texts[SEVERITIES[severity]]}</span>{" "}
        · {kindInWords(kind, language)}
        {mark === null ? null : <strong> · {texts[MARKS[mark][1]]}</strong>}
        {wasDone ? <strong> · {texts.markedBefore}</strong> : null}
        {isOpen && hasSide ? (
          <button type="button" className="shown-on-focus" onClick={() => focusOn(".passage-side")}>
            {texts.passagesGo}
          </button>
        ) : null}
      </p>
      <p>{item.text}</p>
      <ul className="finding-places">
        {item.quotes.map((quote) => (
          <li key={`${quote.chapter}:${quote.start}`}>
            <span className="prose">
              {quote.before}
              <strong>{quote.marked}</strong>
              {quote.after}
            </span>{" "}
            <small className="muted">{quote.where}</small>
          </li>
        ))}
      </ul>
      {children ? <div className="passages-inline">{children}</div> : null}
      {item.advice ? <p className="advice">{item.advice}</p> : null}
      <fieldset className="marks" lang={language === "zh" ? "zh-CN" : "en"}>
        <legend className="visually-hidden">{texts.markOf(item.title)}</legend>
        {MARK_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={mark === name}
            onClick={() => onMark(id, { mark: mark === name ? null : name })}
          >
            {texts[MARKS[name][0]]}
          </button>
        ))}
        {mark === "intended" ? (
          <input
            aria-label={texts.markWhy}
            placeholder={texts.markWhy}
            defaultValue={why ?? ""}
            onBlur={(event) => {
              const said = event.target.value.trim();
              if (said !== (why ?? "")) onMark(id, { mark, ...(said && { why: said }) });
            }}
          />
        ) : null}
      </fieldset>
    </article>
  );
});
