import { useCallback, useEffect, useRef, useState } from "react";
import type {
  DecisionSent,
  ItemText,
  LibraryStudyRequest,
  LinkRevoked,
  RatedItem,
  RatedKind,
  RatingQueue,
  RatingSaid,
  RatingSent,
  RatingStudy,
  RatingSummary,
} from "../../../src/api/ratings.ts";
import type { TrustAnswer } from "../../../src/api/trust.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { saveFile } from "../../api/save-file.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { figure, moment } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { Answer } from "../trust/trust-view.tsx";
import "../questions/questions.css";

/** Several people rate the same texts, pairs or answers: the list of studies, one study, or one rater's queue. */
export default function RatingsView({ route }: ViewProps) {
  const [, id, part] = route.path;
  if (id === undefined) return <Studies />;
  const rater = route.query.get("rater");
  return part === "rate" && rater ? <Queue id={id} rater={rater} /> : <OneStudy id={id} />;
}

function Studies() {
  const { texts, language } = usePreferences();
  const studies = useAnswer(api.ratings);
  return (
    <View title={texts.ratings}>
      <p>{texts.ratingsIntroduction}</p>
      <StudyForm onAdded={studies.reload} />
      <Waiting asked={studies}>
        {(list) =>
          list.length === 0 ? (
            <p className="muted">{texts.ratingNone}</p>
          ) : (
            <TableScroller label={texts.ratings}>
              <table>
                <ColumnNames names={[texts.questionsName, texts.items, texts.ratingRaters, texts.date]} />
                <tbody>
                  {list.map(({ id, name, items, raters, createdAt }) => (
                    <tr key={id}>
                      <th scope="row">
                        <a href={to(["ratings", id])}>{name}</a>
                      </th>
                      <td className="number">{items}</td>
                      <td>{raters.join(", ")}</td>
                      <td className="moment">{moment(createdAt, language)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableScroller>
          )
        }
      </Waiting>
    </View>
  );
}

const SOURCES = {
  table: "ratingFromTable",
  books: "ratingFromBooks",
  chapters: "ratingFromChapters",
  pairs: "ratingFromPairs",
  answers: "ratingFromAnswers",
} as const satisfies Readonly<Record<RatedKind | "table", string>>;

/** A study of the library: everything of a kind, what was chosen of it, or so many drawn at random. */
async function addFromLibrary(
  kind: RatedKind,
  given: FormData,
  name: string,
  items: ReadonlySet<string>,
): Promise<void> {
  const number = (field: string) => (given.get(field) ? Number(given.get(field)) : null);
  const sent: LibraryStudyRequest = {
    kind,
    name,
    books: [],
    run: kind === "answers" ? String(given.get("run") ?? "") : null,
    items: [...items],
    most: number("most"),
    raters: String(given.get("raters") ?? "")
      .split(",")
      .map((rater) => rater.trim())
      .filter((rater) => rater !== ""),
    perItem: number("perItem"),
    minimum: number("minimum") ?? 0,
    maximum: number("maximum") ?? 0,
  };
  await ask(api.ratings.library.$post, { json: sent });
}

function StudyForm({ onAdded }: { readonly onAdded: () => void }) {
  const texts = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const [source, setSource] = useState<keyof typeof SOURCES>("table");
  const runs = useAnswer(api.questions, source === "answers" ? {} : null);
  const [wantedRun, setRun] = useState<string | null>(null);
  const run = source === "answers" ? (wantedRun ?? runs.answer?.[0]?.id ?? null) : null;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const adding = useAction(
    useCallback(async () => {
      if (!form.current) return;
      const given = new FormData(form.current);
      if (source !== "table") {
        await addFromLibrary(source, given, texts[SOURCES[source]], chosen);
        setChosen(new Set());
        return onAdded();
      }
      const file = given.get("file");
      if (!(file instanceof File)) return;
      const said = (name: string) => String(given.get(name) ?? "");
      const fields = {
        raters: said("raters"),
        perItem: said("perItem"),
        minimum: said("minimum"),
        maximum: said("maximum"),
      };
      await ask(api.ratings.$post, { form: { ...fields, file } });
      onAdded();
    }, [onAdded, source, texts, chosen]),
  );
  return (
    <form
      className="panel"
      ref={form}
      aria-label={texts.ratingNew}
      onSubmit={(event) => {
        event.preventDefault();
        void adding.run();
      }}
    >
      <Field label={texts.ratingSource}>
        {(attributes) => (
          <select
            {...attributes}
            value={source}
            onChange={(event) => {
              setSource(event.target.value as keyof typeof SOURCES);
              setChosen(new Set());
            }}
          >
            {Object.entries(SOURCES).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {texts[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {source === "table" ? (
        <Field label={texts.ratingItems} hint={texts.ratingItemsHint}>
          {(attributes) => (
            <input {...attributes} name="file" type="file" required accept=".csv,.tsv,.jsonl,.json,.gz" />
          )}
        </Field>
      ) : (
        <div className="toolbar">
          {source === "answers" ? (
            <Field label={texts.ratingRun}>
              {(attributes) => (
                <select
                  {...attributes}
                  name="run"
                  required
                  value={run ?? ""}
                  onChange={(event) => {
                    setRun(event.target.value);
                    setChosen(new Set());
                  }}
                >
                  {(runs.answer ?? []).map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          ) : null}
          <Field label={texts.ratingMost} hint={texts.ratingMostHint}>
            {(attributes) => <input {...attributes} name="most" type="number" min={1} max={100_000} />}
          </Field>
        </div>
      )}
      {source === "table" || (source === "answers" && run === null) ? null : (
        <ItemChoice key={`${source} ${run}`} kind={source} run={run} chosen={chosen} onChoose={setChosen} />
      )}
      <Field label={texts.ratingRaters} hint={texts.ratingRatersHint}>
        {(attributes) => <input {...attributes} name="raters" type="text" required maxLength={1000} />}
      </Field>
      <div className="toolbar">
        <Field label={texts.ratingPerItem} hint={texts.ratingPerItemHint}>
          {(attributes) => <input {...attributes} name="perItem" type="number" min={1} max={50} />}
        </Field>
        <Field label={texts.ratingLowest}>
          {(attributes) => <input {...attributes} name="minimum" type="number" defaultValue={1} />}
        </Field>
        <Field label={texts.ratingHighest}>
          {(attributes) => <input {...attributes} name="maximum" type="number" defaultValue={5} />}
        </Field>
      </div>
      <button type="submit" className="primary" disabled={adding.isBusy}>
        {texts.ratingNew}
      </button>
      {adding.problem ? <ProblemNotice problem={adding.problem} /> : null}
    </form>
  );
}

interface ItemChoiceProps {
  readonly kind: RatedKind;
  readonly run: string | null;
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (chosen: ReadonlySet<string>) => void;
}

/** Single books, chapters, pairs or answers, where not all of them are to be rated. */
function ItemChoice({ kind, run, chosen, onChoose }: ItemChoiceProps) {
  const texts = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const asked = useAnswer(api.ratings.library, isOpen ? { query: { kind, search, run } } : null);
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{texts.ratingChoose}</summary>
      <Field label={texts.ratingSearch}>
        {(attributes) => (
          <input
            {...attributes}
            type="search"
            value={search}
            maxLength={200}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => {
              // Enter in a field would begin the study.
              if (event.key === "Enter") event.preventDefault();
            }}
          />
        )}
      </Field>
      <Waiting asked={asked}>
        {({ choices, total }) => (
          <>
            <fieldset className="rating-choices">
              <legend>{texts[SOURCES[kind]]}</legend>
              {choices.map(({ id, name }) => (
                <label key={id}>
                  <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
                  {name}
                </label>
              ))}
            </fieldset>
            {choices.length < total ? <p className="hint">{texts.ratingShown(choices.length, total)}</p> : null}
          </>
        )}
      </Waiting>
      <p role="status">
        {texts.ratingChosen(chosen.size)}{" "}
        {chosen.size > 0 ? (
          <button type="button" className="quiet" onClick={() => onChoose(new Set())}>
            {texts.ratingClear}
          </button>
        ) : null}
      </p>
    </details>
  );
}

const REFRESH_MILLISECONDS = 5000;

function OneStudy({ id }: { readonly id: string }) {
  const texts = useTexts();
  const asked = useAnswer(api.ratings[":id"], { param: { id } });
  const saving = useAction(
    useCallback(() => saveFile(pathOf(api.ratings[":id"]["ratings.csv"], { param: { id } })), [id]),
  );
  const [found, setFound] = useState<TrustAnswer | null>(null);
  const asking = useAction(
    useCallback(async () => {
      setFound(null);
      setFound(await ask(api.ratings[":id"].trust.$get, { param: { id } }));
    }, [id]),
  );
  // Others rate meanwhile: how far they are and how well they agree follows by itself.
  const { reload } = asked;
  const revoking = useAction(
    useCallback(
      async (rater: string) => {
        const sent: LinkRevoked = { rater };
        await ask(api.ratings[":id"].links.$put, { param: { id }, json: sent });
        reload();
      },
      [id, reload],
    ),
  );
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, REFRESH_MILLISECONDS);
    return () => clearInterval(timer);
  }, [reload]);
  return (
    <View title={asked.answer?.name ?? texts.ratings} kicker={<a href={to(["ratings"])}>{texts.ratings}</a>}>
      <Waiting asked={asked}>
        {(study) => (
          <>
            <TableScroller label={texts.ratingRaters}>
              <table>
                <ColumnNames names={[texts.ratingRaters, texts.ratingDone, texts.ratingLink]} />
                <tbody>
                  {study.progress.map(({ rater, assigned, done, token }) => (
                    <tr key={rater}>
                      <th scope="row">
                        <a href={to(["ratings", id, "rate"], { rater })}>{rater}</a>
                      </th>
                      <td>{texts.rateProgress(done, assigned)}</td>
                      <td>
                        <CopyLink key={token} rater={rater} link={`${window.location.origin}/?token=${token}`} />
                        <button
                          type="button"
                          className="quiet"
                          aria-label={texts.ratingRevokeLink(rater)}
                          disabled={revoking.isBusy}
                          onClick={() => void revoking.run(rater)}
                        >
                          {texts.ratingRevoke}
                        </button>
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableScroller>
            <p className="hint">{texts.ratingLinkHint}</p>
            {revoking.problem ? <ProblemNotice problem={revoking.problem} /> : null}
            <p role="status">
              {study.alpha === null
                ? texts.ratingNoAgreement
                : texts.ratingAgreement(figure(study.alpha), study.shared)}
            </p>
            <div className="actions">
              <button type="button" onClick={() => void saving.run()}>
                {texts.ratingExport}
              </button>
              <button type="button" onClick={() => void asking.run()} disabled={asking.isBusy}>
                {texts.trustAsk}
              </button>
            </div>
            {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
            {asking.problem ? <ProblemNotice problem={asking.problem} /> : null}
            {found ? <Answer found={found} /> : null}
            <pre className="command-line">fabula trust ratings.csv --human rating --rater rater</pre>
            <h2>{texts.ratingDisputes}</h2>
            {study.disputes.length === 0 ? <p className="muted">{texts.ratingNoDisputes}</p> : null}
            {study.disputes.map((dispute) => (
              <Dispute key={dispute.item.id} study={study} dispute={dispute} onDecided={asked.reload} />
            ))}
          </>
        )}
      </Waiting>
    </View>
  );
}

function CopyLink({ rater, link }: { readonly rater: string; readonly link: string }) {
  const texts = useTexts();
  const [isCopied, setCopied] = useState(false);
  return (
    <button
      type="button"
      className="quiet"
      aria-label={texts.ratingCopyLink(rater)}
      onClick={() => void navigator.clipboard?.writeText(link).then(() => setCopied(true))}
    >
      {isCopied ? texts.copied : texts.copyCommand}
    </button>
  );
}

interface DisputeProps {
  readonly study: RatingStudy;
  readonly dispute: RatingStudy["disputes"][number];
  readonly onDecided: () => void;
}

function Dispute({ study, dispute: { item, scores, decided }, onDecided }: DisputeProps) {
  const texts = useTexts();
  const deciding = useAction(
    useCallback(
      async (score: number | null) => {
        const sent: DecisionSent = { item: item.id, score };
        await ask(api.ratings[":id"].decisions.$put, { param: { id: study.id }, json: sent });
        onDecided();
      },
      [item.id, study.id, onDecided],
    ),
  );
  return (
    <article className="panel rating-item" aria-label={item.title ?? item.id}>
      <Item study={study.id} item={item} isOfPairs={study.isOfPairs} rater={null} />
      <p>{scores.map(({ rater, score }) => `${rater}: ${saidInWords(score, study.isOfPairs, texts)}`).join(" · ")}</p>
      <Choices
        legend={texts.ratingDecide}
        study={study}
        chosen={decided}
        onChoose={(score) => void deciding.run(score === decided || typeof score !== "number" ? null : score)}
      />
      {deciding.problem ? <ProblemNotice problem={deciding.problem} /> : null}
    </article>
  );
}

type Words = ReturnType<typeof useTexts>;

function saidInWords(said: RatingSaid, isOfPairs: boolean, texts: Words): string {
  if (said === "cannot judge") return texts.ratingCannot;
  if (!isOfPairs) return String(said);
  return said === 1 ? texts.ratingFirst : said === 0 ? texts.ratingSecond : texts.ratingTie;
}

/** What a judge gave: of a pair which one it prefers, unless it scored something else. */
function scoreInWords(score: number, isOfPairs: boolean, texts: Words): string {
  return isOfPairs && [0, 0.5, 1].includes(score)
    ? saidInWords(score, true, texts)
    : String(Math.round(100 * score) / 100);
}

interface ItemProps {
  readonly study: string;
  readonly item: RatedItem;
  readonly isOfPairs: boolean;
  /** In whose order the texts of a pair stand; null: as they were given. */
  readonly rater: string | null;
}

function Item({ study, item: { title, id, question, text, second }, isOfPairs, rater }: ItemProps) {
  const texts = useTexts();
  const asked = useAnswer(
    api.ratings[":id"].text,
    text === null
      ? {
          param: { id: study },
          query: { item: id, rater },
        }
      : null,
  );
  const name = isOfPairs && rater !== null ? texts.ratingPair : (title ?? id);
  const shown = (own: ItemText) => (
    <>
      {isOfPairs ? <h4>{texts.ratingFirst}</h4> : null}
      <Passage name={isOfPairs ? texts.ratingFirst : name} parts={own.parts} />
      {own.second === null ? null : (
        <>
          <h4>{texts.ratingSecond}</h4>
          <Passage name={texts.ratingSecond} parts={own.second} />
        </>
      )}
    </>
  );
  return (
    <>
      <h3>{name}</h3>
      {question ? <p>{question}</p> : null}
      {text === null ? (
        <Waiting asked={asked}>{shown}</Waiting>
      ) : (
        shown({ parts: [{ title: null, text }], second: second === null ? null : [{ title: null, text: second }] })
      )}
    </>
  );
}

function Passage({ name, parts }: { readonly name: string; readonly parts: ItemText["parts"] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
    <section className="rating-summary" tabIndex={0} aria-label={name}>
      {parts.map(({ title, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: chapters never change places.
        <div key={at}>
          {title === null || name.endsWith(title) ? null : <h5>{title}</h5>}
          <p>{text}</p>
        </div>
      ))}
    </section>
  );
}

const MOST_BUTTONS = 11;

interface ChoicesProps {
  readonly legend: string;
  readonly study: Pick<RatingSummary, "isOfPairs" | "scale">;
  readonly chosen: RatingSaid | null;
  readonly onChoose: (said: RatingSaid) => void;
  readonly withCannot?: true;
}

function Choices({ legend, study: { isOfPairs, scale }, chosen, onChoose, withCannot }: ChoicesProps) {
  const texts = useTexts();
  const steps = scale.maximum - scale.minimum + 1;
  const hasButtons = isOfPairs || (Number.isInteger(steps) && steps <= MOST_BUTTONS);
  const scores = isOfPairs
    ? [1, 0.5, 0]
    : Array.from({ length: hasButtons ? steps : 0 }, (_, at) => scale.minimum + at);
  const said: RatingSaid[] = [...scores, ...(withCannot ? (["cannot judge"] as const) : [])];
  return (
    <fieldset className="rating-scale">
      <legend>{legend}</legend>
      {hasButtons ? null : (
        <input
          type="number"
          aria-label={legend}
          min={scale.minimum}
          max={scale.maximum}
          step="any"
          defaultValue={typeof chosen === "number" ? chosen : ""}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur();
          }}
          onBlur={(event) => {
            if (event.target.value !== "" && event.target.validity.valid) onChoose(event.target.valueAsNumber);
          }}
        />
      )}
      {said.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={chosen === one}
          className={chosen === one ? "primary" : ""}
          onClick={() => onChoose(one)}
        >
          {saidInWords(one, isOfPairs, texts)}
        </button>
      ))}
    </fieldset>
  );
}

function Queue({ id, rater }: { readonly id: string; readonly rater: string }) {
  const texts = useTexts();
  const study = useAnswer(api.ratings[":id"], { param: { id } });
  const queue = useAnswer(api.ratings[":id"].queue, { param: { id }, query: { rater } });
  return (
    <View
      title={texts.ratingQueue(rater)}
      kicker={study.answer?.isRater === false ? <a href={to(["ratings", id])}>{texts.backToStudy}</a> : undefined}
    >
      <Waiting asked={study}>
        {(known) => <Waiting asked={queue}>{(found) => <Sheet study={known} rater={rater} queue={found} />}</Waiting>}
      </Waiting>
    </View>
  );
}

interface SheetProps {
  readonly study: RatingStudy;
  readonly rater: string;
  readonly queue: RatingQueue;
}

/** Digits are scores (0 is 10); of a pair 1, 2 and 0 are the first, the second and a tie; x is "cannot judge". */
function saidByKey(key: string, { isOfPairs, scale }: RatingStudy): RatingSaid | null {
  if (key === "x") return "cannot judge";
  if (!/^\d$/.test(key)) return null;
  if (isOfPairs) return { "1": 1, "2": 0, "0": 0.5 }[key] ?? null;
  const digit = Number(key);
  const score = digit === 0 && scale.minimum > 0 ? 10 : digit;
  return score >= scale.minimum && score <= scale.maximum ? score : null;
}

/** One item at a time; what judges gave is asked for with the rater's own answer, and shown after it. */
function Sheet({ study, rater, queue: { items, said: before, judges: known } }: SheetProps) {
  const texts = useTexts();
  const [said, setSaid] = useState(before);
  const [judges, setJudges] = useState(known);
  const [place, setPlace] = useState(() =>
    Math.max(
      0,
      items.findIndex(({ id }) => before[id] === undefined),
    ),
  );
  const item = items[place];
  const rating = useAction(
    useCallback(
      async (given: RatingSaid) => {
        if (!item) return;
        const sent: RatingSent = { rater, item: item.id, said: given };
        const shown = await ask(api.ratings[":id"].ratings.$put, { param: { id: study.id }, json: sent });
        setSaid((all) => ({ ...all, [item.id]: given }));
        setJudges((all) => ({ ...all, [item.id]: shown }));
      },
      [item, rater, study.id],
    ),
  );
  const { run } = rating;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const given = saidByKey(event.key, study);
      const step = { ArrowRight: 1, j: 1, ArrowLeft: -1, k: -1 }[event.key] ?? 0;
      if (given !== null) void run(given);
      else if (step !== 0) setPlace((at) => Math.min(items.length - 1, Math.max(0, at + step)));
      else return;
      event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [run, study, items.length]);
  if (!item) return <p>{texts.rateNothing}</p>;
  const own = said[item.id];
  const others = Object.entries(judges[item.id] ?? {});
  const done = items.filter(({ id }) => said[id] !== undefined).length;
  return (
    <>
      <p className="hint" role="status">
        {texts.ratingPlace(place + 1, items.length)} · {texts.rateProgress(done, items.length)}
        {done === items.length ? ` · ${texts.rateDone}` : ""}
      </p>
      <article className="panel rating-item" key={item.id}>
        <Item study={study.id} item={item} isOfPairs={study.isOfPairs} rater={rater} />
        <Choices
          legend={texts.yourRating}
          study={study}
          chosen={own ?? null}
          onChoose={(given) => void rating.run(given)}
          withCannot
        />
        {own !== undefined && others.length > 0 ? (
          <p className="rating-judges">
            {others.map(([judge, score]) => `${judge}: ${scoreInWords(score, study.isOfPairs, texts)}`).join(" · ")}
          </p>
        ) : null}
        {rating.problem ? <ProblemNotice problem={rating.problem} /> : null}
      </article>
      <p className="hint">{study.isOfPairs ? texts.ratingKeysPair : texts.ratingKeys}</p>
      <div className="actions">
        <button type="button" disabled={place === 0} onClick={() => setPlace(place - 1)}>
          {texts.ratingPrevious}
        </button>
        <button
          type="button"
          className="primary"
          disabled={place + 1 >= items.length}
          onClick={() => setPlace(place + 1)}
        >
          {texts.ratingNext}
        </button>
      </div>
    </>
  );
}
